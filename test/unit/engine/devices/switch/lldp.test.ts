/** LLDP of two switches: what they learn of each other, when they send, and when they forget. */

import { concatBytes } from "@wirelab/engine/base/bytes";
import type { World } from "@wirelab/engine/devices/device";
import { EthernetSwitch, type SwitchState } from "@wirelab/engine/devices/switch/index";
import { parseSwitch } from "@wirelab/engine/net/bridge/settings/parse";
import { describe, expect, test } from "vitest";
import { decodeLldp, encodeLldp } from "../../../../../packages/engine/wire/lldp.ts";
import { DeviceBench } from "../../../../helpers/engine/device-bench.ts";
import { accessPorts, portsOf, SwitchBench } from "../../../../helpers/engine/switch-bench.ts";

const SECOND_US = 1_000_000;

/** Two switches with a cable between port 1 of one and port 2 of the other; their other ports have links too. */
function makePair(first: unknown = true, second: unknown = true) {
  const bench = new DeviceBench();
  const [one, two] = (
    [
      ["SW1", first],
      ["SW2", second],
    ] as const
  ).map(([name, lldp]) => {
    const ports = accessPorts(3);
    const parsed = parseSwitch({ lldp }, { name, ports, portNames: ["uplink", "left", "right"] });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    const make = (world: World) =>
      new EthernetSwitch({ type: "ethernet_switch", name, ports, ...parsed.settings }, world);
    return bench.add(name, make);
  }) as [EthernetSwitch, EthernetSwitch];
  bench.wire(["SW1", 1], ["SW2", 2]);
  one.start();
  two.start();
  const run = (us: number): void => bench.run(bench.nowUs + us);
  const sendTimes = (name: string, port: number): number[] =>
    bench.frames.filter((each) => each.from === name && each.port === port).map(({ atUs }) => atUs);
  return { bench, one, two, run, sendTimes };
}

/** A frame of another system; its port makes it a different neighbour. */
const announced = (portName: string, ttl = 120): Uint8Array =>
  encodeLldp({ mac: 0x0200_0000_9900, portName, ttl, portDescription: "x", systemName: "other" }, 5);

test("each learns the other at once, with its port by name", () => {
  const { one, two, run } = makePair();
  run(1_000);
  expect(one.neighbours).toEqual([
    {
      port: 1,
      chassis: expect.stringMatching(/^02:/),
      chassis_kind: "mac",
      neighbour_port: "right",
      neighbour_port_kind: "name",
      port_description: "Port 2 of SW2",
      system_name: "SW2",
      capabilities: ["bridge"],
      enabled_capabilities: ["bridge"],
      ttl: expect.closeTo(121, 1),
    },
  ]);
  expect(two.neighbours).toMatchObject([{ port: 2, neighbour_port: "left", system_name: "SW1" }]);
});

test("a new neighbour gets four frames, a second apart; then one comes each interval", () => {
  const { run, sendTimes } = makePair();
  run(70 * SECOND_US);
  const seconds = sendTimes("SW1", 1).map((us) => Math.round(us / SECOND_US));
  expect(seconds).toEqual([0, 0, 1, 2, 3, 33, 63]);
  expect(sendTimes("SW1", 0).map((us) => us / SECOND_US)).toEqual([0, 30, 60]);
});

test("interval, hold and the frames of the fast start are settings", () => {
  const { one, run, sendTimes } = makePair(true, { interval: 5, hold: 2, fast_count: 1 });
  run(11 * SECOND_US);
  expect(sendTimes("SW2", 2).map((us) => Math.round(us / SECOND_US))).toEqual([0, 0, 5, 10]);
  expect(one.neighbours![0]!.ttl).toBeCloseTo(10, 0);
});

test("a neighbour that is silent is forgotten after its time to live, one that withdraws at once", () => {
  const bench = new SwitchBench(accessPorts(2), { lldp: true });
  bench.device.start();
  bench.receive(0, announced("a", 20));
  bench.receive(1, announced("b", 20));
  bench.receive(1, announced("b", 0));
  expect(bench.device.neighbours!.map(({ neighbour_port }) => neighbour_port)).toEqual(["a"]);
  bench.bench.run(19 * SECOND_US);
  expect(bench.device.neighbours).toHaveLength(1);
  bench.bench.run(21 * SECOND_US);
  expect(bench.device.neighbours).toEqual([]);
});

test("many new neighbours do not make a port send more than five frames at once and one a second", () => {
  const bench = new SwitchBench(accessPorts(1), { lldp: { fast_count: 1 } });
  bench.device.start();
  for (let count = 0; count < 20; count++) bench.receive(0, announced(`p${count}`));
  expect(bench.bench.frames).toHaveLength(5);
  bench.bench.run(3.5 * SECOND_US);
  for (let count = 0; count < 20; count++) bench.receive(0, announced(`q${count}`));
  expect(bench.bench.frames.length).toBeLessThanOrEqual(8);
  expect(bench.bench.frames.length).toBeGreaterThan(5);
});

test("a switch keeps 128 neighbours at most", () => {
  const bench = new SwitchBench(accessPorts(1), { lldp: true });
  for (let count = 0; count < 140; count++) bench.receive(0, announced(`p${count}`));
  expect(bench.device.neighbours).toHaveLength(128);
});

describe("modes of a port", () => {
  test.each([
    ["tx", 1, 0],
    ["rx", 0, 1],
    ["off", 0, 0],
    ["both", 2, 1],
  ])("%s: %i frames sent, %i neighbours learned", (mode, sent, learned) => {
    const bench = new SwitchBench(accessPorts(2), { lldp: { ports: { 0: mode } } });
    bench.device.start();
    bench.receive(0, announced("a"));
    expect(portsOf(bench.bench.frames).filter((port) => port === 0)).toHaveLength(sent);
    expect(bench.device.neighbours).toHaveLength(learned);
  });
});

test("a link that comes back gets a frame at once; one without carrier gets none", () => {
  const bench = new SwitchBench(accessPorts(1), { lldp: true });
  bench.device.start();
  bench.device.linkChanged(0, false);
  expect(bench.device.portsDown).toEqual([0]);
  bench.bench.run(100 * SECOND_US);
  expect(bench.bench.frames).toHaveLength(1);
  bench.device.linkChanged(0, true);
  expect(bench.bench.frames).toHaveLength(2);
  expect(bench.device.portsDown).toEqual([]);
});

test("neighbours and the times of sending continue in the next run; no time passes between", () => {
  const before = new SwitchBench(accessPorts(2), { lldp: true });
  before.device.start();
  before.receive(0, announced("a", 20));
  before.device.linkChanged(1, false);
  before.bench.run(10 * SECOND_US);
  const after = new SwitchBench(accessPorts(2), { lldp: true }, before.saved());
  after.device.resume();
  expect(after.device.neighbours).toEqual([expect.objectContaining({ port: 0, ttl: expect.closeTo(10, 0) })]);
  expect(after.device.portsDown).toEqual([1]);
  after.bench.run(40 * SECOND_US);
  expect(after.bench.frames.map(({ port, atUs }) => [port, Math.round(atUs / SECOND_US)])).toEqual([[0, 23]]);
});

test("neighbours at ports that have no link or do not learn any more are removed", () => {
  const before = new SwitchBench(accessPorts(2), { lldp: true });
  before.receive(0, announced("a"));
  before.receive(1, announced("b"));
  const [first, second] = accessPorts(2);
  const after = new SwitchBench(
    [{ ...first!, isWired: false }, second!],
    { lldp: { ports: { 1: "tx" } } },
    before.saved(),
  );
  expect(after.device.neighbours).toEqual([]);
});

test("frames that are no LLDP, or that begin with other TLVs, are not learned; no LLDP frame is forwarded", () => {
  const bench = new SwitchBench(accessPorts(3), { lldp: true });
  const wrongType = announced("a");
  wrongType[13] = 0;
  expect(bench.receive(0, wrongType)).toEqual([]);
  expect(bench.receive(0, concatBytes(announced("a").subarray(0, 14), new Uint8Array(46)))).toEqual([]);
  expect(bench.device.neighbours).toEqual([]);
});

test("without the property, nothing is sent, learned or kept", () => {
  const bench = new SwitchBench(accessPorts(3));
  bench.device.start();
  expect(bench.receive(0, announced("a"))).toEqual([]);
  expect(bench.device.neighbours).toBeUndefined();
  expect(Object.keys(bench.saved() as SwitchState)).toEqual(["macs"]);
});

test("a long interval has the longest time to live that a frame can carry", () => {
  const { bench } = makePair({ interval: 3600, hold: 100 });
  expect(decodeLldp(bench.frames[0]!.frame, 14)!.ttl).toBe(65_535);
});
