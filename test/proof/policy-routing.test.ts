/** Our policy routing and `ip rule` of the kernel, with the same rules, choose the same next hops for the same random packets. */

import { formatAnyAddress, formatAnyPrefix } from "@wirelab/engine/net/address/prefix";
import { encodeEthernet, targetMac } from "@wirelab/engine/wire/ethernet";
import { decodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { encodeIpv6Checked } from "@wirelab/engine/wire/ipv6";
import { formatIpv6, parseIpv6 } from "@wirelab/engine/wire/ipv6-address";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parsePbrRule } from "../../packages/engine/devices/router/services/policy/parse-pbr-rule.ts";
import type { PbrRule } from "../../packages/engine/devices/router/services/policy/pbr-rule.ts";
import { TCP_ACK, TCP_SYN } from "../../packages/engine/wire/tcp.ts";
import { Draws } from "../helpers/nftables/draws.ts";
import { ip } from "../helpers/nftables/ip.ts";
import { KernelRouter, nftablesObstacle, type Sent } from "../helpers/nftables/kernel-router.ts";
import { HOST_MACS, macOfSide, NETWORKS, ROUTER_MACS } from "../helpers/nftables/network.ts";
import { OurRouter } from "../helpers/nftables/our-router.ts";
import { frameOf, icmp, tcp, udp } from "../helpers/nftables/packets.ts";

const why = nftablesObstacle();
const MAPS = 20;
const RULES = 8;
const PACKETS_PER_MAP = 130;
/** Beyond port 0 and beyond port 1. The table of routes leads to the last one. */
const GATEWAYS = ["10.0.1.12", "10.0.2.10", "10.0.2.11", "10.0.2.12"].map(ip);
const SENDERS = ["10.0.1.10", "10.0.1.11", "172.16.0.1", "172.16.0.130"].map(ip);
const TARGETS = ["192.0.2.1", "192.0.2.130", "198.51.100.7", "203.0.113.9"].map(ip);
const GATEWAYS6 = ["2001:db8:1::c", "2001:db8:2::a", "2001:db8:2::b", "2001:db8:2::c"];
const SENDERS6 = ["2001:db8:1::a", "2001:db8:1::b", "2001:db8:a::1", "2001:db8:a:8000::1"];
const TARGETS6 = ["2001:db8:c::1", "2001:db8:c:8000::1", "2001:db8:d::7", "2001:db8:e::9"];
/** Ports of `ip rule` are neither 0 nor 65535. */
const PORTS = [1, 22, 53, 80, 443, 1_023, 1_024, 8_080, 65_534];
const CODE_POINTS = [0, 8, 18, 46];

/** Each gateway has a MAC of its own, by its place in the list. */
const macOf = (host: number, side: number): number =>
  GATEWAYS.includes(host) ? 0x0200_0000_0a00 + GATEWAYS.indexOf(host) : macOfSide(host, side);
const sideOf = (gateway: number): number => (gateway >>> 8 === NETWORKS[0]! >>> 8 ? 0 : 1);
const sideOf6 = (gateway: string): number => (gateway.startsWith("2001:db8:1:") ? 0 : 1);

const draws = new Draws(process.env.WIRELAB_SEED);
const word = (options: readonly string[]): string => draws.pick(options);
const maybe = (chance: number, text: () => string): string => (draws.below(chance) === 0 ? text() : "");

interface Family {
  readonly bits: 4 | 6;
  readonly sources: readonly string[];
  readonly targets: readonly string[];
  readonly gateways: readonly string[];
}
const IPV4: Family = {
  bits: 4,
  sources: ["10.0.1.0/24", "10.0.1.10/31", "10.0.1.10", "172.16.0.0/16", "172.16.0.128/25", "0.0.0.0/0"],
  targets: ["192.0.2.0/24", "192.0.2.128/25", "198.51.100.7", "203.0.113.0/24", "192.0.0.0/4"],
  gateways: GATEWAYS.map(formatAnyAddress),
};
const IPV6: Family = {
  bits: 6,
  sources: ["2001:db8:1::/64", "2001:db8:1::a", "2001:db8:a::/48", "2001:db8:a:8000::/49", "::/0"],
  targets: ["2001:db8:c::/48", "2001:db8:c:8000::/49", "2001:db8:d::7", "2001:db8:e::/47", "2000::/3"],
  gateways: GATEWAYS6,
};

/** @param vrf whether rules lead to the VRF: next hops are not beyond its interfaces then. */
function drawRule({ bits, sources, targets, gateways }: Family, vrf: boolean): string {
  const protocol = word(["", "", "tcp", "udp", bits === 4 ? "icmp" : "icmpv6", "47"]);
  const hasPorts = protocol === "tcp" || protocol === "udp";
  const usable = vrf ? gateways.slice(0, 1) : gateways;
  const conditions = [
    maybe(2, () => `src-ip ${word(sources)}`),
    maybe(2, () => `dst-ip ${word(targets)}`),
    protocol && `ip-protocol ${protocol}`,
    hasPorts ? maybe(2, () => `src-port ${drawPorts()}`) : "",
    hasPorts ? maybe(2, () => `dst-port ${drawPorts()}`) : "",
    maybe(4, () => `dscp ${draws.pick(CODE_POINTS)}`),
  ];
  const toGateway = `nexthop ${word(usable)}`;
  const action = word([
    toGateway,
    toGateway,
    vrf ? "vrf red" : toGateway,
    vrf ? "vrf red" : toGateway,
    "drop",
  ]);
  return [...conditions, "set", action].filter((each) => each !== "").join(" ");
}

function drawPorts(): string {
  const [one, other] = [draws.pick(PORTS), draws.pick(PORTS)];
  return one >= other ? String(one) : `${one}-${other}`;
}

/** The table of a gateway; that of the VRF is 200. */
const tableOf = (gateway: string, { gateways }: Family): number => 101 + gateways.indexOf(gateway);
const VRF_TABLE = 200;

/** A rule as one of `ip rule`, and one of nftables that marks its code point. @param index of the rule. */
function toLinux(
  { match, dscp, action }: PbrRule,
  index: number,
  family: Family,
): { rule: string; nft: string } {
  const { from, to, protocol, fromPorts, toPorts } = match;
  const bit = 1 << index;
  const words = [
    `pref ${1_000 + index} iif ra`,
    from && from.prefixLength > 0 ? `from ${formatAnyPrefix(from)}` : "",
    to ? `to ${formatAnyPrefix(to)}` : "",
    protocol === undefined ? "" : `ipproto ${protocol}`,
    fromPorts ? `sport ${fromPorts.first}-${fromPorts.last}` : "",
    toPorts ? `dport ${toPorts.first}-${toPorts.last}` : "",
    dscp === undefined ? "" : `fwmark ${bit}/${bit}`,
    action.kind === "drop" ? "blackhole" : "",
    action.kind === "vrf" ? `lookup ${VRF_TABLE}` : "",
    action.kind === "nexthop" ? `lookup ${tableOf(formatAnyAddress(action.hops[0]!.via), family)}` : "",
  ];
  const key = family.bits === 4 ? "ip dscp" : "ip6 dscp";
  return {
    rule: words.filter((each) => each !== "").join(" "),
    nft: dscp === undefined ? "" : `${key} ${dscp} meta mark set meta mark | ${bit}`,
  };
}

function drawFrame4(): Uint8Array {
  const [source, target] = [draws.pick(SENDERS), draws.pick(TARGETS)];
  const ends = { source, target, sourcePort: draws.pick(PORTS), targetPort: draws.pick(PORTS) };
  const fields = {
    source,
    target,
    id: draws.below(65_536),
    ttl: 64,
    typeOfService: draws.pick(CODE_POINTS) * 4 + draws.below(4),
  };
  const [protocol, payload] = draws.pick([
    () => tcp(ends, draws.pick([TCP_SYN, TCP_ACK]), draws.below(40)),
    () => udp(ends, draws.below(40)),
    () => icmp(8, 0, draws.below(40)),
    () => [47, draws.bytes(16)] as const,
  ])();
  const isFragment = draws.below(6) === 0;
  const fragment = isFragment ? { fragmentOffset: 8 * draws.below(2), moreFragments: true } : {};
  return frameOf(0, { ...fields, protocol, ...fragment }, payload);
}

const NEXT_HEADERS = [6, 17, 58, 47];

function drawFrame6(): Uint8Array {
  const [source, target] = [word(SENDERS6), word(TARGETS6)].map((text) => parseIpv6(text)!);
  const nextHeader = draws.pick(NEXT_HEADERS);
  const ports = Uint8Array.of(
    ...[draws.pick(PORTS), draws.pick(PORTS)].flatMap((port) => [port >> 8, port & 255]),
  );
  const upper =
    nextHeader === 58
      ? Uint8Array.of(128, 0, ...draws.bytes(14))
      : Uint8Array.of(...ports, ...draws.bytes(20));
  const [first, payload] = draws.pick([
    () => [nextHeader, upper] as const,
    () => [nextHeader, upper] as const,
    // A fragment, and destination options.
    () => [44, Uint8Array.of(nextHeader, 0, 0, draws.pick([1, 8, 9]), ...draws.bytes(4), ...upper)] as const,
    () => [60, Uint8Array.of(nextHeader, 0, 1, 4, 0, 0, 0, 0, ...upper)] as const,
  ])();
  const trafficClass = draws.pick(CODE_POINTS) * 4;
  const packet = encodeIpv6Checked({ source: source!, target: target!, nextHeader: first }, payload);
  packet[0] = 0x60 | (trafficClass >> 4);
  packet[1] = (trafficClass & 15) << 4;
  return encodeEthernet(ROUTER_MACS[0]!, HOST_MACS[0]!, 0x86dd, packet);
}

/**
 * Where a packet goes: the port and the MAC of the next hop, with the packet; `error` if ICMPv6 reports it. Errors of IPv4 do not count:
 * the kernel limits them for each host by a setting that it does not have in namespaces (`net.ipv4.route.error_cost`).
 */
const decisions = (sent: readonly Sent[], frame: Uint8Array): unknown[] =>
  sent.flatMap(({ side, frame: out }): unknown[] => {
    if (decodeIpv4(out, 14)?.source === NETWORKS[0]! + 1) return [];
    if (formatIpv6Source(out) === "2001:db8:1::1") return ["error"];
    return [{ side, next: targetMac(out), packet: [...out.subarray(14, frame.length)] }];
  });

const formatIpv6Source = (frame: Uint8Array): string =>
  frame[12] === 0x86 ? formatIpv6(BigInt(`0x${Buffer.from(frame.subarray(22, 38)).toString("hex")}`)) : "";

describe.skipIf(why !== undefined)(`policy routing and ip rule${why ? ` (skipped: ${why})` : ""}`, () => {
  let kernel: KernelRouter;
  beforeAll(() => {
    console.log(`The seed is ${draws.seed}: WIRELAB_SEED=${draws.seed} repeats the test`);
    kernel = new KernelRouter([...SENDERS.slice(0, 2), ...GATEWAYS], macOf);
    kernel.enableIpv6();
    for (const [side, dev] of ["ra", "rb"].entries()) {
      kernel.ip(`-6 addr add 2001:db8:${side + 1}::1/64 dev ${dev} nodad`);
      for (const [index, gateway] of GATEWAYS6.entries())
        if (sideOf6(gateway) === side)
          kernel.ip(`-6 neigh add ${gateway} lladdr 02:00:00:00:0a:0${index} dev ${dev} nud permanent`);
    }
    for (const sender of SENDERS6.slice(0, 2))
      kernel.ip(`-6 neigh add ${sender} lladdr 02:00:00:00:00:0a dev ra nud permanent`);
    for (const [index, gateway] of GATEWAYS.entries())
      kernel.ip(
        `route add default via ${formatAnyAddress(gateway)} dev ${sideOf(gateway) === 0 ? "ra" : "rb"} table ${101 + index}`,
      );
    for (const [index, gateway] of GATEWAYS6.entries())
      kernel.ip(
        `-6 route add default via ${gateway} dev ${sideOf6(gateway) === 0 ? "ra" : "rb"} table ${101 + index}`,
      );
    // What the next hop of the table of routes does not have comes back by the first gateway.
    kernel.ip("route add 172.16.0.0/16 via 10.0.1.12");
    kernel.ip("-6 route add 2001:db8:a::/48 via 2001:db8:1::c");
    // The peer's markers pass whatever the rules are.
    for (const network of NETWORKS)
      kernel.ip(`rule add pref 1 from ${formatAnyAddress(network + 250)} lookup main`);
  });
  afterAll(() => kernel?.end());

  test.each([
    ["IPv4", IPV4, false],
    ["IPv6", IPV6, false],
    ["IPv4 with a VRF", IPV4, true],
    ["IPv6 with a VRF", IPV6, true],
  ] as const)(
    `choose the same way for ${MAPS * PACKETS_PER_MAP} packets of %s`,
    async (_what, family, vrf) => {
      const flag = family.bits === 4 ? "-4" : "-6";
      const ways = new Map<string, number>();
      const own = ownProperties(family, vrf);
      for (const line of linuxRoutes(family, vrf)) kernel.ip(`${flag} route replace ${line}`);
      for (let map = 0; map < MAPS; map++) {
        const rules = Array.from({ length: RULES }, () => drawRule(family, vrf));
        const parsed = rules.map((text) => parsePbrRule(text, 1) as PbrRule);
        const linux = parsed.map((rule, index) => toLinux(rule, index, family));
        const marks = linux.map(({ nft }) => nft).filter((each) => each !== "");
        const table = family.bits === 4 ? "ip" : "ip6";
        kernel.load(
          `table ${table} t { chain c { type filter hook prerouting priority -150; ${marks.join("; ")}\n}\n}`,
        );
        for (const { rule } of linux) kernel.ip(`${flag} rule add ${rule}`);
        const ours = new OurRouter(
          { ...own, pbr_maps: [{ name: "P", rules }] },
          [...SENDERS.slice(0, 2), ...GATEWAYS],
          macOf,
          neighbours6(),
        );
        for (let count = 0; count < PACKETS_PER_MAP; count++) {
          const frame = family.bits === 4 ? drawFrame4() : drawFrame6();
          const theirs = decisions(await kernel.exchange(0, frame), frame);
          const sent = decisions(ours.exchange(0, frame), frame);
          expect({ rules, frame, sent }).toEqual({ rules, frame, sent: theirs });
          const way = JSON.stringify(
            theirs.map((each) => (each === "error" ? each : (each as { next: number }).next)),
          );
          ways.set(way, (ways.get(way) ?? 0) + 1);
        }
        for (const { rule } of linux) kernel.ip(`${flag} rule del ${rule}`);
      }
      // Every gateway and every drop was there often: the comparison is one of decisions.
      const expected = vrf && family.bits === 6 ? ["[]", '["error"]'] : ["[]"];
      for (const way of [
        ...expected,
        ...GATEWAYS.map((_, index) => JSON.stringify([0x0200_0000_0a00 + index])),
      ])
        expect([way, (ways.get(way) ?? 0) > 40]).toEqual([way, true]);
    },
  );
});

const neighbours6 = () => [
  ...GATEWAYS6.map(
    (gateway, index) =>
      [sideOf6(gateway), gateway, 0x0200_0000_0a00 + index, Number.MAX_SAFE_INTEGER] as const,
  ),
  ...SENDERS6.slice(0, 2).map((sender) => [0, sender, HOST_MACS[0]!, Number.MAX_SAFE_INTEGER] as const),
];

/** In a VRF: a part of the targets has routes, one is unreachable, one has none. */
const VRF_ROUTES = {
  4: [
    ["192.0.2.0/25", "10.0.2.10"],
    ["192.0.2.128/25", "10.0.2.11"],
    ["198.51.100.0/24", "10.0.2.12"],
    ["203.0.113.0/24", "unreachable"],
  ],
  6: [
    ["2001:db8:c::/49", "2001:db8:2::a"],
    ["2001:db8:c:8000::/49", "2001:db8:2::b"],
    ["2001:db8:d::/48", "2001:db8:2::c"],
    ["2001:db8:e::/48", "unreachable"],
  ],
} as const;

/** Port 1 is in the VRF if there is one; the table of routes leads to the last gateway, or to the first. */
function ownProperties({ bits, gateways }: Family, vrf: boolean): object {
  const via = vrf ? gateways[0] : gateways[3];
  const [all, back] = bits === 4 ? ["0.0.0.0/0", "172.16.0.0/16"] : ["::/0", "2001:db8:a::/48"];
  return {
    ports: [
      { ipv4: "10.0.1.1/24", ipv6: "2001:db8:1::1/64", pbr_policy: "P" },
      { ipv4: "10.0.2.1/24", ipv6: "2001:db8:2::1/64", ...(vrf && { vrf: "red" }) },
    ],
    routes: [
      { to: all, via },
      { to: back, via: gateways[0] },
      ...(vrf ? VRF_ROUTES[bits].map(([to, next]) => ({ to, via: next, vrf: "red" })) : []),
    ],
  };
}

/** The default route, and those of the VRF's table. */
function linuxRoutes({ bits, gateways }: Family, vrf: boolean): string[] {
  const home = `default via ${vrf ? gateways[0] : gateways[3]} dev ${vrf ? "ra" : "rb"}`;
  if (!vrf) return [home];
  const subnet = bits === 4 ? "10.0.2.0/24" : "2001:db8:2::/64";
  return [
    home,
    `${subnet} dev rb table ${VRF_TABLE}`,
    ...VRF_ROUTES[bits].map(([to, next]) =>
      next === "unreachable"
        ? `unreachable ${to} table ${VRF_TABLE}`
        : `${to} via ${next} dev rb table ${VRF_TABLE}`,
    ),
  ];
}
