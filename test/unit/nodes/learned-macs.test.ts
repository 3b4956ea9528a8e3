/** What a node's stored state says of the addresses that its ports have learned. */
import { Router } from "@wirelab/engine/devices/router/index";
import { expect, test } from "vitest";
import { macTableOf } from "../../../functions/nodes/learned-macs.ts";
import type { NodeItem } from "../../../functions/shared/store/lab/node.ts";
import { BENCH_START_US, DeviceBench } from "../../helpers/engine/device-bench.ts";
import { specOf } from "../engine/devices/router/probe.ts";

const PROPERTIES = { ports: [{}, { switchport: { vlan: 10 } }, { switchport: { vlan: 10 } }] };

/** A router that has heard a frame from 02:00:00:00:00:0a at port 1, if it is switched. */
function routerThatHeard(properties: object): NodeItem {
  const bench = new DeviceBench();
  const router = bench.add("R1", (world) => new Router(specOf(properties), world));
  bench.inject(
    "R1",
    1,
    Uint8Array.of(2, 0, 0, 0, 0, 11, 2, 0, 0, 0, 0, 10, 0x88, 0xb5, ...new Uint8Array(46)),
  );
  bench.run();
  const device = JSON.parse(JSON.stringify(router.saveState()));
  const ports = [0, 1, 2].map((port) => ({ name: `Ethernet${port}` }));
  return { document: { node_type: "router", ports }, state: { device } } as unknown as NodeItem;
}

test("a router with switched ports reports an address for 300 s", () => {
  const node = routerThatHeard(PROPERTIES);
  const entry = { vlan: 10, mac: "02:00:00:00:00:0a", port_number: 1, port_name: "Ethernet1" };
  expect(macTableOf(node, BENCH_START_US + 2_000_000)).toEqual([{ ...entry, age: 2 }]);
  expect(macTableOf(node, BENCH_START_US + 300_000_000)).toEqual([]);
});

test("a router without switched ports, and one that never ran, report nothing", () => {
  expect(macTableOf(routerThatHeard({ ports: [{}, {}] }), BENCH_START_US)).toEqual([]);
  const { state: _, ...neverRan } = routerThatHeard(PROPERTIES);
  expect(macTableOf(neverRan as NodeItem, BENCH_START_US)).toEqual([]);
});
