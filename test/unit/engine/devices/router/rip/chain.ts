/** Routers in a row with RIP: R1 has 10.1.0.0/24, each pair a subnet 10.0.N.0/24, the last one 10.9.0.0/24. */
import { Router } from "@wirelab/engine/devices/router/index";
import type { RouterState } from "../../../../../../packages/engine/devices/router/shell/state.ts";
import { DeviceBench } from "../../../../../helpers/engine/device-bench.ts";
import { ROUTER_MAC, specOf } from "../probe.ts";

export const RIP = { networks: ["10.0.0.0/8"] };

export interface Chain {
  readonly bench: DeviceBench;
  readonly routers: readonly Router[];
}

/** @param rip the settings of each router. */
export function makeChain(count: number, rip: (index: number) => object = () => RIP): Chain {
  const bench = new DeviceBench();
  const routers = Array.from({ length: count }, (_, index) => {
    const left = index === 0 ? "10.1.0.1/24" : `10.0.${index}.2/24`;
    const right = index === count - 1 ? "10.9.0.1/24" : `10.0.${index + 1}.1/24`;
    return addRouter(bench, index, { ports: [{ ipv4: left }, { ipv4: right }], rip: rip(index) });
  });
  for (let index = 1; index < count; index++) bench.wire([`R${index}`, 1], [`R${index + 1}`, 0]);
  for (const router of routers) router.start();
  return { bench, routers };
}

export function addRouter(
  bench: DeviceBench,
  index: number,
  properties: object,
  state?: RouterState,
): Router {
  const name = `R${index + 1}`;
  const spec = { ...specOf(properties, name), mac: ROUTER_MAC + 16 * index };
  return bench.add(name, (world) => new Router(spec, world, state));
}

/** The output of a command, without the prompts and the line. */
export const say = (bench: DeviceBench, name: string, line: string): string[] =>
  bench.type(name, line).split("\n").slice(1, -2);

/** `show route` as "SOURCE NETWORK VIA". */
export const routesOf = (bench: DeviceBench, name: string): string[] =>
  say(bench, name, "show route")
    .slice(1)
    .map((line) => line.split(/ +/))
    .map(([source, distance, network, via]) => `${source} ${distance} ${network} ${via}`);
