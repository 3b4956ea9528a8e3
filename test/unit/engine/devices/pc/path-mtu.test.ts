/** Path MTUs: how the PC learns them from errors, shows, expires and applies them. */

import { Pc, type PcState } from "@wirelab/engine/devices/pc/index";
import { initialPcState } from "@wirelab/engine/devices/pc/state";
import { Router } from "@wirelab/engine/devices/router/index";
import { encodeIcmp } from "@wirelab/engine/wire/icmp";
import { encodeIcmpv6 } from "@wirelab/engine/wire/icmpv6";
import { decodeIpv4, encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { encodeIpv6 } from "@wirelab/engine/wire/ipv6";
import { describe, expect, test } from "vitest";
import { DeviceBench } from "../../../../helpers/engine/device-bench.ts";
import { frame6, ip6 } from "../../../../helpers/engine/ipv6-frames.ts";
import { specOf } from "../router/probe.ts";
import { output } from "./commands/pc-bench.ts";
import { A_IP, FAR_IP, ip, ipv4Frame } from "./stack/bare-pc.ts";

const PROPERTIES = {
  ports: [
    { ipv4: "10.0.1.1/24", ipv6: "2001:db8:1::1/64" },
    { ipv4: "10.0.2.1/24", ipv6: "2001:db8:2::1/64", mtu: 1_280 },
  ],
};

/** PC1 - R1 - PC2; the router's second link carries 1,280 bytes. */
function makeLab(properties: object = PROPERTIES): DeviceBench {
  const bench = new DeviceBench();
  for (const [index, name] of ["PC1", "PC2"].entries()) {
    bench.add(name, (world) => new Pc({ type: "vpcs", name, index, startupScript: "" }, world));
    bench.wire([name, 0], ["R1", index]);
  }
  bench.add("R1", (world) => new Router(specOf(properties), world));
  for (const n of [1, 2])
    bench.type(`PC${n}`, `ip 10.0.${n}.10/24 10.0.${n}.1`, `ip 2001:db8:${n}::10/64`, "ip auto");
  return bench;
}

const sizes = (bench: DeviceBench, name: string): number[] =>
  bench.frames
    .filter(({ from, frame }) => from === name && frame.length > 1_000)
    .map(({ frame }) => frame.length - 14);

describe("over a narrow link, over IPv4", () => {
  test("a packet with DF is refused once, with the path MTU shown; later ones are not sent", () => {
    const bench = makeLab();
    expect(output(bench, "PC1", "ping 10.0.2.10 -D -l 1400 -c 3")).toBe(
      [
        "",
        "*10.0.1.1 icmp_seq=1 ttl=255 time=T ms (ICMP type:3, code:4, Fragmentation required, and DF flag set)",
        "10.0.2.10 icmp_seq=2 not sent: -D forbids fragments, the path MTU is 1280",
        "10.0.2.10 icmp_seq=3 not sent: -D forbids fragments, the path MTU is 1280",
        "",
      ].join("\n"),
    );
    expect(sizes(bench, "PC1")).toEqual([1428]);
    expect(output(bench, "PC1", "show mtu")).toMatch(/^\n 1280\t59\d\t10\.0\.2\.10\n$/);
    expect(output(bench, "PC1", "show mtu6")).toBe("\nIPV6 MTU table is empty\n");
  });

  test("the PC itself fragments later packets to that host, and to no other host", () => {
    const bench = makeLab();
    bench.type("PC1", "ping 10.0.2.10 -D -l 1400 -c 1");
    bench.frames.length = 0;
    expect(output(bench, "PC1", "ping 10.0.2.10 -l 1400 -c 1")).toBe(
      "\n1428 bytes from 10.0.2.10 icmp_seq=1 ttl=63 time=T ms\n",
    );
    expect(sizes(bench, "PC1")).toEqual([1276]);
    expect(sizes(bench, "R1")).toEqual([1276, 1428]);
    bench.frames.length = 0;
    bench.type(
      "PC1",
      "ping 10.0.1.1 -D -l 1400 -c 1",
      "ping 10.0.2.10 -D -l 1252 -c 1",
      "ping 10.0.2.10 -2 -l 1400 -c 1",
    );
    expect(sizes(bench, "PC1")).toEqual([1428, 1280, 1276]);
  });

  test("a TCP ping with DF reports the path MTU before it connects", () => {
    const bench = makeLab();
    bench.type("PC1", "ping 10.0.2.10 -D -l 1400 -c 1");
    bench.frames.length = 0;
    expect(output(bench, "PC1", "ping 10.0.2.10 -3 -D -l 1400 -c 1")).toBe(
      "\nSendData  7@10.0.2.10 not sent: -D forbids fragments, the path MTU is 1280\n",
    );
    expect(bench.frames).toEqual([]);
    expect(output(bench, "PC1", "ping 10.0.2.10 -3 -l 1400 -c 1")).toContain("SendData  7@10.0.2.10 seq=1");
  });

  test("an answer is fragmented, whatever the request's DF bit", () => {
    const bench = makeLab();
    bench.type("PC2", "ping 10.0.1.10 -D -l 1200 -c 1");
    bench.frames.length = 0;
    bench.inject("PC1", 0, tooBig4({ target: ip("10.0.2.10"), mtuBytes: 600, source: ip("10.0.1.10") }));
    expect(output(bench, "PC2", "ping 10.0.1.10 -D -l 1200 -c 1")).toContain("1228 bytes from 10.0.1.10");
    const replies = bench.frames.filter(
      ({ from, frame }) => from === "PC1" && frame[12] === 8 && frame[13] === 0,
    );
    expect(replies.map(({ frame }) => [frame.length - 14, decodeIpv4(frame, 14)!.dontFragment])).toEqual([
      [596, false],
      [596, false],
      [76, false],
    ]);
  });

  test("the path MTU is valid for 10 minutes, in later runs, too; clear mtu removes it", () => {
    const bench = makeLab();
    bench.type("PC1", "ping 10.0.2.10 -D -l 1400 -c 1", "sleep 590");
    expect(output(bench, "PC1", "show mtu")).toMatch(/1280\t +[789]\t10\.0\.2\.10\n$/);
    expect(output(bench, "PC1", "ping 10.0.2.10 -D -l 1400 -c 1")).toContain("not sent");
    bench.type("PC1", "sleep 9");
    expect(output(bench, "PC1", "show mtu")).toBe("\nMTU table is empty\n");
    expect(output(bench, "PC1", "ping 10.0.2.10 -D -l 1400 -c 1")).toContain("(ICMP type:3, code:4");
    bench.type("PC1", "clear mtu");
    expect(output(bench, "PC1", "show mtu")).toBe("\nMTU table is empty\n");
  });
});

describe("over a narrow link, over IPv6", () => {
  test("the PC fragments its packets after a router reports the MTU, and shows the MTU", () => {
    const bench = makeLab();
    bench.frames.length = 0;
    expect(output(bench, "PC1", "ping 2001:db8:2::10 -l 1400 -c 2")).toBe(
      [
        "",
        "*2001:db8:1::1 icmp6_seq=1 ttl=255 time=T ms (new MTU 1280)",
        "2001:db8:2::10 icmp6_seq=1 ttl=63 time=T ms",
        "2001:db8:2::10 icmp6_seq=2 ttl=63 time=T ms",
        "",
      ].join("\n"),
    );
    expect(sizes(bench, "PC1")).toEqual([1448, 1280, 1280]);
    expect(output(bench, "PC1", "show mtu6")).toMatch(/^\n 1280\t59\d\t2001:db8:2::10\/64\n$/);
    expect(output(bench, "PC1", "show mtu6 all")).toMatch(/^\nPC1\[1\]:\n 1280/);
    expect(output(bench, "PC1", "show mtu")).toContain("2001:db8:2::10");
  });

  test("-D keeps the PC from fragmenting", () => {
    const bench = makeLab();
    expect(output(bench, "PC1", "ping 2001:db8:2::10 -D -l 1400 -c 1")).toBe(
      [
        "",
        "*2001:db8:1::1 icmp6_seq=1 ttl=255 time=T ms (new MTU 1280)",
        "2001:db8:2::10 icmp6_seq=1 not sent: -D forbids fragments, the path MTU is 1280",
        "",
      ].join("\n"),
    );
  });

  test("a TCP ping succeeds when the MTU is known", () => {
    const bench = makeLab();
    expect(output(bench, "PC1", "ping 2001:db8:2::10 -3 -l 1400 -c 2")).toMatch(
      /\*2001:db8:1::1 tcp6_seq=1 .*\(new MTU 1280\)\n[\s\S]*SendData {2}7@2001:db8:2::10 seq=2/,
    );
  });
});

describe("set mtu", () => {
  test("applies to IPv6: packets and answers are fragmented, and show ipv6 prints it", () => {
    const bench = makeLab({ ports: PROPERTIES.ports.map(({ mtu: _, ...port }) => port) });
    bench.type("PC1", "set mtu 1300");
    expect(output(bench, "PC1", "show ipv6")).toContain("MTU:              : 1300\n");
    bench.frames.length = 0;
    // The first answer is over the PC's MTU, which it reports.
    expect(output(bench, "PC1", "ping 2001:db8:2::10 -l 1253 -c 2")).toMatch(
      /seq=1 timeout\n2001:db8:2::10 icmp6_seq=2 ttl=63/,
    );
    expect(sizes(bench, "PC1")).toEqual([1296, 1280, 1296]);
    expect(sizes(bench, "PC2")).toEqual([1301, 1296]);
    bench.frames.length = 0;
    bench.type("PC2", "ping 2001:db8:1::10 -l 1253 -c 1 -u 1280");
    expect(sizes(bench, "PC1")).toEqual([1296]);
  });

  test("below 1280 leaves IPv6 at 1280", () => {
    const bench = makeLab();
    bench.type("PC1", "set mtu 600");
    expect(output(bench, "PC1", "show ipv6")).toContain("MTU:              : 1280\n");
    expect(output(bench, "PC1", "show ip")).toContain("MTU         : 600\n");
  });

  test("of a neighbour is reported by it over both families, and the PC keeps to it", () => {
    const bench = makeLab();
    bench.wire(["PC1", 0], ["PC2", 0]);
    bench.type("PC2", "ip 10.0.1.20/24", "ip 2001:db8:1::20/64", "set mtu 1400");
    expect(output(bench, "PC1", "ping 10.0.1.20 -l 1450 -c 2")).toMatch(
      /\(ICMP type:3, code:4, .*\n1478 bytes from 10\.0\.1\.20 icmp_seq=2/,
    );
    expect(output(bench, "PC1", "ping 2001:db8:1::20 -l 1450 -c 1")).toMatch(
      /\(new MTU 1400\)\n2001:db8:1::20 icmp6_seq=1 ttl=64/,
    );
    expect(output(bench, "PC1", "show mtu")).toMatch(
      /^\n 1400\t\d+\t10\.0\.1\.20\n 1400\t\d+\t2001:db8:1::20\/64\n$/,
    );
  });
});

interface Error4 {
  readonly source?: number;
  readonly target?: number;
  readonly packetBytes?: number;
  readonly mtuBytes?: number;
  readonly protocol?: number;
  readonly code?: number;
  readonly quoteBytes?: number;
  readonly to?: number;
}

/** "Fragmentation needed" about a packet of 1,500 bytes from the PC to another subnet, unless the test overrides it. */
function tooBig4(error: Error4): Uint8Array {
  const { source = A_IP, target = FAR_IP, packetBytes = 1_500, mtuBytes = 1_000 } = error;
  const { protocol = 17, code = 4, quoteBytes = 28, to = source } = error;
  const [packet] = encodeIpv4(
    { source, target, protocol, dontFragment: true },
    new Uint8Array(packetBytes - 20),
  );
  const message = encodeIcmp(3, code, mtuBytes, packet!.subarray(0, quoteBytes));
  return ipv4Frame({ protocol: 1, source: ip("10.0.0.254"), target: to }, message);
}

/** "Packet too big", with the same defaults. */
function tooBig6(error: Partial<Record<"source" | "target" | "to", string>> & Error6): Uint8Array {
  const { source = OWN6, target = FAR6, to = source, packetBytes = 1_500, mtuBytes = 1_300 } = error;
  const { nextHeader = 58, quoteBytes = 48 } = error;
  const packet = encodeIpv6(
    { source: ip6(source), target: ip6(target), nextHeader },
    new Uint8Array(packetBytes - 40),
  );
  const message = encodeIcmpv6(2, 0, mtuBytes, packet.subarray(0, quoteBytes));
  return frame6({ source: "2001:db8::fe", target: to, hopLimit: 60 }, message);
}

interface Error6 {
  readonly packetBytes?: number;
  readonly mtuBytes?: number;
  readonly nextHeader?: number;
  readonly quoteBytes?: number;
}

const OWN6 = "2001:db8::1";
const FAR6 = "2001:db8:9::9";

/** The state of a PC at 10.0.0.1/24 and 2001:db8::1/64 after it receives frames. */
function heard(state: Partial<PcState>, ...frames: readonly Uint8Array[]): PcState {
  const bench = new DeviceBench();
  const spec = { type: "vpcs", name: "PC1", index: 0, startupScript: "" } as const;
  const before = initialPcState(spec);
  before.ipv4 = { address: A_IP, prefixLength: 24, gateway: ip("10.0.0.254") };
  before.ipv6.global = { address: OWN6, prefixLength: 64, eui64: false };
  const pc = bench.add("A", (world) => new Pc(spec, world, { ...before, ...state }));
  for (const frame of frames) bench.inject("A", 0, frame);
  bench.run();
  return pc.saveState();
}

const learned = (...frames: readonly Uint8Array[]): (readonly [number | string, number])[] =>
  (heard({}, ...frames).pathMtus ?? []).map(({ target, mtuBytes }) => [target, mtuBytes]);

describe("an ICMP error", () => {
  test("lowers the path MTU of the host that the quoted packet went to", () => {
    expect(learned(tooBig4({}), tooBig6({}))).toEqual([
      [FAR_IP, 1_000],
      [FAR6, 1_300],
    ]);
  });

  test("lowers it further, and never raises it", () => {
    const [a, b, c] = [1_000, 900, 1_200].map((mtuBytes) => tooBig4({ mtuBytes }));
    expect(learned(a!, b!, c!)).toEqual([[FAR_IP, 900]]);
    const [d, e, f] = [1_400, 1_300, 1_450].map((mtuBytes) => tooBig6({ mtuBytes }));
    expect(learned(d!, e!, f!)).toEqual([[FAR6, 1_300]]);
  });

  test("without an MTU sets the next common MTU below the packet's size (RFC 1191)", () => {
    expect(learned(tooBig4({ mtuBytes: 0 }))).toEqual([[FAR_IP, 1_492]]);
    expect(learned(tooBig4({ mtuBytes: 0, packetBytes: 576 }))).toEqual([[FAR_IP, 508]]);
    expect(learned(tooBig4({ mtuBytes: 0, packetBytes: 68 }))).toEqual([]);
  });

  test("may report an MTU as low as 68 bytes over IPv4, 1280 over IPv6", () => {
    expect(learned(tooBig4({ mtuBytes: 68 }), tooBig6({ mtuBytes: 1_280 }))).toHaveLength(2);
    expect(learned(tooBig4({ mtuBytes: 67 }), tooBig6({ mtuBytes: 1_279 }))).toEqual([]);
  });

  test.each([
    ["a packet of another host", { source: ip("10.0.0.9"), to: A_IP }],
    ["a packet to the PC itself", { target: A_IP }],
    ["a packet to a group", { target: ip("224.0.0.1") }],
    ["a packet to everyone", { target: 0xffff_ffff }],
    ["a packet that would have fitted", { packetBytes: 1_000 }],
    ["a protocol that the PC does not speak", { protocol: 89 }],
    ["something else than its size", { code: 3 }],
    ["too little to recognise a packet", { quoteBytes: 19 }],
    ["no smaller MTU than the link's", { mtuBytes: 1_500, packetBytes: 2_000 }],
  ])("over IPv4 about %s changes nothing", (_, error) => {
    expect(learned(tooBig4(error))).toEqual([]);
  });

  test.each([
    ["a packet of another host", { source: "2001:db8::9", to: OWN6 }],
    ["a packet to the PC itself", { target: OWN6 }],
    ["a packet to a group", { target: "ff02::1" }],
    ["a packet that would have fitted", { packetBytes: 1_300 }],
    ["a protocol that the PC does not speak", { nextHeader: 89 }],
    ["too little to recognise a packet", { quoteBytes: 39 }],
    ["no smaller MTU than the link's", { mtuBytes: 1_500, packetBytes: 2_000 }],
  ])("over IPv6 about %s changes nothing", (_, error) => {
    expect(learned(tooBig6(error))).toEqual([]);
  });

  test("is remembered for the latest 32 hosts", () => {
    const targets = Array.from({ length: 40 }, (_, index) => FAR_IP + index);
    expect(learned(...targets.map((target) => tooBig4({ target })))).toEqual(
      targets.slice(8).map((target) => [target, 1_000]),
    );
  });

  test("is learned by a PC whose state an earlier release saved", () => {
    expect(heard({ pathMtus: undefined }, tooBig4({})).pathMtus).toHaveLength(1);
  });
});
