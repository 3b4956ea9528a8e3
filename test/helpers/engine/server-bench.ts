/** Servers back to back for tests. */
import { type HostState, Server, type ServerSpec } from "../../../packages/engine/devices/server/index.ts";
import { parseServerProperties } from "../../../packages/engine/devices/server/properties.ts";
import { DeviceBench } from "./device-bench.ts";

export const SERVER_MAC = 0x0257_5300_0000;

export function serverSpec(name: string, index: number, properties: object): ServerSpec {
  const parsed = parseServerProperties(properties);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return { type: "server", name, mac: SERVER_MAC + index, ...parsed.config };
}

export interface TwoServers {
  readonly bench: DeviceBench;
  readonly a: Server;
  readonly b: Server;
}

export const A = { ipv4: "10.0.0.1/24", ipv6: "2001:db8::1/64" };
export const B = { ipv4: "10.0.0.2/24", ipv6: "2001:db8::2/64" };

/** Two servers on one wire, both started. */
export function twoServers(a: object = A, b: object = B, state?: HostState): TwoServers {
  const bench = new DeviceBench();
  const first = bench.add("A", (world) => new Server(serverSpec("A", 1, a), world, state));
  const second = bench.add("B", (world) => new Server(serverSpec("B", 2, b), world));
  bench.wire(["A", 0], ["B", 0]);
  if (state) first.resume();
  else first.start();
  second.start();
  return { bench, a: first, b: second };
}

/** The output of a command, without prompts and the line itself. */
export function say({ bench }: { bench: DeviceBench }, name: string, line: string): string[] {
  return bench
    .type(name, line)
    .slice(`${name}> ${line}\n`.length, -`\n${name}> `.length)
    .split("\n")
    .slice(0, -1);
}
