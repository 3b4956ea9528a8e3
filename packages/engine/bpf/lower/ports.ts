/** Ports and port ranges of TCP, UDP and SCTP, over IPv4 (first fragments only) and IPv6 (no extension headers). */
import { and, anyOf, branch, not, or, type Test } from "../flow.ts";
import { B, H, JSET, K } from "../instructions.ts";
import { ETHERTYPE, IP_PROTOCOL } from "../names/numbers.ts";
import type { Direction } from "../syntax.ts";
import type { LoweringContext } from "./context.ts";
import { inDirection, type Side } from "./direction.ts";
import { carries } from "./link-protocol.ts";
import { type Base, fieldCompares, fieldEquals, fieldIsAmong, load } from "./loads.ts";

export type PortRange = { readonly low: number; readonly high: number };

/** The transport of a port; null means any of TCP, UDP and SCTP. */
export type PortTransport = "tcp" | "udp" | "sctp" | null;

const PORT_OFFSETS = { src: 0, dst: 2 } as const;
const FRAGMENT_OFFSET_BITS = 0x1fff;

/** A single port, as `port` means it. */
export function isPort(
  context: LoweringContext,
  port: number,
  transport: PortTransport,
  direction: Direction | null,
): Test {
  const v4 = isIpv4Port(context, port, transport, direction);
  return or(isIpv6Port(context, port, transport, direction), v4);
}

/** A range, as `portrange` means it; the ends may come in either order. */
export function isPortInRange(
  context: LoweringContext,
  range: PortRange,
  transport: PortTransport,
  direction: Direction | null,
): Test {
  const inRange = (base: Base) => (offset: number) => isFieldWithin(context, base, offset, range);
  const v4 = overIpv4(context, transport, direction, inRange("ipv4 transport"));
  return or(overIpv6(context, transport, direction, inRange("ipv6 transport")), v4);
}

function isFieldWithin(context: LoweringContext, base: Base, offset: number, range: PortRange): Test {
  const atLeast = fieldCompares(context, base, offset, H, ">=", Math.min(range.low, range.high));
  return and(atLeast, fieldCompares(context, base, offset, H, "<=", Math.max(range.low, range.high)));
}

export function isIpv4Port(
  context: LoweringContext,
  port: number,
  transport: PortTransport,
  direction: Direction | null,
): Test {
  return overIpv4(context, transport, direction, (offset) =>
    fieldEquals(context, "ipv4 transport", offset, H, port),
  );
}

export function isIpv6Port(
  context: LoweringContext,
  port: number,
  transport: PortTransport,
  direction: Direction | null,
): Test {
  return overIpv6(context, transport, direction, (offset) =>
    fieldEquals(context, "ipv6 transport", offset, H, port),
  );
}

/**
 * Tests for any of several ports: the frame's protocols once for all, then all source ports, then all destination ports.
 * This equals the best result of libpcap's optimiser, made from a sixth of its initial blocks.
 */
export function isOneOfPorts(
  context: LoweringContext,
  ports: readonly number[],
  transport: PortTransport,
  direction: Direction | null,
): Test {
  const candidates = context.makeCandidates(ports);
  return overEither(context, transport, (base) =>
    direction === "src and dst"
      ? anyOf(ports, (port) =>
          inDirection(direction, (side) => fieldEquals(context, base, PORT_OFFSETS[side], H, port)),
        )
      : inDirection(direction, (side) => fieldIsAmong(context, base, PORT_OFFSETS[side], H, candidates)),
  );
}

/** Does the same for ranges, from which libpcap's optimiser removes fewer duplicate tests. */
export function isInOneOfPortRanges(
  context: LoweringContext,
  ranges: readonly PortRange[],
  transport: PortTransport,
  direction: Direction | null,
): Test {
  return overEither(context, transport, (base) => {
    const isWithin = (range: PortRange, side: Side): Test =>
      isFieldWithin(context, base, PORT_OFFSETS[side], range);
    return direction === "src and dst"
      ? anyOf(ranges, (range) => inDirection(direction, (side) => isWithin(range, side)))
      : inDirection(direction, (side) => anyOf(ranges, (range) => isWithin(range, side)));
  });
}

/** Tests over IPv6, then IPv4; `test` compares the ports of the transport header that begins at `base`. */
function overEither(context: LoweringContext, transport: PortTransport, test: (base: Base) => Test): Test {
  const v6 = and(carriesTransport(context, "ip6", transport), test("ipv6 transport"));
  return or(v6, and(carriesTransport(context, "ip", transport), test("ipv4 transport")));
}

/** Tests for IPv4 or IPv6 with one of the transports; an IPv4 packet must be a first fragment. */
function carriesTransport(context: LoweringContext, header: "ip" | "ip6", transport: PortTransport): Test {
  const carried = carries(context, ETHERTYPE[header]);
  const transports = transport === null ? (["sctp", "tcp", "udp"] as const) : [transport];
  const offset = header === "ip" ? 9 : 6;
  const inside = anyOf(transports, (name) => fieldEquals(context, "network", offset, B, IP_PROTOCOL[name]));
  const whole = and(carried, inside);
  return header === "ip" ? and(whole, isFirstFragment(context)) : whole;
}

/** Tests that the fragment offset is zero: only then does the packet contain the transport header. */
export function isFirstFragment(context: LoweringContext): Test {
  return not(branch(load(context, "network", 6, H), JSET | K, FRAGMENT_OFFSET_BITS));
}

type PortTest = (offset: number) => Test;

function overIpv4(
  context: LoweringContext,
  transport: PortTransport,
  direction: Direction | null,
  test: PortTest,
): Test {
  const ip = carries(context, ETHERTYPE.ip);
  const ports = forTransports(transport, (protocol) => {
    const carried = and(fieldEquals(context, "network", 9, B, protocol), isFirstFragment(context));
    return and(
      carried,
      inDirection(direction, (side) => test(PORT_OFFSETS[side])),
    );
  });
  return and(ip, ports);
}

function overIpv6(
  context: LoweringContext,
  transport: PortTransport,
  direction: Direction | null,
  test: PortTest,
): Test {
  const ip6 = carries(context, ETHERTYPE.ip6);
  const ports = forTransports(transport, (protocol) => {
    const carried = fieldEquals(context, "network", 6, B, protocol);
    return and(
      carried,
      inDirection(direction, (side) => test(PORT_OFFSETS[side])),
    );
  });
  return and(ip6, ports);
}

/** The program tests SCTP, TCP, then UDP, but the tests are made as TCP, UDP, then SCTP, to allocate registers in that order. */
function forTransports(transport: PortTransport, make: (protocol: number) => Test): Test {
  if (transport !== null) return make(IP_PROTOCOL[transport]);
  const tcp = make(IP_PROTOCOL.tcp);
  const tcpOrUdp = or(tcp, make(IP_PROTOCOL.udp));
  return or(make(IP_PROTOCOL.sctp), tcpOrUdp);
}
