import { encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeEcho, encodeIcmp } from "@wirelab/engine/wire/icmp";
import { encodeIcmpv6 } from "@wirelab/engine/wire/icmpv6";
import { encodeIpv6 } from "@wirelab/engine/wire/ipv6";
import { encodeUdp, encodeUdp4 } from "@wirelab/engine/wire/udp";
import { describe, expect, it } from "vitest";
import {
  encodeTcp4,
  TCP_ACK,
  TCP_FIN,
  TCP_RST,
  TCP_SYN,
} from "../../../../../../packages/engine/wire/tcp.ts";
import { type Bed, bytes, ip, ip6, MAC_A, makeBed, ROUTER_MAC, say } from "../probe.ts";

const A = ip("10.0.1.10");
const B = ip("10.0.2.10");
const A6 = ip6("2001:db8:1::10");
const B6 = ip6("2001:db8:2::10");
const NO_DATA = new Uint8Array(0);

/** A router whose port 0 has the lists. */
function bedWith(rules: readonly string[], more: object = {}): Bed {
  return makeBed({
    acls: [{ name: "L", rules }],
    ports: [
      { ipv4: "10.0.1.1/24", ipv6: "2001:db8:1::1/64", acl_in: "L", ...more },
      { ipv4: "10.0.2.1/24", ipv6: "2001:db8:2::1/64" },
    ],
  });
}

const udp = (targetPort: number, sourcePort = 4_000): Uint8Array =>
  encodeUdp4(A, B, { sourcePort, targetPort, data: bytes(4) });
const tcp = (targetPort: number, flags = TCP_SYN): Uint8Array =>
  encodeTcp4(A, B, {
    sourcePort: 4_000,
    targetPort,
    sequence: 1,
    acknowledgement: 2,
    flags,
    window: 1_000,
    options: NO_DATA,
    data: NO_DATA,
  });

/** Sends packets from A to B. @returns whether each arrived. */
function arrive(
  bed: Bed,
  ...packets: readonly (readonly [protocol: number, payload: Uint8Array])[]
): boolean[] {
  return packets.map(([protocol, payload]) => {
    const before = bed.b.packets4.length;
    bed.a.send4(ROUTER_MAC, { target: B, protocol }, payload);
    bed.bench.run();
    return bed.b.packets4.length > before;
  });
}

describe("an access list", () => {
  it.each([
    ["permit udp any any eq 53", [17, udp(53)], [17, udp(54)]],
    ["permit udp any range 4000 4001 any", [17, udp(1, 4_001)], [17, udp(1, 4_002)]],
    ["permit udp any any range 10 20", [17, udp(20)], [17, udp(21)]],
    ["permit udp any any", [17, udp(1)], [6, tcp(1)]],
    ["permit tcp any any established", [6, tcp(1, TCP_ACK)], [6, tcp(1)]],
    ["permit tcp any any established", [6, tcp(1, TCP_RST)], [6, tcp(1, TCP_FIN)]],
    ["permit icmp any any type 8", [1, encodeEcho(1, 1, NO_DATA)], [1, encodeIcmp(13, 0, 0, bytes(12))]],
    [
      "permit icmp any any type 3 code 1",
      [1, encodeIcmp(3, 1, 0, bytes(28))],
      [1, encodeIcmp(3, 2, 0, bytes(28))],
    ],
    ["permit 47 any any", [47, bytes(8)], [50, bytes(8)]],
    ["permit udp host 10.0.1.10 host 10.0.2.10", [17, udp(1)], [6, tcp(1)]],
  ] as const)("with `%s` lets pass what matches, and denies the rest", (rule, good, bad) => {
    expect(arrive(bedWith([rule]), good, bad)).toEqual([true, false]);
  });

  it.each(["permit ip 10.0.1.11/32 any", "permit ip any 10.0.3.0/24", "permit ip host 10.0.1.1 any"])(
    "with `%s` denies other addresses",
    (rule) => {
      expect(arrive(bedWith([rule]), [17, udp(1)])).toEqual([false]);
    },
  );

  it("decides by its first rule that matches", () => {
    const bed = bedWith(["deny udp any any eq 53", "permit udp any any range 50 60", "deny udp any any"]);
    expect(arrive(bed, [17, udp(53)], [17, udp(54)], [17, udp(61)])).toEqual([false, true, false]);
  });

  it("counts the packets of each rule, and those that no rule matched", () => {
    const bed = bedWith(["permit udp any any eq 53", "deny udp any any"]);
    arrive(bed, [17, udp(53)], [17, udp(53)], [17, udp(54)], [6, tcp(1)]);
    expect(say(bed, "show access-lists")).toEqual([
      "IPv4 access list L",
      "    10 permit udp any any eq 53 (2 packets)",
      "    20 deny udp any any (1 packet)",
      "    any other packet is denied (1 packet)",
    ]);
    expect(say(bed, "show counters")).toContain("Dropped, denied by an access list: 2");
    expect(say(bed, "clear access-list counters")).toEqual([]);
    expect(say(bed, "show access-lists")[1]).toBe("    10 permit udp any any eq 53 (0 packets)");
  });

  it("reports a rejected packet as administratively prohibited, and a denied one not at all", () => {
    const bed = bedWith(["reject udp any any eq 1", "deny udp any any eq 2"]);
    arrive(bed, [17, udp(1)], [17, udp(2)]);
    expect(bed.a.packets4.map(({ header, payload }) => [header.source, ...payload.subarray(0, 2)])).toEqual([
      [ip("10.0.1.1"), 3, 13],
    ]);
  });

  it("decides about packets to the router itself", () => {
    const bed = bedWith(["permit icmp any any type 8"]);
    bed.a.send4(ROUTER_MAC, { target: ip("10.0.1.1"), protocol: 1 }, encodeEcho(1, 1, NO_DATA));
    bed.a.send4(ROUTER_MAC, { target: ip("10.0.1.1"), protocol: 17 }, udp(9));
    bed.bench.run();
    expect(bed.a.packets4.map(({ payload }) => payload[0])).toEqual([0]);
  });

  it("out of a port decides about what the router forwards, and not about its own packets", () => {
    const bed = makeBed({
      acls: [{ name: "OUT", rules: ["permit udp any any eq 53", "reject udp any any"] }],
      ports: [{ ipv4: "10.0.1.1/24" }, { ipv4: "10.0.2.1/24", acl_out: "OUT" }],
    });
    expect(arrive(bed, [17, udp(53)], [17, udp(54)])).toEqual([true, false]);
    expect(bed.a.packets4.map(({ payload }) => [...payload.subarray(0, 2)])).toEqual([[3, 13]]);
    say(bed, "ping 10.0.2.10 -c 1");
    expect(bed.b.packets4.at(-1)?.payload[0]).toBe(8);
  });

  it("lets a later fragment pass where a rule permits its addresses, and not by a rule that denies ports", () => {
    const whole = encodeUdp4(A, B, { sourcePort: 1, targetPort: 53, data: bytes(100) });
    const send = (bed: Bed) => {
      bed.a.send4(ROUTER_MAC, { target: B, protocol: 17, fragmentOffset: 64 }, whole.subarray(64));
      bed.bench.run();
      return bed.b.packets4.length;
    };
    expect(send(bedWith(["deny udp any any eq 53", "permit udp any any eq 54"]))).toBe(1);
    expect(send(bedWith(["deny udp any any eq 53", "deny udp any any"]))).toBe(0);
  });

  it("logs the packets of its rules with log, the last 64 of them", () => {
    const bed = bedWith([
      "deny udp any any eq 53 log",
      "permit udp any any log",
      "deny icmp any any log",
      "permit ip any any",
    ]);
    arrive(bed, [17, udp(53)], [17, udp(54)], [1, encodeEcho(1, 1, NO_DATA)], [6, tcp(80)]);
    const [count, ...lines] = say(bed, "show logging");
    expect(count).toBe("3 lines since the log was cleared, the last 3 of them:");
    expect(lines.map((line) => line.replace(/^[\d:.]+ /, ""))).toEqual([
      "list L rule 10 denied in Ethernet0: udp 10.0.1.10:4000 -> 10.0.2.10:53",
      "list L rule 20 permitted in Ethernet0: udp 10.0.1.10:4000 -> 10.0.2.10:54",
      "list L rule 30 denied in Ethernet0: icmp 10.0.1.10 -> 10.0.2.10 type 8 code 0",
    ]);
    for (let port = 0; port < 70; port++) arrive(bed, [17, udp(1_000 + port)]);
    const log = say(bed, "show logging");
    expect([log[0], log.length]).toEqual(["73 lines since the log was cleared, the last 64 of them:", 65]);
    expect(log.at(-1)).toMatch(/^00:\d\d:\d\d\.\d{6} list L rule 20 .* -> 10\.0\.2\.10:1069$/);
    expect(say(bed, "clear logging")).toEqual([]);
    expect(say(bed, "show logging")).toEqual(["0 lines since the log was cleared, the last 0 of them:"]);
  });
});

describe("an IPv6 access list", () => {
  const bed6 = (...rules: readonly string[]): Bed =>
    makeBed({
      acls: [{ name: "SIX", family: "ipv6", rules }],
      ports: [{ ipv6: "2001:db8:1::1/64", acl6_in: "SIX" }, { ipv6: "2001:db8:2::1/64" }],
    });
  const arrive6 = (bed: Bed, nextHeader: number, payload: Uint8Array): boolean => {
    const before = bed.b.packets6.length;
    bed.a.send6(ROUTER_MAC, { target: B6, nextHeader }, payload);
    bed.bench.run();
    return bed.b.packets6.length > before;
  };
  const udp6 = (targetPort: number) => encodeUdp({ sourcePort: 1, targetPort, data: bytes(4) }, 0);

  it("decides by addresses, ports and types", () => {
    const bed = bed6(
      "permit udp host 2001:db8:1::10 2001:db8:2::/64 eq 53",
      "permit icmpv6 any any type 128",
    );
    expect([
      arrive6(bed, 17, udp6(53)),
      arrive6(bed, 17, udp6(54)),
      arrive6(bed, 58, encodeIcmpv6(128, 0, 1, NO_DATA)),
      arrive6(bed, 58, encodeIcmpv6(1, 4, 0, bytes(60))),
    ]).toEqual([true, false, true, false]);
  });

  it("reports a rejected packet as administratively prohibited", () => {
    const bed = bed6("reject udp any any");
    arrive6(bed, 17, udp6(53));
    expect(bed.a.packets6.map(({ payload }) => [...payload.subarray(0, 2)])).toEqual([[1, 1]]);
  });

  it("does not look at neighbour discovery", () => {
    const bed = bed6("permit udp any any");
    expect(arrive6(bed, 17, udp6(1))).toBe(true);
  });

  it("finds ports after extension headers", () => {
    const bed = bed6("permit udp any any eq 53");
    const options = (next: number) => Uint8Array.of(next, 0, 1, 4, 0, 0, 0, 0);
    const send = (port: number) => {
      const before = bed.b.packets6.length;
      const frame = encodePlain6(60, Uint8Array.of(...options(17), ...udp6(port)));
      bed.bench.inject("R1", 0, frame);
      bed.bench.run();
      return bed.b.packets6.length > before;
    };
    expect([send(53), send(54)]).toEqual([true, false]);
  });
});
const encodePlain6 = (nextHeader: number, payload: Uint8Array): Uint8Array =>
  encodeEthernet(ROUTER_MAC, MAC_A, 0x86dd, encodeIpv6({ source: A6, target: B6, nextHeader }, payload));
