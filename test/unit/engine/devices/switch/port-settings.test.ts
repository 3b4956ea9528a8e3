/** Static addresses, ageing, isolated ports, storm control, mirrors and the MTU of a switch. */
import { AGEING_SECONDS } from "@wirelab/engine/devices/switch/index";
import { BROADCAST_MAC } from "@wirelab/engine/wire/mac";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  access,
  accessPorts,
  frameTo,
  portsOf,
  SwitchBench,
  tagged,
  trunk,
} from "../../../../helpers/engine/switch-bench.ts";

const A = 0x0050_7966_6800;
const B = 0x0050_7966_6801;
const GROUP = 0x0100_5e01_0203;
const LLDP = 0x0180_c200_000e;

test("a switch without these settings keeps the state that it had before them", () => {
  const bench = new SwitchBench(accessPorts(3));
  bench.receive(0, frameTo(BROADCAST_MAC, A));
  expect(Object.keys(bench.saved())).toEqual(["macs"]);
});

describe("static addresses", () => {
  const macs = [{ mac: "00:50:79:66:68:00", port: 2 }];

  test("a frame to one goes to its port alone, though it has sent nothing", () => {
    const bench = new SwitchBench(accessPorts(3), { static_macs: macs });
    expect(portsOf(bench.receive(0, frameTo(A, B)))).toEqual([2]);
  });

  test("they do not move, age or go with the link, and are not part of the state", () => {
    const bench = new SwitchBench(accessPorts(3), { static_macs: macs });
    bench.receive(1, frameTo(BROADCAST_MAC, A));
    bench.device.linkChanged(2, false);
    bench.bench.run(2 * AGEING_SECONDS * 1_000_000);
    expect(portsOf(bench.receive(0, frameTo(A, B)))).toEqual([2]);
    expect(bench.saved().macs.map(([, mac]) => mac)).toEqual([B]);
  });

  test("one replaces what an earlier run learned", () => {
    const before = new SwitchBench(accessPorts(3));
    before.receive(1, frameTo(BROADCAST_MAC, A));
    const bench = new SwitchBench(accessPorts(3), { static_macs: macs }, before.saved());
    expect(portsOf(bench.receive(0, frameTo(A, B)))).toEqual([2]);
  });

  test("an entry holds in its VLAN only", () => {
    const entry = { mac: "00:50:79:66:68:00", vlan: 20, port: 2 };
    const bench = new SwitchBench([trunk(), access(20), trunk(), access(1)], { static_macs: [entry] });
    expect(portsOf(bench.receive(0, tagged(frameTo(A, B), 20)))).toEqual([2]);
    expect(portsOf(bench.receive(0, frameTo(A, B)))).toEqual([2, 3]);
  });
});

test("an address expires after the ageing time", () => {
  const bench = new SwitchBench(accessPorts(3), { ageing_time: 10 });
  bench.receive(0, frameTo(BROADCAST_MAC, A));
  bench.bench.run(9_000_000);
  expect(portsOf(bench.receive(1, frameTo(A, B)))).toEqual([0]);
  bench.bench.run(10_000_010);
  expect(portsOf(bench.receive(1, frameTo(A, B)))).toEqual([0, 2]);
});

describe("isolated ports", () => {
  const isolated_ports = [0, 1];

  test("their broadcasts reach the other ports, and those of the other ports reach them", () => {
    const bench = new SwitchBench(accessPorts(4), { isolated_ports });
    expect(portsOf(bench.receive(0, frameTo(BROADCAST_MAC, A)))).toEqual([2, 3]);
    expect(portsOf(bench.receive(2, frameTo(BROADCAST_MAC, B)))).toEqual([0, 1, 3]);
  });

  test("a frame from one to another is discarded with the reason", () => {
    const bench = new SwitchBench(accessPorts(4), { isolated_ports });
    bench.receive(0, frameTo(BROADCAST_MAC, A));
    expect(bench.receive(1, frameTo(A, B))).toEqual([]);
    expect(bench.discarded).toEqual(["ports 1 and 0 are isolated from each other"]);
    expect(portsOf(bench.receive(3, frameTo(A, 5)))).toEqual([0]);
  });
});

describe("storm control", () => {
  const storm_control = { 0: { broadcast: 3, multicast: 2, unknown_unicast: 1 } };
  const kinds = [
    [BROADCAST_MAC, "broadcast", 3],
    [GROUP, "multicast", 2],
    [B, "unknown_unicast", 1],
  ] as const;

  test.each(kinds)(
    "to %i, %s: %i packets at once pass, and that many each further second",
    (target, kind, limit) => {
      const bench = new SwitchBench(accessPorts(2), { storm_control });
      const burst = (): number =>
        Array.from({ length: 10 }, () => bench.receive(0, frameTo(target, A))).flat().length;
      expect(burst()).toBe(limit);
      bench.bench.run(1_000_100);
      expect(burst()).toBe(limit);
      const report = bench.device.storm!.find((each) => each.kind === kind);
      expect(report).toEqual({ port: 0, kind, limit, drops: 2 * (10 - limit) });
      expect(bench.discarded[0]).toContain(`more ${kind.replace("_", " ")} packets`);
    },
  );

  test("other ports, other kinds and known targets are not limited", () => {
    const bench = new SwitchBench(accessPorts(2), { storm_control: { 0: { broadcast: 1 } } });
    bench.receive(1, frameTo(BROADCAST_MAC, B));
    const pass = (port: number, target: number, source: number): number =>
      Array.from({ length: 5 }, () => bench.receive(port, frameTo(target, source))).flat().length;
    expect([pass(1, BROADCAST_MAC, B), pass(0, GROUP, A), pass(0, B, A)]).toEqual([5, 5, 5]);
    expect(pass(0, BROADCAST_MAC, A)).toBe(1);
  });

  test("credit and drops continue in the next run", () => {
    const before = new SwitchBench(accessPorts(2), { storm_control });
    for (let count = 0; count < 5; count++) before.receive(0, frameTo(BROADCAST_MAC, A));
    const bench = new SwitchBench(accessPorts(2), { storm_control }, before.saved());
    expect(bench.receive(0, frameTo(BROADCAST_MAC, A))).toEqual([]);
    expect(bench.device.storm![0]).toEqual({ port: 0, kind: "broadcast", limit: 3, drops: 3 });
  });

  test("no second has more than twice the limit, whatever the times", () => {
    const waits = fc.array(fc.nat({ max: 400_000 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), waits, (limit, steps) => {
        const bench = new SwitchBench(accessPorts(2), { storm_control: { 0: { broadcast: limit } } });
        const passed: number[] = [];
        for (const waitUs of steps) {
          bench.bench.run(bench.bench.nowUs + waitUs);
          if (bench.receive(0, frameTo(BROADCAST_MAC, A)).length > 0) passed.push(bench.bench.nowUs);
        }
        for (const from of passed)
          expect(passed.filter((at) => at >= from && at < from + 1_000_000).length).toBeLessThanOrEqual(
            2 * limit,
          );
      }),
    );
  });
});

describe("a mirror", () => {
  const mirror = (sources: object) => ({ mirror: { destination: 3, sources } });

  test.each([
    ["rx", [0, 2, 3], [1, 2]],
    ["tx", [0, 2], [1, 2, 3]],
    ["both", [0, 2, 3], [1, 2, 3]],
  ] as const)("%s of a port", (direction, received, sent) => {
    const bench = new SwitchBench(accessPorts(4), mirror({ 1: direction }));
    expect(portsOf(bench.receive(1, frameTo(BROADCAST_MAC, A))).toSorted()).toEqual(received);
    expect(portsOf(bench.receive(0, frameTo(BROADCAST_MAC, B))).toSorted()).toEqual(sent);
  });

  test("copies are as on the wire of the source, tagged and frames for the switch itself included", () => {
    const bench = new SwitchBench([access(20), trunk(), access(1), access(1)], mirror({ 1: "both" }));
    const [, copy] = bench.receive(0, frameTo(BROADCAST_MAC, A));
    expect(copy).toEqual({ port: 3, frame: tagged(frameTo(BROADCAST_MAC, A), 20) });
    expect(bench.receive(1, frameTo(LLDP, B))).toEqual([{ port: 3, frame: frameTo(LLDP, B) }]);
  });

  test("the destination sends nothing else, and takes nothing", () => {
    const bench = new SwitchBench(accessPorts(4), mirror({ 1: "rx" }));
    expect(portsOf(bench.receive(0, frameTo(BROADCAST_MAC, A)))).toEqual([1, 2]);
    expect(bench.receive(3, frameTo(BROADCAST_MAC, B))).toEqual([]);
    expect(bench.discarded).toEqual(["port 3 is the destination of a mirror"]);
    expect(bench.saved().macs.map(([, mac]) => mac)).toEqual([A]);
  });

  test("BPDUs of a source are copied, and the destination is no port of the tree", () => {
    const bench = new SwitchBench(accessPorts(4), { ...mirror({ 1: "tx" }), rstp: true });
    bench.device.start();
    bench.bench.run(10);
    expect(portsOf(bench.bench.frames).toSorted()).toEqual([0, 1, 2, 3]);
    const [copy, sent] = [3, 1].map((port) => bench.bench.frames.find((each) => each.port === port)!.frame);
    expect(copy).toEqual(sent);
    expect(bench.device.rstp!.ports.map(({ port }) => port)).toEqual([0, 1, 2]);
  });
});

test("frames whose packet is larger than the MTU are dropped with the reason; tags do not count", () => {
  const bench = new SwitchBench([trunk(), trunk()], { mtu: 1500 });
  expect(portsOf(bench.receive(0, frameTo(BROADCAST_MAC, A, 1500)))).toEqual([1]);
  expect(portsOf(bench.receive(0, tagged(frameTo(BROADCAST_MAC, A, 1500), 7)))).toEqual([1]);
  expect(portsOf(bench.receive(0, tagged(tagged(frameTo(BROADCAST_MAC, A, 1500), 8), 7)))).toEqual([1]);
  expect(bench.receive(0, tagged(frameTo(BROADCAST_MAC, A, 1501), 7))).toEqual([]);
  expect(bench.discarded).toEqual(["its packet has 1501 bytes, more than the switch's MTU of 1500"]);
});
