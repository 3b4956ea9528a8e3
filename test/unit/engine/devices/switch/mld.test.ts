/** MLD snooping: what differs from IGMP (igmp.test.ts), which has the same tables, timers and querier. */
import { writeU16 } from "@wirelab/engine/base/bytes";
import { encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeIpv6 } from "@wirelab/engine/wire/ipv6";
import { linkLocalOf, parseIpv6 } from "@wirelab/engine/wire/ipv6-address";
import { ipv6MulticastMac } from "@wirelab/engine/wire/mac";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checksum, pseudoHeaderSum6 } from "../../../../../packages/engine/base/checksum.ts";
import { MLD } from "../../../../../packages/engine/net/bridge/mld/mld.ts";
import { Snooping } from "../../../../../packages/engine/net/bridge/multicast/snooping.ts";
import { decodeMld, encodeMldQuery } from "../../../../../packages/engine/wire/mld.ts";
import { access, accessPorts, portsOf, SwitchBench, trunk } from "../../../../helpers/engine/switch-bench.ts";
import { Network } from "../../../../helpers/engine/switch-network.ts";
import { decodeFields, hasTshark } from "../../../../helpers/proof/tshark.ts";

const SECOND_US = 1_000_000;
const ip = (text: string): bigint => parseIpv6(text)!;
const GROUP = ip("ff1e::1:2:3");
const OTHER = ip("ff1e::1:2:4");
const HOST = ip("fe80::5");
const ROUTER = ip("fe80::1");
const MAC = 0x0050_7966_6800;
const ALERT = [58, 0, 5, 2, 0, 0, 1, 0];

const packet = (target: bigint, nextHeader: number, payload: Uint8Array, source = HOST, hopLimit = 1) =>
  encodeEthernet(
    ipv6MulticastMac(target),
    MAC,
    0x86dd,
    encodeIpv6({ source, target, nextHeader, hopLimit }, payload),
  );

const address = (group: bigint): number[] =>
  Array.from({ length: 16 }, (_, index) => Number((group >> BigInt(8 * (15 - index))) & 0xffn));

/** A message behind the hop-by-hop options, with its checksum. */
function mld(target: bigint, bytes: readonly number[], source = HOST, options: readonly number[] = ALERT) {
  const frame = packet(target, 0, Uint8Array.of(...options, ...bytes), source);
  const at = 54 + options.length;
  writeU16(frame, at + 2, 0);
  writeU16(frame, at + 2, checksum(frame, at, frame.length, pseudoHeaderSum6(frame, 14, 58, bytes.length)));
  return frame;
}
const old = (type: number, group: bigint): number[] => [type, 0, 0, 0, 0, 0, 0, 0, ...address(group)];
const record = (type: number, group: bigint, ...sources: bigint[]): number[] => [
  type,
  0,
  0,
  sources.length,
  ...address(group),
  ...sources.flatMap(address),
];
const report2 = (...records: number[][]): Uint8Array =>
  mld(ip("ff02::16"), [143, 0, 0, 0, 0, 0, 0, records.length, ...records.flat()]);

const join = (group = GROUP, source = HOST): Uint8Array => mld(group, old(131, group), source);
const done = (group = GROUP): Uint8Array => mld(ip("ff02::2"), old(132, group));
const query = (group = 0n, source = ROUTER): Uint8Array =>
  encodeMldQuery({ version: 1, group, maxResponseUs: SECOND_US, address: source, interval: 125 }, MAC);
const data = (group = GROUP): Uint8Array => packet(group, 17, new Uint8Array(20), HOST, 9);

type State = ReturnType<SwitchBench["saved"]>;
/** Ports: members may be at 0, 1 and 2, a source at 3, a router at 4. */
const makeSwitch = (mld_snooping: unknown = true, state?: State): SwitchBench =>
  new SwitchBench(accessPorts(5), { mld_snooping }, state);
const reached = (bench: SwitchBench, group = GROUP): number[] => portsOf(bench.receive(3, data(group)));

describe("members of groups of IPv6", () => {
  test("get the frames to their group, and other ports do not", () => {
    const bench = makeSwitch();
    expect(reached(bench)).toEqual([]);
    expect(bench.discarded).toEqual(["no other port has a member of its group or a router"]);
    bench.receive(0, join());
    // A host reports from the unspecified address while it checks its own one.
    bench.receive(2, join(GROUP, 0n));
    expect(reached(bench)).toEqual([0, 2]);
    expect(reached(bench, OTHER)).toEqual([]);
    // Another group with the same MAC address.
    expect(reached(bench, ip("ff1e::9:2:3"))).toEqual([]);
  });

  test("are not looked for without the property, and with that of IPv4 alone", () => {
    for (const settings of [{}, { igmp_snooping: true }, { mld_snooping: false }]) {
      const bench = new SwitchBench(accessPorts(5), settings);
      bench.receive(0, join());
      expect(reached(bench)).toEqual([0, 1, 2, 4]);
      expect(bench.device.mld).toBeUndefined();
      expect(bench.saved()).not.toHaveProperty("mld");
    }
  });

  test("do not keep IPv4 from all ports", () => {
    const bench = makeSwitch();
    const four = encodeEthernet(0x0100_5e01_0203, MAC, 0x0800, new Uint8Array(46));
    expect(portsOf(bench.receive(3, four))).toEqual([0, 1, 2, 4]);
  });

  test.each([
    ["version 1", join(), true],
    ["mode is exclude", report2(record(2, GROUP)), true],
    ["change to exclude", report2(record(4, GROUP)), true],
    ["mode is include, with a source", report2(record(1, GROUP, HOST)), true],
    ["allow new sources", report2(record(5, GROUP, HOST)), true],
    ["block old sources", report2(record(6, GROUP, HOST)), false],
    ["change to include, without a source", report2(record(3, GROUP)), false],
    ["a second record", report2(record(2, OTHER, HOST), record(2, GROUP)), true],
  ])("a report (%s) joins: %s", (_, frame, joins) => {
    const bench = makeSwitch();
    bench.receive(1, frame as Uint8Array);
    expect(reached(bench)).toEqual(joins ? [1] : []);
  });

  test("are those of 2048 places at most", () => {
    const bench = makeSwitch();
    const nth = (index: number): bigint => ip("ff1e::") + BigInt(index);
    for (let index = 1; index <= 2_049; index++) bench.receive(0, join(nth(index)));
    expect(bench.saved()?.mld?.members).toHaveLength(2_048);
    expect([reached(bench, nth(2_048)), reached(bench, nth(2_049))]).toEqual([[0], []]);
    // A place that is known is renewed, and one that is given up is free.
    bench.receive(0, join(nth(1)));
    expect(reached(bench, nth(1))).toEqual([0]);
    bench.bench.run(261 * SECOND_US);
    expect(reached(bench, nth(1))).toEqual([]);
    bench.receive(0, join(nth(2_049)));
    expect(reached(bench, nth(2_049))).toEqual([0]);
  });

  test("are reported in the order of their ports", () => {
    const bench = makeSwitch();
    for (const port of [2, 0, 1]) bench.receive(port, join());
    expect(bench.device.mld!.groups[0]!.ports.map(({ port }) => port)).toEqual([0, 1, 2]);
  });

  test("are reported with the seconds that they have left", () => {
    const bench = makeSwitch();
    bench.receive(1, join());
    expect(bench.device.mld).toEqual({
      groups: [{ vlan: 1, group: "ff1e::1:2:3", ports: [{ port: 1, seconds: expect.closeTo(260, 0) }] }],
      router_ports: [],
      queriers: [],
    });
  });

  test.each(["ff02::1", "ff02::1:ff00:5", "ff02::fb", "ff01::1"])(
    "are not needed for %s, which goes to all ports",
    (group) => {
      expect(reached(makeSwitch(), ip(group))).toEqual([0, 1, 2, 4]);
    },
  );
});

describe("routers of IPv6", () => {
  test("are where queries of link-local addresses and hellos of PIM come from, and get all groups", () => {
    const bench = makeSwitch();
    bench.receive(4, query(0n, 0n));
    bench.receive(4, query(0n, ip("2001:db8::1")));
    expect(reached(bench)).toEqual([]);
    bench.receive(4, query());
    expect(portsOf(bench.receive(0, join()))).toEqual([4]);
    expect(portsOf(bench.receive(0, done()))).toEqual([4]);
    expect(reached(bench, OTHER)).toEqual([4]);
    expect(bench.device.mld).toMatchObject({
      router_ports: [{ vlan: 1, port: 4 }],
      queriers: [{ vlan: 1, address: "fe80::1", is_own: false }],
    });
    const other = makeSwitch();
    other.receive(4, packet(ip("ff02::d"), 103, Uint8Array.of(0x20, 0, 0, 0)));
    expect(reached(other)).toEqual([4]);
  });

  test("that ask for one group give its members twice the time that they state", () => {
    const bench = makeSwitch();
    bench.receive(0, join());
    bench.receive(4, query(GROUP));
    bench.bench.run(1.9 * SECOND_US);
    expect(reached(bench)).toEqual([0, 4]);
    bench.bench.run(2.1 * SECOND_US);
    expect(reached(bench)).toEqual([4]);
  });

  test("that ask other routers to keep their timers leave those of the members (RFC 3810, 5.1.7)", () => {
    const bench = makeSwitch();
    bench.receive(0, join());
    const flags = [8 + 2, 125, 0, 0];
    bench.receive(4, mld(GROUP, [130, 0, 0, 0, 3, 232, 0, 0, ...address(GROUP), ...flags], ROUTER));
    bench.bench.run(2.1 * SECOND_US);
    expect(reached(bench)).toEqual([0, 4]);
  });
});

describe("the querier of IPv6", () => {
  const started = (settings: unknown, state?: State): SwitchBench => {
    const bench = makeSwitch(settings, state);
    bench.device.start();
    return bench;
  };
  const asked = (bench: SwitchBench) => bench.bench.frames.filter(({ port }) => port === 0);

  test("asks from the link-local address of the switch, or the one that is set", () => {
    const own = started({ querier: {}, interval: 40 });
    own.bench.run(100 * SECOND_US);
    expect(asked(own).map(({ atUs }) => atUs / SECOND_US)).toEqual([0, 10, 50, 90]);
    const { frame } = asked(own)[0]!;
    const mac = [...frame.subarray(6, 12)].reduce((sum, byte) => sum * 256 + byte, 0);
    expect([...frame.subarray(22, 38)]).toEqual(address(linkLocalOf(mac)));
    expect(decodeMld(frame, 14, frame.length)).toEqual({
      kind: "query",
      group: 0n,
      maxResponseUs: 10 * SECOND_US,
      keepsTimers: false,
    });
    // The router alert of MLD (RFC 2711), and the robustness and interval (RFC 3810, 5.1.8 and 5.1.9).
    expect([...frame.subarray(54, 62)]).toEqual(ALERT);
    expect([...frame.subarray(86)]).toEqual([2, 40, 0, 0]);
    const set = started({ querier: { address: "fe80::9", version: 1 } });
    expect(set.device.mld!.queriers).toEqual([{ vlan: 1, address: "fe80::9", is_own: true }]);
    expect(asked(set)[0]!.frame).toHaveLength(86);
    expect(asked(own)[0]!.frame).toHaveLength(90);
  });

  test("asks each VLAN, yields to a lower address, and not to a higher one", () => {
    const tagged = new SwitchBench([access(10), access(20), trunk(1)], { mld_snooping: { querier: {} } });
    tagged.device.start();
    expect(portsOf(tagged.bench.frames).toSorted()).toEqual([0, 1, 2, 2, 2]);
    const bench = started({ querier: { address: "fe80::9" } });
    for (const other of ["fe80::a", "fe80::9"]) bench.receive(4, query(0n, ip(other)));
    expect(bench.device.mld!.queriers).toMatchObject([{ is_own: true }]);
    bench.receive(4, query());
    expect(bench.device.mld!.queriers).toEqual([{ vlan: 1, address: "fe80::1", is_own: false }]);
  });

  test("asks twice for the last member, and forgets it without an answer", () => {
    const bench = started({ querier: {} });
    bench.receive(0, join());
    bench.receive(1, join());
    bench.receive(0, done());
    bench.bench.run(bench.bench.nowUs + 1.9 * SECOND_US);
    const groups = asked(bench).map(({ frame }) => decodeMld(frame, 14, frame.length));
    expect(groups.filter((each) => each?.kind === "query" && each.group === GROUP)).toHaveLength(2);
    expect(reached(bench)).toEqual([0, 1]);
    bench.bench.run(bench.bench.nowUs + 0.2 * SECOND_US);
    expect(reached(bench)).toEqual([1]);
  });

  test("and members, routers and the next query continue in the next run", () => {
    const before = started({ querier: {}, interval: 40 });
    before.receive(0, join());
    before.receive(4, query(0n, ip("fe80:0:0:0:ffff::1")));
    before.receive(4, query());
    before.bench.run(30 * SECOND_US);
    const saved = JSON.parse(JSON.stringify(before.saved())) as State;
    expect(saved?.mld?.members).toEqual([[1, "ff1e::1:2:3", 0, expect.any(Number)]]);
    const after = started({ querier: {}, interval: 40 }, saved);
    expect(after.device.mld).toEqual(before.device.mld);
    expect(reached(after)).toEqual([0, 4]);
    const moved = new SwitchBench([access(2), ...accessPorts(4)], { mld_snooping: true }, saved);
    expect(moved.device.mld!.groups).toEqual([]);
  });
});

describe("a change of the tree", () => {
  const asks = (mld_snooping: unknown): string[] => {
    const network = new Network()
      .add("sw1", { priority: 0 }, [0, 1, 2], 3, { mld_snooping } as never)
      .add("sw2", true, [0, 1, 2], 3, { mld_snooping: true } as never)
      .cable(["sw1", 1], ["sw2", 1])
      .cable(["sw1", 2], ["sw2", 2])
      .start();
    network.run(60 * SECOND_US);
    const before = network.bench.frames.length;
    network.setCarrier(0, false);
    network.run(10_000);
    return network.bench.frames
      .slice(before)
      .filter(({ frame }) => frame[12] === 0x86)
      .map(({ from, port }) => `${from}/${port}`);
  };

  test("lets the querier ask at once, and no other switch: hosts ignore queries without an address", () => {
    expect(asks({ querier: {} }).filter((port) => port === "sw1/0")).toHaveLength(1);
    expect(asks(true)).toEqual([]);
  });

  test("at two ports at once forgets what is behind both, and asks each VLAN once", () => {
    const timers: (() => void)[] = [];
    const world = { nowUs: 0, after: (_us: number, work: () => void) => timers.push(work) };
    const asked: number[] = [];
    const snooping = new Snooping(
      MLD,
      {
        interval: 125,
        fast_leave: false,
        flood_unknown: false,
        router_ports: [],
        querier: { address: ROUTER, version: 2 },
      },
      {
        world: world as never,
        mac: MAC,
        vlans: [1, 2],
        carries: () => true,
        send: (vlan) => asked.push(vlan),
      },
    );
    for (const port of [0, 1, 2]) snooping.route(1, port, join());
    snooping.treeChanged(0);
    snooping.treeChanged(2);
    expect(snooping.route(1, 3, data())).toEqual([1]);
    for (const work of timers.splice(0)) work();
    expect(asked).toEqual([1, 2]);
    snooping.treeChanged(0);
    expect(timers).toHaveLength(1);
  });

  test("keeps the members of a switch that cannot ask", () => {
    const bench = new SwitchBench(accessPorts(5), { mld_snooping: true, rstp: true });
    bench.device.start();
    bench.bench.run(40 * SECOND_US);
    bench.receive(0, join());
    expect(reached(bench)).toEqual([0]);
    bench.device.linkChanged(1, false);
    bench.bench.run(50 * SECOND_US);
    expect(reached(bench)).toEqual([0]);
    bench.device.linkChanged(0, false);
    expect(reached(bench)).toEqual([]);
  });
});

describe("messages of MLD", () => {
  const decode = (frame: Uint8Array) => decodeMld(frame, 14, frame.length);

  test("that are short, wrong, unknown, or may come from another link are none", () => {
    expect(decode(join())).toEqual({ kind: "report", joins: [GROUP], leaves: [] });
    expect(decode(done())).toEqual({ kind: "report", joins: [], leaves: [GROUP] });
    for (let end = 14; end < join().length; end++) expect(decode(join().subarray(0, end))).toBeUndefined();
    expect(decode(join().with(80, 1))).toBeUndefined();
    expect(decode(join().with(21, 64))).toBeUndefined();
    expect(decode(join().with(20, 58))).toBeUndefined();
    expect(decode(mld(GROUP, old(131, HOST)))).toBeUndefined();
    expect(decode(mld(GROUP, old(130, HOST)))).toBeUndefined();
    expect(decode(mld(GROUP, old(140, GROUP)))).toBeUndefined();
    expect(decode(mld(GROUP, [143, 0, 0, 0, 0, 0, 0, 2, ...record(2, GROUP)]))).toBeUndefined();
    expect(decode(mld(GROUP, old(131, GROUP), HOST, [58, 0, 1, 4, 0, 0, 0, 0]))).toBeUndefined();
    expect(decode(mld(GROUP, old(131, GROUP), HOST, [58, 0, 0, 0, 5, 2, 0, 0]))).toBeDefined();
    expect(decode(mld(GROUP, old(131, GROUP), HOST, [58, 0, 0, 5, 2, 0, 0, 0]))).toBeDefined();
    const padded = [58, 1, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0, 5, 2, 0, 0];
    expect(decode(mld(GROUP, old(131, GROUP), HOST, padded))).toBeDefined();
  });

  test("of version 2 leave a group only where no source of it is left, and may have auxiliary data", () => {
    expect(decode(report2(record(3, GROUP)))).toEqual({ kind: "report", joins: [], leaves: [GROUP] });
    expect(decode(report2(record(6, GROUP, HOST)))).toEqual({ kind: "report", joins: [], leaves: [] });
    const auxiliary = [...record(2, GROUP).with(1, 1), 1, 2, 3, 4];
    const joins = { kind: "report", joins: [GROUP, OTHER], leaves: [] };
    expect(decode(report2(auxiliary, record(2, OTHER)))).toEqual(joins);
    // More data, or more sources, than the message has.
    expect(decode(report2(record(2, GROUP).with(1, 1)))).toBeUndefined();
    expect(decode(report2(record(2, GROUP).with(3, 1)))).toBeUndefined();
  });

  test.each([
    [[130, 0, 0, 0, 0x27, 0x10, 0, 0, ...address(0n)], 10, false],
    [[130, 0, 0, 0, 0x80, 0, 0, 0, ...address(0n), 2, 125, 0, 0], 32.768, false],
    [[130, 0, 0, 0, 0, 100, 0, 0, ...address(GROUP), 8, 125, 0, 0], 0.1, true],
    [[130, 0, 0, 0, 0, 100, 0, 0, ...address(GROUP), 0, 125, 0, 1, ...address(HOST)], 0.1, true],
  ])("as a query %j ask within %f s, and keep the timers: %s", (bytes, seconds, keepsTimers) => {
    expect(decode(mld(ip("ff02::1"), bytes, ROUTER))).toMatchObject({
      maxResponseUs: seconds * SECOND_US,
      keepsTimers,
    });
  });

  test("of any bytes harm nothing", () => {
    const bench = makeSwitch();
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 4, maxLength: 90 }), fc.boolean(), (bytes, isWhole) => {
        const frame = isWhole ? mld(GROUP, [...bytes]) : packet(GROUP, 0, bytes);
        bench.receive(0, frame);
        decode(frame);
      }),
    );
  });

  test.skipIf(!hasTshark)("of ours have nothing wrong for tshark", () => {
    const frames = ([1, 2] as const).flatMap((version) =>
      [0n, GROUP].map((group) => ({
        atUs: 0,
        frame: encodeMldQuery(
          { version, group, maxResponseUs: 10 * SECOND_US, address: ROUTER, interval: 125 },
          MAC,
        ),
      })),
    );
    const fields = [
      "icmpv6.type",
      "icmpv6.mld.multicast_address",
      "icmpv6.mld.maximum_response_delay",
      "icmpv6.checksum.status",
      "_ws.malformed",
    ];
    const rows = decodeFields(frames as never, fields);
    expect(rows.map((row) => [row["icmpv6.type"], row["icmpv6.mld.multicast_address"]])).toEqual([
      ["130", "::"],
      ["130", "ff1e::1:2:3"],
      ["130", "::"],
      ["130", "ff1e::1:2:3"],
    ]);
    for (const row of rows) {
      expect(row["_ws.malformed"]).toBe("");
      expect(["1", "Good"]).toContain(row["icmpv6.checksum.status"]);
    }
  });
});
