import type { RouterState } from "@wirelab/engine/devices/router/index";
import { encodeEcho, encodeIcmp } from "@wirelab/engine/wire/icmp";
import { encodeIcmpv6 } from "@wirelab/engine/wire/icmpv6";
import { encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { writeIpv6 } from "@wirelab/engine/wire/ipv6-address";
import { encodeUdp } from "@wirelab/engine/wire/udp";
import { describe, expect, it } from "vitest";
import { CONNECTION_LIMITS } from "../../../../../../packages/engine/devices/router/services/firewall/connection-limits.ts";
import { makeConnection } from "../../../../../../packages/engine/devices/router/services/firewall/connections.ts";
import {
  fromSaved6,
  toSaved6,
} from "../../../../../../packages/engine/devices/router/services/firewall/saved-connections.ts";
import { inverse } from "../../../../../../packages/engine/devices/router/services/firewall/tuple.ts";
import { echo, type Flow, INSIDE, OUTSIDE, pass, tcp, turned, udp } from "../nat/packets.ts";
import { type Bed, bytes, ip, ip6, makeBed, ROUTER_MAC, say } from "../probe.ts";

const FLOW: Flow = { from: INSIDE, to: OUTSIDE, sourcePort: 4_000, targetPort: 53 };
const BACK = turned(FLOW);

/** Inside may begin connections; from outside, only what belongs to one may pass. */
const stateful = (connections: object = {}): Bed => makeBed(properties(connections));

const properties = (connections: object) => ({
  acls: [
    { name: "FROM-INSIDE", rules: ["permit ip any any state new,established,related"] },
    {
      name: "FROM-OUTSIDE",
      rules: [
        "permit ip any any state established,related",
        "deny ip any any state invalid",
        "deny ip any any",
      ],
    },
  ],
  ports: [
    { ipv4: "10.0.1.1/24", acl_in: "FROM-INSIDE" },
    { ipv4: "10.0.2.1/24", acl_in: "FROM-OUTSIDE" },
  ],
  connections,
});

type Packet = ReturnType<typeof udp>;
const goes = (bed: Bed, packet: Packet): boolean =>
  pass(bed, bed.a, bed.b, { to: OUTSIDE }, packet).length === 1;
const comes = (bed: Bed, packet: Packet): boolean =>
  pass(bed, bed.b, bed.a, { to: INSIDE }, packet).length === 1;

/** Plays segments: `> S` goes out, `< SA` comes in. @returns whether each passed. */
const play = (bed: Bed, segments: string): string =>
  segments
    .split(" ")
    .map((segment) => {
      const isOut = segment.startsWith(">");
      const flags = segment.slice(1);
      const passed = isOut ? goes(bed, tcp(FLOW, flags)) : comes(bed, tcp(BACK, flags));
      return passed ? "+" : "-";
    })
    .join("");

/** Lets time pass. */
const wait = ({ bench }: Bed, seconds: number): void => bench.run(bench.nowUs + seconds * 1_000_000);

describe("the state of connections", () => {
  it("lets responses pass, and nothing that was not asked for", () => {
    const bed = stateful();
    expect([comes(bed, udp(BACK)), goes(bed, udp(FLOW)), comes(bed, udp(BACK))]).toEqual([false, true, true]);
    expect(comes(bed, udp({ ...BACK, sourcePort: 54 }))).toBe(false);
  });

  it("of a query is that of its identifier", () => {
    const bed = stateful();
    expect([
      goes(bed, echo(5)),
      comes(bed, echo(5, true)),
      comes(bed, echo(6, true)),
      comes(bed, echo(5)),
    ]).toEqual([true, true, false, false]);
  });

  it.each([
    [">S <SA >A <A >A", "+++++", "open"],
    [">S >S", "++", "opening"],
    [">S <SA", "++", "answered"],
    [">S <SA >A >FA <A", "+++++", "closing"],
    [">S <SA >A >FA <FA >A", "++++++", "closed"],
    [">S <SA >A <R", "++++", "closed"],
    [">S <SA >A >R >A", "+++++", "closed"],
    [">S <SA >A <FA >FA >S", "++++++", "opening"],
  ])("of TCP after %s is kept: %s, %s", (segments, passed, phase) => {
    const bed = stateful();
    expect(play(bed, segments)).toBe(passed);
    expect(say(bed, "show connections")[1]).toMatch(
      new RegExp(`^tcp +10\\.0\\.1\\.10:4000 +10\\.0\\.2\\.10:53 +${phase} `),
    );
  });

  it.each([
    [">A", "-"],
    [">FA", "-"],
    [">R", "-"],
    [">SA", "-"],
    [">SF", "-"],
    [">F", "-"],
    ["<S", "-"],
    [">S <S >A", "++-"],
    [">S <S <SA >A", "++++"],
    [">S <S >SA <SA >A", "+++++"],
    // As Linux: both have sent SYN, and the reply direction is the first to acknowledge.
    [">S <S <SA <A >SA", "++++-"],
    [">S <S <SA >S <A >SA", "++++++"],
    [">S <SA <A >SA", "++++"],
    [">S >A", "+-"],
    [">S >SA", "+-"],
    [">S <FA", "+-"],
    [">S <SA >A <S", "+++-"],
    [">S <SA >A >SF", "+++-"],
    [">S <R <SA", "++-"],
  ])("of TCP: %s passes as %s", (segments, passed) => {
    expect(play(stateful(), segments)).toBe(passed);
  });

  it("is forgotten at once if a connection is refused", () => {
    const bed = stateful();
    play(bed, ">S <RA");
    expect(say(bed, "show connections")).toEqual(["0 of 1024 connections"]);
  });

  it("lets the errors about a connection pass", () => {
    const bed = stateful();
    const report = (flow: Flow): Packet => {
      const [protocol, payload] = udp(flow);
      const quote = encodeIpv4({ source: ip(flow.from), target: ip(flow.to), protocol }, payload)[0]!;
      return [1, encodeIcmp(3, 3, 0, quote)];
    };
    expect([comes(bed, report(FLOW)), goes(bed, udp(FLOW)), comes(bed, report(FLOW))]).toEqual([
      false,
      true,
      true,
    ]);
    expect(comes(bed, report({ ...FLOW, sourcePort: 4_001 }))).toBe(false);
    expect(comes(bed, [1, encodeIcmp(3, 3, 0, bytes(10))])).toBe(false);
  });

  it("covers the router's own packets", () => {
    const bed = stateful();
    const own = encodeEcho(1, 1, bytes(8));
    own[0] = 0;
    own[2]! += 8;
    const before = bed.bench.frames.length;
    say(bed, "ping 10.0.2.10 -c 1");
    expect(say(bed, "show connections")[1]).toMatch(/^icmp +10\.0\.2\.1:1 +10\.0\.2\.10 +unanswered/);
    bed.b.send4(ROUTER_MAC + 1, { target: ip("10.0.2.1"), protocol: 1 }, own);
    bed.bench.run();
    expect(bed.bench.frames.length).toBeGreaterThan(before);
    expect(say(bed, "show connections")[1]).toMatch(/ answered /);
  });

  it("covers datagrams in fragments", () => {
    const bed = stateful();
    expect(pass(bed, bed.a, bed.b, { to: OUTSIDE }, udp(FLOW, bytes(3_000))).length).toBe(3);
    expect(pass(bed, bed.b, bed.a, { to: INSIDE }, udp(BACK, bytes(3_000))).length).toBe(3);
    expect(
      pass(bed, bed.b, bed.a, { to: INSIDE }, udp({ ...BACK, targetPort: 1 }, bytes(3_000))).length,
    ).toBe(0);
  });

  it("is that of whole datagrams: a first fragment waits for the rest", () => {
    const bed = stateful();
    const [protocol, payload] = udp(FLOW);
    expect(
      pass(bed, bed.a, bed.b, { to: OUTSIDE, moreFragments: true }, [protocol, payload.subarray(0, 16)]),
    ).toEqual([]);
  });

  it("lasts from run to run", () => {
    const bed = stateful();
    play(bed, ">S <SA >A");
    goes(bed, udp(FLOW));
    const state = JSON.parse(JSON.stringify(bed.router.saveState())) as RouterState;
    const next = makeBed(properties({}), state);
    expect(next.router.saveState()).toEqual(state);
    expect([
      comes(next, tcp(BACK, "A")),
      comes(next, udp(BACK)),
      comes(next, udp({ ...BACK, targetPort: 1 })),
    ]).toEqual([true, true, false]);
  });

  it("is not in the state of a router whose rules do not ask for it", () => {
    const bed = makeBed({
      acls: [{ name: "L", rules: ["permit ip any any"] }],
      ports: [{ ipv4: "10.0.1.1/24", acl_in: "L" }, { ipv4: "10.0.2.1/24" }],
    });
    goes(bed, udp(FLOW));
    expect(Object.keys(bed.router.saveState().firewall!)).toEqual(["acls"]);
  });

  it("can be cleared", () => {
    const bed = stateful();
    goes(bed, udp(FLOW));
    expect(say(bed, "clear connections")).toEqual([]);
    expect(comes(bed, udp(BACK))).toBe(false);
  });
});

describe("the time that a connection lasts without a packet", () => {
  const open = (bed: Bed) => play(bed, ">S <SA >A");
  it.each([
    ["udp_seconds", (bed: Bed) => goes(bed, udp(FLOW)), udp(BACK)],
    ["icmp_seconds", (bed: Bed) => goes(bed, echo(1)), echo(1, true)],
    ["tcp_established_seconds", open, tcp(BACK, "A")],
    ["tcp_transitory_seconds", (bed: Bed) => play(bed, ">S"), tcp(BACK, "SA")],
    ["tcp_transitory_seconds", (bed: Bed) => play(bed, ">S <SA >A >FA"), tcp(BACK, "A")],
    ["tcp_transitory_seconds", (bed: Bed) => play(bed, ">S <SA >A <R"), tcp(BACK, "A")],
    ["other_seconds", (bed: Bed) => goes(bed, [47, bytes(8)]), [47, bytes(8)]],
  ] as const)("is %s", (key, begin, answer) => {
    const { usual: byDefault } = CONNECTION_LIMITS[key];
    for (const [seconds, connections] of [
      [byDefault, {}],
      [byDefault + 100, { [key]: byDefault + 100 }],
    ] as const) {
      for (const [late, passes] of [
        [-0.5, true],
        [0.5, false],
      ] as const) {
        const bed = stateful(connections);
        begin(bed);
        wait(bed, seconds + late);
        expect([seconds, late, comes(bed, answer as Packet)]).toEqual([seconds, late, passes]);
      }
    }
  });

  it("begins anew with each packet of either direction", () => {
    const bed = stateful();
    goes(bed, udp(FLOW));
    for (let round = 0; round < 3; round++) {
      wait(bed, 200);
      expect(comes(bed, udp(BACK))).toBe(true);
    }
  });

  it("defaults to what the RFCs demand at least: TCP 2 h 4 min, opening and closing 4 min, UDP 2 min, ICMP 60 s", () => {
    const mins = Object.fromEntries(
      Object.entries(CONNECTION_LIMITS).map(([key, { kind }]) => [key, kind.schema().minimum]),
    );
    expect(mins).toMatchObject({
      tcp_established_seconds: 7_440,
      tcp_transitory_seconds: 240,
      udp_seconds: 120,
      icmp_seconds: 60,
    });
  });
});

/** A node's item in the store has 400 KB, and the router keeps neighbours there, too. */
const MAX_STATE_BYTES = 250_000;

describe("the state of 1,024 connections", () => {
  const LIMIT = CONNECTION_LIMITS.limit.usual;
  const wide = (index: number) => ip6("ffff:ffff:ffff:ffff:ffff:ffff:ffff:0") + BigInt(index);

  it("takes at most 250 KB, with the longest addresses", () => {
    const tuple = (index: number) => ({
      protocol: 58,
      source: wide(index),
      sourcePort: 65_535,
      target: wide(index + LIMIT),
      targetPort: 65_664,
    });
    const saved = Array.from({ length: LIMIT }, (_, index) => {
      const original = tuple(index);
      const connection = {
        ...makeConnection(original, inverse(original)),
        isReplied: true,
        expiresUs: 1_999_999_999_999_999,
      };
      const row = toSaved6(connection);
      expect(fromSaved6(row)).toEqual(connection);
      return row;
    });
    expect(JSON.stringify(saved).length).toBeLessThan(MAX_STATE_BYTES);
  });
});

describe("the table of connections", () => {
  const flow = (sourcePort: number): Flow => ({ ...FLOW, sourcePort });

  it("drops what would begin one too many, until another expires", () => {
    const bed = stateful({ limit: 2 });
    expect([1, 2, 3].map((port) => goes(bed, udp(flow(port))))).toEqual([true, true, false]);
    expect(say(bed, "show counters")).toContain("Dropped, connection table full: 1");
    expect(say(bed, "show connections").at(-1)).toBe("2 of 2 connections");
    wait(bed, 301);
    expect(goes(bed, udp(flow(3)))).toBe(true);
    expect(say(bed, "show connections").at(-1)).toBe("1 of 2 connections");
  });

  it("lets connections pass that it has when it is full", () => {
    const bed = stateful({ limit: 1 });
    goes(bed, udp(flow(1)));
    goes(bed, udp(flow(2)));
    expect(comes(bed, udp(turned(flow(1))))).toBe(true);
  });

  it("has IPv4 and IPv6 together", () => {
    const rules = ["permit ipv6 any any state established,related"];
    const bed = makeBed({
      acls: [{ name: "SIX", family: "ipv6", rules }],
      ports: [
        { ipv6: "2001:db8:1::1/64", ipv4: "10.0.1.1/24" },
        { ipv6: "2001:db8:2::1/64", ipv4: "10.0.2.1/24", acl6_in: "SIX" },
      ],
      connections: { limit: 2 },
    });
    const send6 = (from: "a" | "b", payload: Uint8Array, nextHeader = 17) => {
      const [probe, other, mac] = from === "a" ? [bed.a, bed.b, 0] : [bed.b, bed.a, 1];
      const before = other.packets6.length;
      probe.send6(
        ROUTER_MAC + mac,
        { target: ip6(from === "a" ? "2001:db8:2::10" : "2001:db8:1::10"), nextHeader },
        payload,
      );
      bed.bench.run();
      return other.packets6.length > before;
    };
    const datagram = (sourcePort: number, targetPort: number) =>
      encodeUdp({ sourcePort, targetPort, data: bytes(8) }, 0);
    expect([send6("b", datagram(2, 1)), send6("a", datagram(1, 2)), send6("b", datagram(2, 1))]).toEqual([
      false,
      true,
      true,
    ]);
    expect(goes(bed, udp(FLOW))).toBe(true);
    expect(goes(bed, udp(flow(9)))).toBe(false);
    const rows = say(bed, "show connections").map((line) => line.replace(/ +/g, " "));
    expect(rows[1]).toMatch(/^udp 10\.0\.1\.10:4000 10\.0\.2\.10:53 unanswered/);
    expect(rows[2]).toMatch(/^udp \[2001:db8:1::10\]:1 \[2001:db8:2::10\]:2 answered/);
    const state = JSON.parse(JSON.stringify(bed.router.saveState())) as RouterState;
    expect(state.firewall?.connections6).toHaveLength(1);
    const quote = Uint8Array.of(
      0x60,
      0,
      0,
      0,
      0,
      16,
      17,
      64,
      ...six("2001:db8:1::10"),
      ...six("2001:db8:2::10"),
      ...datagram(1, 2),
    );
    const stray = Uint8Array.of(...quote);
    stray[40] = 9;
    expect([
      send6("b", encodeIcmpv6(1, 4, 0, quote), 58),
      send6("b", encodeIcmpv6(1, 4, 0, stray), 58),
    ]).toEqual([true, false]);
  });
});

function six(text: string): Uint8Array {
  const address = new Uint8Array(16);
  writeIpv6(address, 0, ip6(text));
  return address;
}
