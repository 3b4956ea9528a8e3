/** Spanning trees of several switches: roles, times, guards, old bridges, and trees after any order of failures. */

import { parseSwitch } from "@wirelab/engine/net/bridge/settings/parse";
import { encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { BROADCAST_MAC } from "@wirelab/engine/wire/mac";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Hub } from "../../../../../packages/engine/devices/hub/index.ts";
import { type Bpdu, decodeBpdu, encodeBpdu } from "../../../../../packages/engine/net/bridge/rstp/bpdu.ts";
import { accessPorts } from "../../../../helpers/engine/switch-bench.ts";
import { type End, groups, Network } from "../../../../helpers/engine/switch-network.ts";

const SECOND_US = 1_000_000;
/** `max_age` and `forward_delay` twice: more than any protocol of the standard waits. */
const LONG_US = 60 * SECOND_US;

/** A root sw1, and two switches below it that are also joined. */
const triangle = (settings: Readonly<Record<string, object>> = {}): Network =>
  new Network()
    .add("sw1", { priority: 4096, ...settings.sw1 }, [0, 1, 2])
    .add("sw2", { priority: 8192, ...settings.sw2 }, [0, 1])
    .add("sw3", { ...settings.sw3 }, [0, 1])
    .cable(["sw1", 1], ["sw2", 0])
    .cable(["sw1", 2], ["sw3", 0])
    .cable(["sw2", 1], ["sw3", 1]);

test("the lowest identifier is the root, and one port of a loop discards", () => {
  const network = triangle().start();
  network.bench.run();
  expect(network.switches.get("sw3")!.rstp).toMatchObject({
    root: network.switches.get("sw1")!.rstp!.bridge,
    root_path_cost: 20_000,
    root_port: 0,
  });
  expect(network.roles("sw1")).toEqual({
    0: "designated forwarding",
    1: "designated forwarding",
    2: "designated forwarding",
  });
  expect(network.roles("sw2")).toEqual({ 0: "root forwarding", 1: "designated forwarding" });
  expect(network.roles("sw3")).toEqual({ 0: "root forwarding", 1: "alternate discarding" });
});

test("proposals and agreements open the ports between switches at once; a port to hosts waits three seconds", () => {
  const network = triangle().start();
  network.run(1_000);
  expect(network.roles("sw2")).toMatchObject({ 0: "root forwarding" });
  expect(network.roles("sw1")).toMatchObject({ 0: "designated discarding", 1: "designated forwarding" });
  network.run(3 * SECOND_US - 2_000);
  expect(network.roles("sw1")[0]).toBe("designated discarding");
  network.run(2_000);
  expect(network.roles("sw1")[0]).toBe("designated forwarding");
  expect(network.switches.get("sw1")!.rstp!.ports[0]).toMatchObject({ is_edge: true });
});

test.each([
  [{ edge: true }, "designated forwarding", 1_000],
  // Max Age before it learns, then a hello time before it forwards.
  [{ edge: false }, "designated discarding", 19.9 * SECOND_US],
  [{ edge: false }, "designated learning", 21.9 * SECOND_US],
  [{ edge: false }, "designated forwarding", 22.1 * SECOND_US],
])("a port with %j is %s after %i us", (port, role, us) => {
  const network = triangle({ sw1: { ports: { 0: port } } }).start();
  network.run(us);
  expect(network.roles("sw1")[0]).toBe(role);
});

test("cost, bridge priority and port priority decide the roles, in this order", () => {
  const costly = triangle({ sw3: { ports: { 0: { cost: 50_000 } } } }).start();
  costly.run(LONG_US);
  expect(costly.roles("sw3")).toEqual({ 0: "alternate discarding", 1: "root forwarding" });

  const twin = (priority: number): Network =>
    new Network()
      .add("sw1", { priority: 0, ports: { 1: { priority } } }, [0, 1])
      .add("sw2", true, [0, 1])
      .cable(["sw1", 0], ["sw2", 0])
      .cable(["sw1", 1], ["sw2", 1])
      .start();
  const equal = twin(128);
  equal.run(LONG_US);
  expect(equal.roles("sw2")).toEqual({ 0: "root forwarding", 1: "alternate discarding" });
  const preferred = twin(112);
  preferred.run(LONG_US);
  expect(preferred.roles("sw2")).toEqual({ 0: "alternate discarding", 1: "root forwarding" });
});

test("two ports of one switch at a hub: one is a backup", () => {
  const network = new Network()
    .add("sw1", { priority: 0 }, [0])
    .add("sw2", true, [0, 1, 2])
    .cable(["sw1", 0], ["sw2", 0])
    .cable(["sw2", 1], ["hub", 0])
    .cable(["sw2", 2], ["hub", 1]);
  network.bench.add("hub", (world) => new Hub({ type: "ethernet_hub", name: "hub", ports: 2 }, world));
  network.start().run(LONG_US);
  expect(network.roles("sw2")).toEqual({
    0: "root forwarding",
    1: "designated forwarding",
    2: "backup discarding",
  });
});

test("a pulled cable of the root port moves the traffic within a millisecond, and back when it is plugged in", () => {
  const network = triangle().start();
  network.run(LONG_US);
  network.setCarrier(1, false);
  network.run(1_000);
  expect(network.roles("sw3")).toEqual({ 0: "disabled discarding", 1: "root forwarding" });
  network.setCarrier(1, true);
  network.run(SECOND_US);
  expect(network.roles("sw3")).toEqual({ 0: "root forwarding", 1: "alternate discarding" });
});

test("a root that is silent is replaced after three hello times", () => {
  const network = triangle().start();
  network.run(LONG_US);
  // Its cables keep their carrier, as those of a switch whose processor hangs.
  network.silence("sw1");
  network.run(3 * SECOND_US);
  expect(network.roles("sw2")[0]).toBe("root forwarding");
  network.run(4 * SECOND_US);
  expect(network.switches.get("sw3")!.rstp!.root).toBe(network.switches.get("sw2")!.rstp!.bridge);
  expect(network.roles("sw3")[1]).toBe("root forwarding");
});

test("addresses are forgotten where the tree has changed", () => {
  const network = triangle().start();
  network.run(LONG_US);
  const host = 0x0050_7966_6800;
  network.bench.inject("sw1", 0, encodeEthernet(BROADCAST_MAC, host, 0x0800, new Uint8Array(46)));
  network.run(1_000);
  expect(network.switches.get("sw3")!.saveState().macs).toEqual([[1, host, 0, expect.any(Number)]]);
  network.setCarrier(1, false);
  network.run(1_000);
  expect(network.switches.get("sw3")!.saveState().macs).toEqual([]);
  expect(network.switches.get("sw2")!.saveState().macs).toEqual([]);
});

test("frames do not pass a port that discards, and the reason is reported", () => {
  const network = triangle().start();
  network.run(LONG_US);
  const before = network.bench.frames.length;
  network.bench.inject("sw3", 1, encodeEthernet(BROADCAST_MAC, 5, 0x0800, new Uint8Array(46)));
  network.run(1_000);
  expect(network.bench.frames.slice(before)).toEqual([]);
  expect(network.switches.get("sw3")!.saveState().macs).toEqual([]);
});

describe("guards", () => {
  test("a BPDU turns a port with bpdu_guard off, until its link has been down", () => {
    const network = triangle({ sw1: { ports: { 1: { bpdu_guard: true } } } }).start();
    network.run(1_000);
    const port = () => network.switches.get("sw1")!.rstp!.ports.find((each) => each.port === 1)!;
    expect(port()).toMatchObject({ role: "disabled", is_shut: true });
    network.restore("sw1");
    expect(port()).toMatchObject({ role: "disabled", is_shut: true });
    network.setCarrier(0, false);
    network.setCarrier(0, true);
    expect(port()).toMatchObject({ is_shut: false });
  });

  test("a port with root_guard becomes an alternate port when a better root is behind it", () => {
    const network = triangle({ sw1: { ports: { 2: { root_guard: true } } }, sw3: { priority: 0 } }).start();
    network.run(LONG_US);
    expect(network.roles("sw1")[2]).toBe("alternate discarding");
  });
});

describe("the protocol before RSTP", () => {
  test("a bridge that speaks it gets its messages, waits as it does, and is left when it speaks RSTP", () => {
    const network = triangle({ sw3: { mode: "stp" } }).start();
    // A bridge sends RSTP for its first three seconds, so that a port finds out what is there.
    network.run(LONG_US);
    const { ports } = network.switches.get("sw1")!.rstp!;
    expect(ports.map(({ port, protocol }) => [port, protocol])).toEqual([
      [0, "rstp"],
      [1, "rstp"],
      [2, "stp"],
    ]);
    expect(network.roles("sw3")).toEqual({ 0: "root forwarding", 1: "alternate discarding" });
  });

  test("a change is reported to the root, which answers and announces it", () => {
    const network = new Network()
      .add("sw1", { priority: 0, mode: "stp" }, [0])
      .add("sw2", { mode: "stp" }, [0, 1])
      .add("sw3", { mode: "stp" }, [0])
      .cable(["sw1", 0], ["sw2", 0])
      .cable(["sw2", 1], ["sw3", 0])
      .start();
    network.run(2 * LONG_US);
    const before = network.bench.frames.length;
    network.setCarrier(1, false);
    network.setCarrier(1, true);
    network.run(LONG_US);
    const sent = network.bench.frames.slice(before).map(({ from, port, frame }) => ({
      place: `${from}/${port}`,
      bpdu: decodeBpdu(frame),
    }));
    expect(sent.some(({ place, bpdu }) => place === "sw2/0" && bpdu?.kind === "tcn")).toBe(true);
    const announced = sent.filter(
      ({ place, bpdu }) => place === "sw1/0" && bpdu?.kind === "config" && bpdu.topologyChange,
    );
    expect(announced.length).toBeGreaterThan(0);
    expect(announced.some(({ bpdu }) => bpdu?.kind === "config" && bpdu.topologyChangeAck)).toBe(true);
  });
});

test("any order of cables pulled and plugged in ends in a tree that joins what can be joined, restored or not", () => {
  const nat = (max: number) => fc.nat({ max });
  const step = fc.record({ cable: nat(7), isUp: fc.boolean(), waitUs: nat(3 * SECOND_US), restore: nat(9) });
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 5 }),
      fc.array(fc.tuple(nat(4), nat(4)), { minLength: 1, maxLength: 8 }),
      fc.array(nat(15), { minLength: 5, maxLength: 5 }),
      fc.array(step, { maxLength: 8 }),
      (count, pairs, priorities, steps) => {
        const names = Array.from({ length: count }, (_, index) => `sw${index}`);
        const used = names.map(() => 0);
        const ends = pairs
          .map(([a, b]) => [a % count, b % count] as const)
          .filter(([a, b]) => a !== b)
          .map(([a, b]): [End, End] => [
            [names[a]!, used[a]!++],
            [names[b]!, used[b]!++],
          ]);
        const network = new Network();
        for (const [index, name] of names.entries()) {
          const wired = Array.from({ length: used[index]! }, (_, port) => port);
          network.add(name, { priority: priorities[index]! * 4096 }, wired);
        }
        for (const [one, other] of ends) network.cable(one, other);
        network.start();
        const up = ends.map(() => true);
        for (const { cable, isUp, waitUs, restore } of steps) {
          if (cable >= ends.length) continue;
          network.setCarrier(cable, isUp);
          up[cable] = isUp;
          network.run(waitUs);
          if (restore < count) network.restore(names[restore]!);
        }
        network.run(LONG_US);
        const joined = network.cables.filter((_, index) => up[index]);
        const open = joined.filter((ends) =>
          ends.every(([name, port]) => network.roles(name)[port]!.endsWith("forwarding")),
        );
        // As many cables as a forest with these groups has: connected, and without a loop.
        expect(groups(names, open)).toBe(groups(names, joined));
        expect(open.length).toBe(names.length - groups(names, joined));
      },
    ),
  );
});

test("a BPDU is read as it was written, and a truncated one is none", () => {
  const sent: Bpdu = {
    kind: "rst",
    vector: {
      root: { priority: 4096, mac: 0x0200_0000_0100 },
      cost: 123_456,
      bridge: { priority: 32_768, mac: 0x0200_0000_0200 },
      port: 0x8003,
    },
    times: { messageAge: 1.5, maxAge: 20, helloTime: 2, forwardDelay: 15 },
    role: "root",
    topologyChange: true,
    topologyChangeAck: false,
    proposal: false,
    agreement: true,
    learning: true,
    forwarding: false,
  };
  const frame = encodeBpdu(sent, 0x0200_0000_0201);
  expect(decodeBpdu(frame)).toEqual(sent);
  for (let length = 0; length < 53; length++) expect(decodeBpdu(frame.subarray(0, length))).toBeUndefined();
});

test.each([
  ["yes", [], "must be true, false or an object"],
  [{ priority: 100 }, ["priority"], "must be a multiple of 4096, not 100"],
  [{ mode: "mstp" }, ["mode"], "must be rstp or stp"],
  [{ max_age: 40 }, ["max_age"], "must be at most 2 x (forward_delay - 1), which is 28"],
  [{ max_age: 6, hello_time: 3 }, ["hello_time"], "must be 1 to 2, not 3"],
  [{ ports: { 9: {} } }, ["ports", "9"], "is not a port of the switch, which has ports 0 to 7"],
  [{ ports: [] }, ["ports"], "must be an object whose keys are numbers of ports"],
  [{ ports: { 1: { edge: "yes" } } }, ["ports", "1", "edge"], "must be true, false or auto"],
  [{ ports: { 1: { cost: 0 } } }, ["ports", "1", "cost"], "must be 1 to 200000000, not 0"],
])("%j is refused at %j: %s", (input, path, message) => {
  const ports = accessPorts(8);
  const parsed = parseSwitch({ rstp: input }, { name: "sw", ports, portNames: [] });
  expect(parsed).toEqual({ ok: false, problems: [{ path: ["rstp", ...path], message }] });
});
