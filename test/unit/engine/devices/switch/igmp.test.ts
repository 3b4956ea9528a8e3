/** IGMP snooping: members, routers, leaves, queriers and what is forwarded where. */

import { writeU16 } from "@wirelab/engine/base/bytes";
import { encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checksum } from "../../../../../packages/engine/base/checksum.ts";
import { decodeIgmp, encodeIgmpQuery } from "../../../../../packages/engine/wire/igmp.ts";
import { access, accessPorts, portsOf, SwitchBench, trunk } from "../../../../helpers/engine/switch-bench.ts";
import { Network } from "../../../../helpers/engine/switch-network.ts";
import { decodeFields, hasTshark } from "../../../../helpers/proof/tshark.ts";

const SECOND_US = 1_000_000;
const GROUP = 0xef01_0203;
const OTHER = 0xef01_0204;
const HOST = 0x0a00_0005;
const ROUTER = 0x0a00_0001;
const MAC = 0x0050_7966_6800;

const macOf = (group: number): number => 0x0100_5e00_0000 + (group & 0x7f_ffff);
const packet = (target: number, protocol: number, payload: Uint8Array, source = HOST): Uint8Array =>
  encodeEthernet(macOf(target), MAC, 0x0800, encodeIpv4({ source, target, protocol, id: 1 }, payload)[0]!);

/** Bytes with their checksum. */
function message(bytes: readonly number[]): Uint8Array {
  const made = Uint8Array.from(bytes);
  writeU16(made, 2, 0);
  writeU16(made, 2, checksum(made));
  return made;
}
const address = (group: number): number[] => [24, 16, 8, 0].map((shift) => (group >>> shift) & 255);
const old = (type: number, group: number): Uint8Array => message([type, 0, 0, 0, ...address(group)]);
const record = (type: number, group: number, ...sources: number[]): number[] => [
  type,
  0,
  0,
  sources.length,
  ...address(group),
  ...sources.flatMap(address),
];
const report3 = (...records: number[][]): Uint8Array =>
  packet(0xe000_0016, 2, message([0x22, 0, 0, 0, 0, 0, 0, records.length, ...records.flat()]));

const join = (group = GROUP): Uint8Array => packet(group, 2, old(0x16, group));
const leave = (group = GROUP): Uint8Array => packet(0xe000_0002, 2, old(0x17, group));
const query = (group = 0, source = ROUTER): Uint8Array =>
  encodeIgmpQuery({ version: 2, group, maxResponseUs: SECOND_US, address: source, interval: 125 }, MAC);
const data = (group = GROUP): Uint8Array => packet(group, 17, new Uint8Array(20));

/** Ports: members may be at 0, 1 and 2, a source at 3, a router at 4. */
const makeSwitch = (igmp_snooping: unknown = true, state?: ReturnType<SwitchBench["saved"]>): SwitchBench =>
  new SwitchBench(accessPorts(5), { igmp_snooping }, state);

/** Where a frame to the group goes from port 3. */
const reached = (bench: SwitchBench, group = GROUP): number[] => portsOf(bench.receive(3, data(group)));

describe("members", () => {
  test("frames to a group go to its members alone, and to none without one, with the reason", () => {
    const bench = makeSwitch();
    expect(reached(bench)).toEqual([]);
    expect(bench.discarded).toEqual(["no other port has a member of its group or a router"]);
    bench.receive(0, join());
    bench.receive(2, join());
    expect(reached(bench)).toEqual([0, 2]);
    expect(reached(bench, OTHER)).toEqual([]);
    expect(portsOf(bench.receive(0, data()))).toEqual([2]);
  });

  test("without the property, and with flood_unknown for groups without a member, frames go to all ports", () => {
    const plain = new SwitchBench(accessPorts(5));
    plain.receive(0, join());
    expect(reached(plain)).toEqual([0, 1, 2, 4]);
    expect(plain.device.igmp).toBeUndefined();
    expect(Object.keys(plain.saved())).toEqual(["macs"]);
    const bench = makeSwitch({ flood_unknown: true });
    expect(reached(bench)).toEqual([0, 1, 2, 4]);
    bench.receive(0, join());
    expect(reached(bench)).toEqual([0]);
  });

  test.each([
    ["version 1", packet(GROUP, 2, old(0x12, GROUP)), true],
    ["version 2", join(), true],
    ["mode is exclude", report3(record(2, GROUP)), true],
    ["change to exclude", report3(record(4, GROUP)), true],
    ["mode is include, with a source", report3(record(1, GROUP, HOST)), true],
    ["allow new sources", report3(record(5, GROUP, HOST)), true],
    ["allow none", report3(record(5, GROUP)), false],
    ["block old sources", report3(record(6, GROUP, HOST)), false],
    ["change to include, without a source", report3(record(3, GROUP)), false],
    ["a second record", report3(record(2, OTHER), record(2, GROUP)), true],
  ])("a report (%s) joins: %s", (_, frame, joins) => {
    const bench = makeSwitch();
    bench.receive(1, frame as Uint8Array);
    expect(reached(bench)).toEqual(joins ? [1] : []);
  });

  test("a member that is silent is forgotten after 260 s, and one that reports again is not", () => {
    const bench = makeSwitch();
    bench.receive(0, join());
    bench.receive(1, join());
    bench.bench.run(200 * SECOND_US);
    bench.receive(1, join());
    bench.bench.run(259 * SECOND_US);
    expect(reached(bench)).toEqual([0, 1]);
    bench.bench.run(261 * SECOND_US);
    expect(reached(bench)).toEqual([1]);
    expect(bench.device.igmp!.groups).toEqual([
      { vlan: 1, group: "239.1.2.3", ports: [{ port: 1, seconds: expect.closeTo(199, 0) }] },
    ]);
  });

  test("groups are those of a VLAN", () => {
    const bench = new SwitchBench([access(10), access(20), access(10), access(20), trunk(1)], {
      igmp_snooping: true,
    });
    bench.receive(0, join());
    bench.receive(1, join());
    expect(portsOf(bench.receive(3, data()))).toEqual([1]);
  });

  test("224.0.0.x and groups of other protocols than IPv4 go to all ports", () => {
    const bench = makeSwitch();
    expect(reached(bench, 0xe000_0005)).toEqual([0, 1, 2, 4]);
    const six = encodeEthernet(0x3333_0000_0001, MAC, 0x86dd, new Uint8Array(46));
    expect(portsOf(bench.receive(3, six))).toEqual([0, 1, 2, 4]);
  });

  test("members whose link is gone are forgotten", () => {
    const bench = makeSwitch();
    bench.receive(0, join());
    bench.device.linkChanged(0, false);
    expect(reached(bench)).toEqual([]);
  });
});

describe("routers", () => {
  test("a port from which a query comes gets reports, leaves and all groups; queries go everywhere", () => {
    const bench = makeSwitch();
    expect(portsOf(bench.receive(4, query()))).toEqual([0, 1, 2, 3]);
    expect(portsOf(bench.receive(0, join()))).toEqual([4]);
    expect(portsOf(bench.receive(0, leave()))).toEqual([4]);
    expect(reached(bench, OTHER)).toEqual([4]);
    expect(reached(bench)).toEqual([0, 4]);
    expect(bench.device.igmp).toMatchObject({
      router_ports: [{ vlan: 1, port: 4, seconds: expect.closeTo(255, 0) }],
      queriers: [{ vlan: 1, address: "10.0.0.1", is_own: false }],
    });
    bench.bench.run(256 * SECOND_US);
    expect(reached(bench, OTHER)).toEqual([]);
    expect(bench.device.igmp!.queriers).toEqual([]);
  });

  test("a query from 0.0.0.0 is that of a switch, not of a router; a hello of PIM is that of a router", () => {
    const bench = makeSwitch();
    bench.receive(4, query(0, 0));
    expect(reached(bench)).toEqual([]);
    bench.receive(4, packet(0xe000_000d, 103, Uint8Array.of(0x20, 0, 0, 0)));
    expect(reached(bench)).toEqual([4]);
  });

  test("a port can be set to lead to a router", () => {
    const bench = makeSwitch({ router_ports: [4] });
    expect(reached(bench)).toEqual([4]);
    bench.receive(4, query());
    expect(bench.device.igmp!.router_ports).toEqual([{ vlan: 1, port: 4 }]);
  });

  test("after a query of one group, its members have twice the time that it states", () => {
    const bench = makeSwitch();
    bench.receive(0, join());
    bench.receive(1, join());
    bench.receive(4, query(GROUP));
    bench.receive(1, join());
    bench.bench.run(1.9 * SECOND_US);
    expect(reached(bench)).toEqual([0, 1, 4]);
    bench.bench.run(2.1 * SECOND_US);
    expect(reached(bench)).toEqual([1, 4]);
  });

  test("a leave changes nothing without a querier, and takes the port at once with fast_leave", () => {
    const bench = makeSwitch();
    bench.receive(0, join());
    bench.receive(0, leave());
    bench.bench.run(10 * SECOND_US);
    expect(reached(bench)).toEqual([0]);
    const fast = makeSwitch({ fast_leave: true });
    fast.receive(0, join());
    fast.receive(0, report3(record(3, GROUP)));
    expect(reached(fast)).toEqual([]);
  });
});

describe("the querier", () => {
  const querier = { address: "10.0.0.9", version: 2 };
  const started = (igmp_snooping: unknown, state?: ReturnType<SwitchBench["saved"]>): SwitchBench => {
    const bench = makeSwitch(igmp_snooping, state);
    bench.device.start();
    return bench;
  };
  const queryTimes = (bench: SwitchBench): number[] =>
    bench.bench.frames.filter(({ port }) => port === 0).map(({ atUs }) => atUs / SECOND_US);

  test("asks at once, after a quarter of the interval, then each interval", () => {
    const bench = started({ querier, interval: 40 });
    bench.bench.run(100 * SECOND_US);
    expect(queryTimes(bench)).toEqual([0, 10, 50, 90]);
    expect(bench.device.igmp!.queriers).toEqual([{ vlan: 1, address: "10.0.0.9", is_own: true }]);
  });

  test("asks each VLAN, with the tag of the VLAN on trunks", () => {
    const bench = new SwitchBench([access(10), access(20), trunk(1)], { igmp_snooping: { querier } });
    bench.device.start();
    expect(portsOf(bench.bench.frames).toSorted()).toEqual([0, 1, 2, 2, 2]);
  });

  test("yields to a lower address until that is silent, and not to a higher one", () => {
    const bench = started({ querier, interval: 40 });
    bench.bench.run(SECOND_US);
    bench.receive(4, query(0, 0x0a00_000a));
    expect(bench.device.igmp!.queriers).toMatchObject([{ is_own: true }]);
    bench.receive(4, query(0, ROUTER));
    expect(bench.device.igmp!.queriers).toEqual([{ vlan: 1, address: "10.0.0.1", is_own: false }]);
    const before = bench.bench.frames.length;
    bench.bench.run(85 * SECOND_US);
    expect(bench.bench.frames).toHaveLength(before);
    bench.bench.run(87 * SECOND_US);
    expect(bench.device.igmp!.queriers).toMatchObject([{ is_own: true }]);
    expect(bench.bench.frames.length).toBeGreaterThan(before);
  });

  test("asks twice for the last member of a group, at its port alone, and forgets it without an answer", () => {
    const bench = started({ querier });
    bench.receive(0, join());
    bench.receive(1, join());
    const before = bench.bench.frames.length;
    bench.receive(0, leave());
    bench.bench.run(bench.bench.nowUs + 1.9 * SECOND_US);
    const asked = bench.sentSince(before);
    expect(portsOf(asked)).toEqual([0, 0]);
    expect(decodeIgmp(asked[0]!.frame, 38, 46)).toEqual({
      kind: "query",
      group: GROUP,
      maxResponseUs: SECOND_US,
      keepsTimers: false,
    });
    expect(reached(bench)).toEqual([0, 1]);
    bench.bench.run(bench.bench.nowUs + 0.2 * SECOND_US);
    expect(reached(bench)).toEqual([1]);
  });

  test("members, routers and the time of the next query continue in the next run", () => {
    const before = started({ querier, interval: 40 });
    before.receive(0, join());
    before.receive(4, query(0, 0x0a00_00ff));
    before.bench.run(30 * SECOND_US);
    const after = started({ querier, interval: 40 }, before.saved());
    expect(after.device.igmp).toEqual(before.device.igmp);
    after.bench.run(30 * SECOND_US);
    expect(queryTimes(after)).toEqual([20]);
    expect(reached(after)).toEqual([0, 4]);
    const moved = new SwitchBench([access(2), ...accessPorts(4)], { igmp_snooping: true }, before.saved());
    expect(moved.device.igmp!.groups).toEqual([]);
  });
});

test("after a change of the tree, members are asked at once and found on their new way", () => {
  const snooping = { igmp_snooping: true };
  const network = new Network()
    .add("sw1", { priority: 0 }, [0, 1, 2], 3, snooping)
    .add("sw2", true, [0, 1, 2], 3, snooping)
    .cable(["sw1", 1], ["sw2", 1])
    .cable(["sw1", 2], ["sw2", 2])
    .start();
  network.run(60 * SECOND_US);
  const before = network.bench.frames.length;
  network.setCarrier(0, false);
  network.run(10_000);
  const asked = network.bench.frames
    .slice(before)
    .filter(({ frame }) => frame[12] === 8 && frame[23] === 2)
    .map(({ from, port }) => `${from}/${port}`);
  expect(asked).toContain("sw1/0");
  expect(asked).toContain("sw2/0");
});

describe("messages", () => {
  test("that are short, wrong or unknown are none", () => {
    const frame = (bytes: Uint8Array) => decodeIgmp(bytes, 0, bytes.length);
    expect(frame(old(0x16, GROUP))).toEqual({ kind: "report", joins: [GROUP], leaves: [] });
    expect(frame(old(0x16, GROUP).subarray(0, 7))).toBeUndefined();
    const wrong = old(0x16, GROUP);
    wrong[3]! ^= 1;
    expect(frame(wrong)).toBeUndefined();
    expect(frame(old(0x16, HOST))).toBeUndefined();
    expect(frame(old(0x11, HOST))).toBeUndefined();
    expect(frame(old(0x99, GROUP))).toBeUndefined();
    expect(frame(message([0x22, 0, 0, 0, 0, 0, 0, 2, ...record(2, GROUP)]))).toBeUndefined();
  });

  test.each([
    [[0x11, 0, 0, 0, 0, 0, 0, 0], 10, false],
    [[0x11, 20, 0, 0, 0, 0, 0, 0], 2, false],
    [[0x11, 200, 0, 0, 0, 0, 0, 0, 0, 125, 0, 0], 307.2, false],
    [[0x11, 20, 0, 0, ...address(GROUP), 8, 125, 0, 0], 2, true],
    [[0x11, 20, 0, 0, ...address(GROUP), 0, 125, 0, 1, ...address(HOST)], 2, true],
  ])("a query %j asks within %f s, and keeps the timers: %s", (bytes, seconds, keepsTimers) => {
    expect(decodeIgmp(message(bytes), 0, bytes.length)).toMatchObject({
      maxResponseUs: seconds * SECOND_US,
      keepsTimers,
    });
  });

  test("of any bytes harm nothing", () => {
    const bench = makeSwitch();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        if (bytes.length >= 4) {
          writeU16(bytes, 2, 0);
          writeU16(bytes, 2, checksum(bytes));
        }
        bench.receive(0, packet(GROUP, 2, bytes));
        decodeIgmp(bytes, 0, bytes.length);
      }),
    );
  });

  test.skipIf(!hasTshark)("tshark finds nothing wrong with our queries", () => {
    const frames = ([2, 3] as const).flatMap((version) =>
      [0, GROUP].map((group) => ({
        atUs: 0,
        frame: encodeIgmpQuery(
          { version, group, maxResponseUs: 10 * SECOND_US, address: ROUTER, interval: 125 },
          MAC,
        ),
      })),
    );
    const fields = [
      "igmp.version",
      "igmp.maddr",
      "igmp.checksum.status",
      "ip.checksum.status",
      "_ws.malformed",
    ];
    expect(decodeFields(frames as never, fields).map((row) => Object.values(row).join(" "))).toEqual(
      ["2 0.0.0.0", "2 239.1.2.3", "3 0.0.0.0", "3 239.1.2.3"].map((start) => expect.stringContaining(start)),
    );
    for (const row of decodeFields(frames as never, fields)) {
      expect(row["_ws.malformed"]).toBe("");
      expect(["1", "Good"]).toContain(row["igmp.checksum.status"]);
    }
  });
});
