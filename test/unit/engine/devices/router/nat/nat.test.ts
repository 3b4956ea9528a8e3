import type { RouterState } from "@wirelab/engine/devices/router/index";
import { encodeArp } from "@wirelab/engine/wire/arp";
import { decodeIpv4, encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { BROADCAST_MAC } from "@wirelab/engine/wire/mac";
import { describe, expect, it } from "vitest";
import { isPayloadIntact4 } from "../../../../../../packages/engine/wire/intact.ts";
import { type Bed, bytes, ip, MAC_A, say } from "../probe.ts";
import {
  back,
  bedWith,
  describePacket,
  echo,
  error,
  type Flow,
  INSIDE,
  MASQUERADE,
  OUTSIDE,
  OWN,
  out,
  pass,
  tcp,
  turned,
  udp,
} from "./packets.ts";

const FLOW: Flow = { from: INSIDE, to: OUTSIDE, sourcePort: 4_000, targetPort: 53 };
const SEEN: Flow = { ...FLOW, from: OWN };
const FORWARD = {
  forward: [
    { out: "Ethernet1", protocol: "tcp", port: 8_080, to: INSIDE, to_port: 80 },
    { out: "Ethernet1", protocol: "udp", port: 5_000, last_port: 5_009, to: INSIDE, to_port: 6_000 },
  ],
};

describe("a router that masquerades", () => {
  it("gives packets the address of its port and keeps their port, and leads responses back", () => {
    const bed = bedWith(MASQUERADE);
    expect(out(bed, FLOW, udp(FLOW))).toEqual(["udp 10.0.2.1:4000 > 10.0.2.10:53"]);
    expect(back(bed, turned(SEEN), udp(turned(SEEN)))).toEqual(["udp 10.0.2.10:53 > 10.0.1.10:4000"]);
    expect(out(bed, FLOW, udp(FLOW))).toEqual(["udp 10.0.2.1:4000 > 10.0.2.10:53"]);
  });

  it("translates TCP", () => {
    const bed = bedWith(MASQUERADE);
    expect(out(bed, FLOW, tcp(FLOW, "S"))).toEqual(["tcp 10.0.2.1:4000 > 10.0.2.10:53"]);
    expect(back(bed, turned(SEEN), tcp(turned(SEEN), "SA"))).toEqual(["tcp 10.0.2.10:53 > 10.0.1.10:4000"]);
    expect(out(bed, FLOW, tcp(FLOW, "A"))).toEqual(["tcp 10.0.2.1:4000 > 10.0.2.10:53"]);
  });

  it("translates the identifier of echo requests, so that two hosts may have the same", () => {
    const bed = bedWith(MASQUERADE);
    const other = { ...FLOW, from: "10.0.1.11" };
    expect(out(bed, FLOW, echo(7))).toEqual(["echo 10.0.2.1 > 10.0.2.10 id 7"]);
    expect(out(bed, other, echo(7))).toEqual(["echo 10.0.2.1 > 10.0.2.10 id 8"]);
    expect(back(bed, turned(SEEN), echo(7, true))).toEqual(["echo 10.0.2.10 > 10.0.1.10 id 7"]);
    back(bed, turned(SEEN), echo(8, true));
    expect(
      say(bed, "show ip nat translations").map((line) => line.replace(/ +/g, " ").replace(/ \d+ s$/, "")),
    ).toEqual([
      "Protocol Inside global Inside local Outside local Outside global Expires in",
      "icmp 10.0.2.1:7 10.0.1.10:7 10.0.2.10 10.0.2.10",
      "icmp 10.0.2.1:8 10.0.1.11:7 10.0.2.10 10.0.2.10",
    ]);
  });

  it.each([
    [4_000, 4_002],
    [4_001, 4_003],
    [1_000, 1_002],
    [1_023, 1],
    [65_534, 1_024],
    [65_535, 1_025],
  ])(
    "gives a second host with port %d the port %d: the same parity, and below or above 1024 as before",
    (port, next) => {
      const bed = bedWith(MASQUERADE);
      const first = { ...FLOW, sourcePort: port };
      const second = { ...first, from: "10.0.1.11" };
      expect(out(bed, first, udp(first))).toEqual([`udp 10.0.2.1:${port} > 10.0.2.10:53`]);
      expect(out(bed, second, udp(second))).toEqual([`udp 10.0.2.1:${next} > 10.0.2.10:53`]);
    },
  );

  it("leads no packet of others through a translation", () => {
    const bed = bedWith(MASQUERADE);
    out(bed, FLOW, udp(FLOW));
    const other = { ...turned(SEEN), sourcePort: 54 };
    expect(back(bed, other, udp(other))).toEqual([]);
  });

  it("does not translate addresses outside of the rule's prefix", () => {
    const bed = bedWith({ source: [{ out: "Ethernet1", from: "10.0.1.128/25" }] });
    expect(out(bed, FLOW, udp(FLOW))).toEqual(["udp 10.0.1.10:4000 > 10.0.2.10:53"]);
  });

  it("translates protocols without ports by their address, one host at a time", () => {
    const bed = bedWith(MASQUERADE);
    expect(out(bed, FLOW, [47, bytes(8)])).toEqual(["47 10.0.2.1 > 10.0.2.10"]);
    expect(back(bed, turned(SEEN), [47, bytes(8)])).toEqual(["47 10.0.2.10 > 10.0.1.10"]);
    expect(out(bed, { ...FLOW, from: "10.0.1.11" }, [47, bytes(8)])).toEqual([]);
    expect(say(bed, "show counters")).toContain("Dropped, no free address or port to translate to: 1");
  });

  it("keeps a UDP datagram without a checksum as it is, and a damaged one damaged", () => {
    const bed = bedWith(MASQUERADE);
    const [, plain] = udp(FLOW);
    plain.set([0, 0], 6);
    expect(out(bed, FLOW, [17, plain])).toEqual(["udp 10.0.2.1:4000 > 10.0.2.10:53"]);
    expect([...bed.b.packets4.at(-1)!.payload.subarray(6, 8)]).toEqual([0, 0]);
    const [, damaged] = udp(FLOW);
    damaged[9]! ^= 1;
    expect(out(bed, FLOW, [17, damaged])).toEqual(["udp 10.0.2.1:4000 > 10.0.2.10:53 damaged"]);
  });

  it("drops packets that belong to no connection, and shows no inside address", () => {
    const bed = bedWith(MASQUERADE);
    expect(out(bed, FLOW, tcp(FLOW, "A"))).toEqual([]);
    expect(out(bed, FLOW, tcp(FLOW, "SF"))).toEqual([]);
    expect(out(bed, FLOW, echo(1, true))).toEqual([]);
    expect(say(bed, "show counters")).toContain("Dropped, no translation of the address: 3");
  });

  it("translates an error and the packet that it quotes", () => {
    const bed = bedWith(MASQUERADE);
    const packets = [udp(FLOW), tcp(FLOW, "S"), echo(9)];
    const seen = [udp(SEEN), tcp(SEEN, "S"), echo(9)];
    const quotes = [
      "udp 10.0.1.10:4000 > 10.0.2.10:53",
      "tcp 10.0.1.10:4000 > 10.0.2.10:53",
      "echo 10.0.1.10 > 10.0.2.10 id 9",
    ];
    for (const [index, packet] of packets.entries()) {
      out(bed, FLOW, packet);
      const report = { ...turned(SEEN), from: "10.0.2.99" };
      expect(back(bed, report, error(SEEN, seen[index]!))).toEqual([
        `icmp 3/1 10.0.2.99 > 10.0.1.10 [${quotes[index]}]`,
      ]);
    }
  });

  it("does not lead an error about an unknown packet inside", () => {
    const bed = bedWith(MASQUERADE);
    const other = { ...SEEN, sourcePort: 4_001 };
    out(bed, FLOW, udp(FLOW));
    expect(back(bed, turned(SEEN), error(other, udp(other)))).toEqual([]);
  });

  it("reports an expired packet as its sender knows it", () => {
    const bed = bedWith(MASQUERADE);
    pass(bed, bed.a, bed.b, { to: OUTSIDE, ttl: 1 }, udp(FLOW));
    expect(bed.a.packets4.length).toBe(1);
    expect(bed.a.packets4[0]!.payload.subarray(8 + 12, 8 + 20)).toEqual(
      Uint8Array.of(10, 0, 1, 10, 10, 0, 2, 10),
    );
  });

  it("reports an unreachable target to the host inside, about the packet that it has sent", () => {
    const bed = bedWith(MASQUERADE);
    const flow = { ...FLOW, to: "10.0.2.77" };
    const before = bed.a.packets4.length;
    out(bed, flow, udp(flow));
    const [report] = bed.a.packets4.slice(before);
    expect([report!.payload[0], report!.payload[1]]).toEqual([3, 1]);
    expect(report!.payload.subarray(8 + 12, 8 + 20)).toEqual(Uint8Array.of(10, 0, 1, 10, 10, 0, 2, 77));
  });

  it("reports a packet that the link does not carry to the host inside", () => {
    const bed = bedWith(MASQUERADE);
    out(bed, FLOW, udp(FLOW, bytes(1_000)), { dontFragment: true });
    const sent = bed.bench.frames.filter(
      ({ from, port, frame }) => from === "R1" && port === 1 && frame.length > 500,
    );
    bed.router.refused(1, sent.at(-1)!.frame, 600);
    bed.bench.run();
    const report = bed.a.packets4.at(-1)!;
    expect([...report.payload.subarray(0, 2), report.payload[7]! + report.payload[6]! * 256]).toEqual([
      3, 4, 600,
    ]);
    expect(report.payload.subarray(8 + 12, 8 + 16)).toEqual(Uint8Array.of(10, 0, 1, 10));
  });

  it("reassembles fragments, and sends fragments of the same size", () => {
    const bed = bedWith(MASQUERADE);
    expect(out(bed, FLOW, udp(FLOW, bytes(2_000)))).toEqual([
      "udp 10.0.2.1:4000 > 10.0.2.10:53",
      "fragment 10.0.2.1 > 10.0.2.10",
    ]);
    const [first, second] = bed.b.packets4;
    expect([first!.header.totalBytes, second!.header.fragmentOffset]).toEqual([1_500, 1_480]);
    const whole = Uint8Array.of(...first!.payload, ...second!.payload);
    const frame = Uint8Array.of(
      ...new Uint8Array(14),
      ...encodeIpv4({ source: ip(OWN), target: ip(OUTSIDE), protocol: 17 }, whole)[0]!,
    );
    expect(describeWhole(frame)).toBe(true);
  });

  it("translates its own echo requests where a host inside has their identifier", () => {
    const bed = bedWith(MASQUERADE);
    out(bed, FLOW, echo(1));
    const [line] = say(bed, "ping 10.0.2.10 -c 1").filter((each) => each.includes("no answer"));
    expect(line).toBe("seq=1 no answer");
    expect(describeLast(bed)).toBe("echo 10.0.2.1 > 10.0.2.10 id 2");
  });

  it("forgets its translations when the rules change", () => {
    const bed = bedWith(MASQUERADE);
    out(bed, FLOW, udp(FLOW));
    say(bed, "no ip nat source Ethernet1 10.0.1.0/24 interface overload");
    expect(bed.router.saveState().firewall).toBeUndefined();
    expect(out(bed, FLOW, udp(FLOW))).toEqual(["udp 10.0.1.10:4000 > 10.0.2.10:53"]);
  });

  it("forgets its translations when its address changes", () => {
    const bed = bedWith(MASQUERADE);
    out(bed, FLOW, udp(FLOW));
    say(bed, "ip 1 10.0.2.2/24");
    expect(say(bed, "show ip nat translations")).toEqual(["No translations"]);
    expect(out(bed, FLOW, udp(FLOW))).toEqual(["udp 10.0.2.2:4000 > 10.0.2.10:53"]);
  });

  it("keeps its translations from run to run", () => {
    const bed = bedWith(MASQUERADE);
    out(bed, FLOW, udp(FLOW));
    out(bed, { ...FLOW, from: "10.0.1.11" }, udp({ ...FLOW, from: "10.0.1.11" }));
    const state = JSON.parse(JSON.stringify(bed.router.saveState())) as RouterState;
    const next = bedWith(MASQUERADE, {}, state);
    expect(next.router.saveState()).toEqual(state);
    expect(back(next, turned(SEEN), udp(turned(SEEN)))).toEqual(["udp 10.0.2.10:53 > 10.0.1.10:4000"]);
    expect(out(next, FLOW, udp(FLOW))).toEqual(["udp 10.0.2.1:4000 > 10.0.2.10:53"]);
  });

  it("forgets its translations on demand", () => {
    const bed = bedWith(MASQUERADE);
    out(bed, FLOW, udp(FLOW));
    expect(say(bed, "clear ip nat translation *")).toEqual([]);
    expect(say(bed, "show ip nat translations")).toEqual(["No translations"]);
    expect(back(bed, turned(SEEN), udp(turned(SEEN)))).toEqual([]);
  });
});

describe("a pool of outside addresses", () => {
  const POOL = {
    source: [{ out: "Ethernet1", from: "10.0.1.0/24", to: "10.0.2.100-10.0.2.101", overload: false }],
  };

  it("gives each host an address of its own, until there is none", () => {
    const bed = bedWith(POOL);
    const of = (host: number, sourcePort = 4_000) => ({ ...FLOW, from: `10.0.1.${host}`, sourcePort });
    expect(out(bed, of(10), udp(of(10)))).toEqual(["udp 10.0.2.100:4000 > 10.0.2.10:53"]);
    expect(out(bed, of(12), udp(of(12)))).toEqual(["udp 10.0.2.101:4000 > 10.0.2.10:53"]);
    expect(out(bed, of(10, 9), udp(of(10, 9)))).toEqual(["udp 10.0.2.100:9 > 10.0.2.10:53"]);
    expect(out(bed, of(13), udp(of(13)))).toEqual([]);
    expect(say(bed, "show counters")).toContain("Dropped, no free address or port to translate to: 1");
  });

  it("is answered for on the link, and leads nowhere without a translation", () => {
    const bed = bedWith(POOL);
    out(bed, FLOW, udp(FLOW));
    const seen = { ...turned(FLOW), to: "10.0.2.100" };
    expect(back(bed, seen, udp(seen))).toEqual(["udp 10.0.2.10:53 > 10.0.1.10:4000"]);
    expect(back(bed, { ...seen, to: "10.0.2.101" }, echo(1))).toEqual([]);
    expect(say(bed, "show counters")).toContain("Dropped, no translation of the address: 1");
  });

  it("is shared by ports with overload", () => {
    const bed = bedWith({ source: [{ out: "Ethernet1", from: "10.0.1.0/24", to: "10.0.2.100" }] });
    const other = { ...FLOW, from: "10.0.1.11" };
    expect(out(bed, FLOW, udp(FLOW))).toEqual(["udp 10.0.2.100:4000 > 10.0.2.10:53"]);
    expect(out(bed, other, udp(other))).toEqual(["udp 10.0.2.100:4002 > 10.0.2.10:53"]);
  });
});

describe("a static translation", () => {
  const STATIC = { static: [{ out: "Ethernet1", inside: INSIDE, outside: "10.0.2.100" }] };

  it("translates connections from inside and from outside", () => {
    const bed = bedWith(STATIC);
    expect(out(bed, FLOW, udp(FLOW))).toEqual(["udp 10.0.2.100:4000 > 10.0.2.10:53"]);
    const inbound = { from: OUTSIDE, to: "10.0.2.100", sourcePort: 9, targetPort: 22 };
    expect(back(bed, inbound, tcp(inbound, "S"))).toEqual(["tcp 10.0.2.10:9 > 10.0.1.10:22"]);
    const answer = { from: INSIDE, to: OUTSIDE, sourcePort: 22, targetPort: 9 };
    expect(out(bed, answer, tcp(answer, "SA"))).toEqual(["tcp 10.0.2.100:22 > 10.0.2.10:9"]);
    expect(back(bed, inbound, echo(3))).toEqual(["echo 10.0.2.10 > 10.0.1.10 id 3"]);
    expect(say(bed, "show ip nat translations")[1]).toMatch(/^- +10\.0\.2\.100 +10\.0\.1\.10 /);
  });

  it("is answered for on the link", () => {
    const bed = bedWith(STATIC);
    const arp = (target: string) =>
      Uint8Array.of(
        0,
        1,
        8,
        0,
        6,
        4,
        0,
        1,
        2,
        0,
        0,
        0,
        0,
        11,
        10,
        0,
        2,
        10,
        0,
        0,
        0,
        0,
        0,
        0,
        ...target.split(".").map(Number),
      );
    const ask = (target: string): number => {
      const before = bed.b.received.length;
      bed.b.send(Uint8Array.of(255, 255, 255, 255, 255, 255, 2, 0, 0, 0, 0, 11, 8, 6, ...arp(target)));
      bed.bench.run();
      return bed.b.received.length - before;
    };
    expect([ask("10.0.2.100"), ask("10.0.2.1"), ask("10.0.2.101")]).toEqual([1, 1, 0]);
  });
});

describe("a forwarded port", () => {
  const INBOUND: Flow = { from: OUTSIDE, to: OWN, sourcePort: 9_000, targetPort: 8_080 };

  it("leads connections to the host inside, whose responses come from the outside address", () => {
    const bed = bedWith(FORWARD);
    expect(back(bed, INBOUND, tcp(INBOUND, "S"))).toEqual(["tcp 10.0.2.10:9000 > 10.0.1.10:80"]);
    const answer = { from: INSIDE, to: OUTSIDE, sourcePort: 80, targetPort: 9_000 };
    expect(out(bed, answer, tcp(answer, "SA"))).toEqual(["tcp 10.0.2.1:8080 > 10.0.2.10:9000"]);
  });

  it("may be one of a range", () => {
    const bed = bedWith(FORWARD);
    const ranged = { ...INBOUND, targetPort: 5_004 };
    expect(back(bed, ranged, udp(ranged))).toEqual(["udp 10.0.2.10:9000 > 10.0.1.10:6004"]);
    const beyond = { ...INBOUND, targetPort: 5_010 };
    expect(back(bed, beyond, udp(beyond))).toEqual([]);
  });

  it("is not that of another protocol", () => {
    const bed = bedWith(FORWARD);
    expect(back(bed, INBOUND, udp(INBOUND))).toEqual([]);
  });

  it("may be of an address that the router answers for", () => {
    const bed = bedWith({
      forward: [{ out: "Ethernet1", protocol: "tcp", address: "10.0.2.50", port: 80, to: INSIDE }],
    });
    const inbound = { ...INBOUND, to: "10.0.2.50", targetPort: 80 };
    expect(back(bed, inbound, tcp(inbound, "S"))).toEqual(["tcp 10.0.2.10:9000 > 10.0.1.10:80"]);
  });

  it("hides the address of the host inside in the errors that it causes", () => {
    const bed = bedWith(FORWARD);
    back(bed, INBOUND, tcp(INBOUND, "S"));
    const inner = { ...INBOUND, to: INSIDE, targetPort: 80 };
    const report = { ...FLOW, from: "10.0.1.77" };
    expect(out(bed, report, error(inner, tcp(inner, "S")))).toEqual([
      "icmp 3/1 10.0.2.1 > 10.0.2.10 [tcp 10.0.2.10:9000 > 10.0.2.1:8080]",
    ]);
  });

  it("reports an expired packet as its sender knows it", () => {
    const bed = bedWith(FORWARD);
    const before = bed.b.packets4.length;
    back(bed, INBOUND, tcp(INBOUND, "S"), { ttl: 1 });
    expect(bed.b.packets4[before]!.payload.subarray(8 + 12, 8 + 24)).toEqual(
      Uint8Array.of(10, 0, 2, 10, 10, 0, 2, 1, 0x23, 0x28, 0x1f, 0x90),
    );
  });
});

describe("hairpinning", () => {
  const OTHER = "10.0.1.11";
  const inner: Flow = { from: OTHER, to: OWN, sourcePort: 7_000, targetPort: 8_080 };

  it("lets a host inside reach another by the outside address, and come from that address", () => {
    const bed = bedWith({ ...MASQUERADE, ...FORWARD, hairpin: true });
    introduce(bed, OTHER);
    const packets = pass(bed, bed.a, bed.a, { source: ip(OTHER), to: OWN }, tcp(inner, "S"));
    expect(packets.map(describePacket)).toEqual(["tcp 10.0.2.1:7000 > 10.0.1.10:80"]);
    const answer = { from: INSIDE, to: OWN, sourcePort: 80, targetPort: 7_000 };
    const answers = pass(bed, bed.a, bed.a, { source: ip(INSIDE), to: OWN }, tcp(answer, "SA"));
    expect(answers.map(describePacket)).toEqual(["tcp 10.0.2.1:8080 > 10.0.1.11:7000"]);
  });

  it("is off unless it is configured", () => {
    const bed = bedWith({ ...MASQUERADE, ...FORWARD });
    const packets = pass(
      bed,
      bed.a,
      bed.a,
      { source: ip(INSIDE), to: OWN },
      tcp({ ...inner, from: INSIDE }, "S"),
    );
    expect(packets.map(describePacket)).toEqual(["tcp 10.0.2.1:8080 > 10.0.1.10:7000"]);
  });
});

const describeWhole = (frame: Uint8Array): boolean => isPayloadIntact4(frame, 14, decodeIpv4(frame, 14)!);
const describeLast = (bed: Bed): string => describePacket(bed.b.packets4.at(-1)!);

/** Lets the router learn that A has another address, too. */
function introduce({ bench, a }: Bed, address: string): void {
  const request = {
    opcode: 1,
    senderMac: MAC_A,
    senderIp: ip(address),
    targetMac: 0,
    targetIp: ip("10.0.1.1"),
  };
  a.send(encodeArp(BROADCAST_MAC, MAC_A, request));
  bench.run();
}
