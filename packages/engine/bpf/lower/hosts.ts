/** Addresses: IPv4, IPv6, Ethernet and DECnet hosts and networks. */
import { and, anyOf, or, type Test } from "../flow.ts";
import { B, H, W } from "../instructions.ts";
import { ETHERTYPE } from "../names/numbers.ts";
import type { Direction } from "../syntax.ts";
import type { Protocol } from "../tokens.ts";
import type { Candidates, LoweringContext } from "./context.ts";
import { inDirection } from "./direction.ts";
import { carries, checkTunnelledFrame } from "./link-protocol.ts";
import { bytesEqual, fieldEquals, fieldIsAmong } from "./loads.ts";

/** `host` or `net`: the tests are equal, only the error messages differ. */
export type HostNoun = "host" | "net";

type AddressOffsets = { readonly src: number; readonly dst: number };

const IPV4_OFFSETS: AddressOffsets = { src: 12, dst: 16 };
const IPV6_OFFSETS: AddressOffsets = { src: 8, dst: 24 };
/** The protocol addresses of an Ethernet and IPv4 ARP packet, RFC 826. */
const ARP_OFFSETS: AddressOffsets = { src: 14, dst: 24 };
const ETHERNET_OFFSETS: AddressOffsets = { src: 6, dst: 0 };

/** Tests for an IPv4 address under a mask; without a protocol, in IPv4, ARP or RARP. */
export function isIpv4Host(
  context: LoweringContext,
  address: number,
  mask: number,
  protocol: Protocol | null,
  direction: Direction | null,
  noun: HostNoun,
): Test {
  if (protocol === "decnet") return isDecnetHost(context, address, direction);
  return withinProtocol(context, protocol, noun, (type, offsets) =>
    inDirection(direction, (side) =>
      and(carries(context, type), fieldEquals(context, "network", offsets[side], W, address, mask)),
    ),
  );
}

export type MaskedAddress = { readonly value: number; readonly mask: number };

type MaskedCandidates = { readonly candidates: Candidates; readonly mask: number };

/** Tests for any of several addresses: the protocol once for all, then all sources, then all destinations. */
export function isOneOfIpv4Hosts(
  context: LoweringContext,
  addresses: readonly MaskedAddress[],
  protocol: Protocol | null,
  direction: Direction | null,
  noun: HostNoun,
): Test {
  const groups = candidatesByMask(context, addresses);
  const matches = (offsets: AddressOffsets): Test =>
    direction === "src and dst"
      ? anyOf(addresses, ({ value, mask }) =>
          inDirection(direction, (side) => fieldEquals(context, "network", offsets[side], W, value, mask)),
        )
      : inDirection(direction, (side) =>
          anyOf(groups, ({ candidates, mask }) =>
            fieldIsAmong(context, "network", offsets[side], W, candidates, mask),
          ),
        );
  return withinProtocol(context, protocol, noun, (type, offsets) => {
    const carried = carries(context, type);
    return and(carried, matches(offsets));
  });
}

/** Groups addresses by mask, in the order in which the masks occur. */
function candidatesByMask(context: LoweringContext, addresses: readonly MaskedAddress[]): MaskedCandidates[] {
  const values = new Map<number, number[]>();
  for (const { value, mask } of addresses) {
    const alike = values.get(mask);
    if (alike === undefined) values.set(mask, [value]);
    else alike.push(value);
  }
  return [...values].map(([mask, alike]) => ({ mask, candidates: context.makeCandidates(alike) }));
}

function withinProtocol(
  context: LoweringContext,
  protocol: Protocol | null,
  noun: HostNoun,
  host: (type: number, offsets: AddressOffsets) => Test,
): Test {
  switch (protocol) {
    case null: {
      const ip = host(ETHERTYPE.ip, IPV4_OFFSETS);
      if (context.mplsDepth > 0) return ip;
      const arp = or(ip, host(ETHERTYPE.arp, ARP_OFFSETS));
      return or(arp, host(ETHERTYPE.rarp, ARP_OFFSETS));
    }
    case "ip":
      return host(ETHERTYPE.ip, IPV4_OFFSETS);
    case "arp":
      return host(ETHERTYPE.arp, ARP_OFFSETS);
    case "rarp":
      return host(ETHERTYPE.rarp, ARP_OFFSETS);
    default:
      return context.fail("bpf.bad-qualifier", `"${protocol}" does not go with an IPv4 ${noun}`);
  }
}

/** An IPv6 address under a mask, each four words. */
export function isIpv6Host(
  context: LoweringContext,
  address: readonly number[],
  mask: readonly number[],
  protocol: Protocol | null,
  direction: Direction | null,
  noun: HostNoun,
): Test {
  if (protocol !== null && protocol !== "ip6") {
    return context.fail("bpf.bad-qualifier", `"${protocol}" does not go with an IPv6 ${noun}`);
  }
  return inDirection(direction, (side) => {
    const words = [0, 1, 2, 3].map((i) =>
      fieldEquals(context, "network", IPV6_OFFSETS[side] + 4 * i, W, address[i]!, mask[i]!),
    );
    const all = words.reduceRight((rest, word) => and(word, rest));
    return and(carries(context, ETHERTYPE.ip6), all);
  });
}

export function isEthernetHost(
  context: LoweringContext,
  mac: readonly number[],
  direction: Direction | null,
): Test {
  const tunnelled = checkTunnelledFrame(context);
  const host = inDirection(direction, (side) =>
    bytesEqual(context, "link header", ETHERNET_OFFSETS[side], mac),
  );
  return tunnelled === null ? host : and(tunnelled, host);
}

/**
 * A DECnet node address in the four headers that carry one: long or short format, each with or without a leading byte
 * of padding. The address is little-endian on the wire. Source: DECnet Phase IV routing layer specification, 2.0.0.
 */
function isDecnetHost(context: LoweringContext, address: number, direction: Direction | null): Test {
  const wire = ((address & 0xff) << 8) | ((address >> 8) & 0xff);
  return inDirection(direction, (side) => {
    const long = side === "dst" ? 7 : 15;
    const short = side === "dst" ? 1 : 3;
    const decnet = carries(context, ETHERTYPE.decnet);
    const format = (size: typeof B | typeof H, value: number, mask: number, offset: number): Test => {
      const flags = fieldEquals(context, "network", 2, size, value, mask);
      return and(flags, fieldEquals(context, "network", 2 + offset, H, wire));
    };
    const paddedLong = format(H, 0x8106, 0xff07, 1 + long);
    const plainLong = or(format(B, 0x06, 0x07, long), paddedLong);
    const paddedShort = or(format(H, 0x8102, 0xff07, 1 + short), plainLong);
    const plainShort = or(format(B, 0x02, 0x07, short), paddedShort);
    return and(decnet, plainShort);
  });
}
