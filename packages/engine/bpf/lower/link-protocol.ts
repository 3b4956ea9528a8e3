/**
 * "The frame carries protocol P": every other test starts with this one. P above 1500 is an EtherType, otherwise an 802.2
 * service access point; each link type encodes them in its own way.
 */
import { and, branch, not, or, statement, type Test } from "../flow.ts";
import { B, H, JEQ, LD, LDX, MEM, W, X } from "../instructions.ts";
import { ETHERTYPE, MAX_8023_LENGTH, NLPID, PPP_PROTOCOL, SAP } from "../names/numbers.ts";
import type { LoweringContext } from "./context.ts";
import { bytesEqual, constantTest, fieldCompares, fieldEquals } from "./loads.ts";

export function carries(context: LoweringContext, protocol: number): Test {
  if (context.mplsDepth > 0) return mplsCarries(context, protocol);
  switch (context.linkType) {
    case "DLT_EN10MB":
      return ethernetCarries(context, protocol);
    case "DLT_C_HDLC": {
      const type = protocol === SAP.iso ? (SAP.iso << 8) | SAP.iso : protocol;
      return fieldEquals(context, "type field", 0, H, type);
    }
    case "DLT_PPP":
    case "DLT_PPP_SERIAL":
      return fieldEquals(context, "type field", 0, H, toPppProtocol(protocol));
    case "DLT_FRELAY":
      return frameRelayCarries(context, protocol);
    case "DLT_ATM_RFC1483":
      return llcCarries(context, protocol);
    case "DLT_NULL":
      return loopbackCarries(context, protocol, swapBytes);
    case "DLT_LOOP":
      return loopbackCarries(context, protocol, (family) => family);
    case "DLT_RAW":
      return rawCarries(context, protocol);
    case "DLT_IPV4":
      return constantTest(protocol === ETHERTYPE.ip);
    case "DLT_IPV6":
      return constantTest(protocol === ETHERTYPE.ip6);
    case "DLT_LINUX_SLL":
      return cookedCarries(context, protocol);
    case "DLT_LINUX_SLL2":
      return fieldEquals(context, "type field", 0, H, protocol);
    default:
      return context.fail(
        "bpf.unsupported",
        `protocols cannot be tested on ${context.linkName}, only len, less, greater, byte and ether[...]`,
      );
  }
}

/** The type field is an 802.3 length, so an 802.2 header follows it. */
export function isLlcFrame(context: LoweringContext): Test {
  return fieldCompares(context, "type field", 0, H, "<=", MAX_8023_LENGTH);
}

function ethernetCarries(context: LoweringContext, protocol: number): Test {
  switch (protocol) {
    case SAP.iso:
    case SAP.ip:
    case SAP.netbeui:
      return and(isLlcFrame(context), fieldEquals(context, "llc", 0, H, (protocol << 8) | protocol));
    case SAP.ipx:
      return ethernetCarriesIpx(context);
    case ETHERTYPE.atalk:
    case ETHERTYPE.aarp: {
      const llc = isLlcFrame(context);
      const organization = protocol === ETHERTYPE.atalk ? 0x080007 : 0;
      const snap = and(llc, isSnap(context, organization, protocol));
      return or(fieldEquals(context, "type field", 0, H, protocol), snap);
    }
    default:
      if (protocol > MAX_8023_LENGTH) return fieldEquals(context, "type field", 0, H, protocol);
      return and(isLlcFrame(context), fieldEquals(context, "type field", 2, B, protocol));
  }
}

/** Novell's four framings: Ethernet II, raw 802.3 (0xffff checksum first), 802.2 and SNAP. */
function ethernetCarriesIpx(context: LoweringContext): Test {
  const bare = or(fieldEquals(context, "llc", 0, B, SAP.ipx), fieldEquals(context, "llc", 0, H, 0xffff));
  const any8023 = or(isSnap(context, 0, ETHERTYPE.ipx), bare);
  const framed = and(isLlcFrame(context), any8023);
  return or(fieldEquals(context, "type field", 0, H, ETHERTYPE.ipx), framed);
}

/** An 802.2 header with SNAP behind it, for this organization and type. */
function isSnap(context: LoweringContext, organization: number, type: number): Test {
  const bytes = [
    SAP.snap,
    SAP.snap,
    0x03,
    organization >> 16,
    organization >> 8,
    organization,
    type >> 8,
    type,
  ];
  return bytesEqual(
    context,
    "llc",
    0,
    bytes.map((byte) => byte & 0xff),
  );
}

function llcCarries(context: LoweringContext, protocol: number): Test {
  switch (protocol) {
    case SAP.ip:
    case SAP.iso:
    case SAP.netbeui:
      return fieldEquals(context, "llc", 0, H, (protocol << 8) | protocol);
    case ETHERTYPE.atalk:
      return isSnap(context, 0x080007, ETHERTYPE.atalk);
    default:
      return protocol <= MAX_8023_LENGTH
        ? fieldEquals(context, "llc", 0, B, protocol)
        : fieldEquals(context, "llc", 6, H, protocol);
  }
}

const UNNUMBERED_INFORMATION = 0x03 << 8;

/** A Q.922 address of two bytes, an unnumbered information frame, then the NLPID. RFC 2427. */
export function frameRelayNlpid(context: LoweringContext, nlpid: number): Test {
  return fieldEquals(context, "link header", 2, H, UNNUMBERED_INFORMATION | nlpid);
}

function frameRelayCarries(context: LoweringContext, protocol: number): Test {
  switch (protocol) {
    case ETHERTYPE.ip:
      return frameRelayNlpid(context, NLPID.ip);
    case ETHERTYPE.ip6:
      return frameRelayNlpid(context, NLPID.ip6);
    case SAP.iso: {
      const [clnp, esis, isis] = [NLPID.clnp, NLPID.esis, NLPID.isis].map((id) =>
        frameRelayNlpid(context, id),
      );
      return or(clnp!, or(esis!, isis!));
    }
    default:
      return constantTest(false);
  }
}

const PPP_PROTOCOLS: ReadonlyMap<number, number> = new Map([
  [ETHERTYPE.ip, PPP_PROTOCOL.ip],
  [ETHERTYPE.ip6, PPP_PROTOCOL.ip6],
  [ETHERTYPE.decnet, PPP_PROTOCOL.decnet],
  [ETHERTYPE.atalk, PPP_PROTOCOL.atalk],
  [ETHERTYPE.xns, PPP_PROTOCOL.xns],
  [SAP.iso, PPP_PROTOCOL.osi],
  [SAP.bridge, PPP_PROTOCOL.bridge],
  [SAP.ipx, PPP_PROTOCOL.ipx],
]);

function toPppProtocol(protocol: number): number {
  return PPP_PROTOCOLS.get(protocol) ?? protocol;
}

const AF_INET = 2;
/** AF_INET6 of NetBSD and OpenBSD, of FreeBSD, and of macOS: the loopback link types are theirs. */
const AF_INET6 = [24, 28, 30] as const;

/** The link header is an address family: DLT_NULL has it in the capturing machine's byte order, DLT_LOOP in the network's. */
function loopbackCarries(
  context: LoweringContext,
  protocol: number,
  inFile: (family: number) => number,
): Test {
  const isFamily = (family: number): Test => fieldEquals(context, "link header", 0, W, inFile(family));
  if (protocol === ETHERTYPE.ip) return isFamily(AF_INET);
  if (protocol !== ETHERTYPE.ip6) return constantTest(false);
  const [bsd, freeBsd, macOs] = AF_INET6;
  const eitherBsd = or(isFamily(bsd), isFamily(freeBsd));
  return or(isFamily(macOs), eitherBsd);
}

/** Converts an address family written by a little-endian machine to the value that a load reads. */
const swapBytes = (family: number): number => (family << 24) >>> 0;

/** No link header: the version is in the first byte of the packet. */
function rawCarries(context: LoweringContext, protocol: number): Test {
  if (protocol === ETHERTYPE.ip) return fieldEquals(context, "link header", 0, B, 0x40, 0xf0);
  if (protocol === ETHERTYPE.ip6) return fieldEquals(context, "link header", 0, B, 0x60, 0xf0);
  return constantTest(false);
}

/** Values of the type field for Novell's raw 802.3 and for 802.2. */
const COOKED_802_3 = 0x0001;
const COOKED_802_2 = 0x0004;

function cookedCarries(context: LoweringContext, protocol: number): Test {
  const hasType = (type: number): Test => fieldEquals(context, "type field", 0, H, type);
  switch (protocol) {
    case SAP.ip:
    case SAP.iso:
    case SAP.netbeui: {
      const llc = hasType(COOKED_802_2);
      return and(llc, fieldEquals(context, "llc", 0, H, (protocol << 8) | protocol));
    }
    case SAP.ipx: {
      const bare = fieldEquals(context, "llc", 0, B, SAP.ipx);
      const any8022 = or(bare, isSnap(context, 0, ETHERTYPE.ipx));
      const llc = and(hasType(COOKED_802_2), any8022);
      const any8023 = or(hasType(COOKED_802_3), llc);
      return or(hasType(ETHERTYPE.ipx), any8023);
    }
    case ETHERTYPE.atalk:
    case ETHERTYPE.aarp: {
      const llc = hasType(COOKED_802_2);
      const organization = protocol === ETHERTYPE.atalk ? 0x080007 : 0;
      const snap = and(llc, isSnap(context, organization, protocol));
      return or(hasType(protocol), snap);
    }
    default: {
      if (protocol > MAX_8023_LENGTH) return hasType(protocol);
      const llc = hasType(COOKED_802_2);
      return and(llc, fieldEquals(context, "llc", 0, B, protocol));
    }
  }
}

const COOKED_OUTGOING = 4;

/** A cooked capture records a packet's direction. Returns null for link types that do not. */
export function isOutgoing(context: LoweringContext): Test | null {
  switch (context.linkType) {
    case "DLT_LINUX_SLL":
      return fieldEquals(context, "link header", 0, H, COOKED_OUTGOING);
    case "DLT_LINUX_SLL2":
      return fieldEquals(context, "link header", 10, B, COOKED_OUTGOING);
    default:
      return null;
  }
}

/** MPLS has no protocol field: tests the bottom-of-stack bit, and the IP version in the next nibble. */
function mplsCarries(context: LoweringContext, protocol: number): Test {
  if (protocol !== ETHERTYPE.ip && protocol !== ETHERTYPE.ip6) {
    return context.fail("bpf.unsupported", "after mpls, only IPv4 and IPv6 can be recognized");
  }
  const bottom = fieldEquals(context, "network", -2, B, 0x01, 0x01);
  const version = protocol === ETHERTYPE.ip ? 0x40 : 0x60;
  return and(bottom, fieldEquals(context, "network", 0, B, version, 0xf0));
}

/** After `geneve`, tests that the tunnel carries an Ethernet frame. Returns null if there is nothing to check. */
export function checkTunnelledFrame(context: LoweringContext): Test | null {
  if (!context.insideGeneve) return null;
  const statements = [
    statement(LD | MEM, context.linkHeader.register),
    statement(LDX | MEM, context.payload.register),
  ];
  return not(branch(statements, JEQ | X, 0));
}
