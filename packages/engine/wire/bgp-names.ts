/** Names of the numbers in BGP messages (IANA's registry of BGP parameters). */
import { BGP, CEASE, ERROR, HEADER_ERROR, OPEN_ERROR, UPDATE_ERROR } from "./bgp.ts";
import { CAPABILITY } from "./bgp-open.ts";
import type { Names } from "./protocol.ts";

export const MESSAGES: Names = {
  [BGP.open]: "OPEN",
  [BGP.update]: "UPDATE",
  [BGP.notification]: "NOTIFICATION",
  [BGP.keepalive]: "KEEPALIVE",
  [BGP.routeRefresh]: "ROUTE-REFRESH",
};

export const AFIS: Names = { 1: "IPv4", 2: "IPv6", 25: "L2VPN", 16388: "link state" };
export const SAFIS: Names = {
  1: "unicast",
  2: "multicast",
  4: "labeled unicast",
  70: "EVPN",
  128: "VPN",
  133: "flow specification",
};

export const CAPABILITIES: Names = {
  [CAPABILITY.multiprotocol]: "multiprotocol",
  [CAPABILITY.routeRefresh]: "route refresh",
  [CAPABILITY.extendedNextHop]: "extended next hop",
  [CAPABILITY.extendedMessage]: "extended message",
  9: "role",
  [CAPABILITY.gracefulRestart]: "graceful restart",
  [CAPABILITY.as4]: "AS numbers of 4 bytes",
  67: "dynamic capabilities",
  [CAPABILITY.addPath]: "ADD-PATH",
  [CAPABILITY.enhancedRouteRefresh]: "enhanced route refresh",
  71: "long-lived graceful restart",
  73: "host name",
  76: "paths limit",
  128: "route refresh of Cisco",
};

export const ERRORS: Names = {
  [ERROR.header]: "Message Header Error",
  [ERROR.open]: "OPEN Message Error",
  [ERROR.update]: "UPDATE Message Error",
  [ERROR.holdTimer]: "Hold Timer Expired",
  [ERROR.stateMachine]: "Neighbor Events Error",
  [ERROR.cease]: "Cease",
  [ERROR.refresh]: "ROUTE-REFRESH Message Error",
};

const SUBCODES: Readonly<Record<number, Names>> = {
  [ERROR.header]: {
    [HEADER_ERROR.notSynchronized]: "Connection Not Synchronized",
    [HEADER_ERROR.badLength]: "Bad Message Length",
    [HEADER_ERROR.badType]: "Bad Message Type",
  },
  [ERROR.open]: {
    [OPEN_ERROR.version]: "Unsupported Version Number",
    [OPEN_ERROR.peerAs]: "Bad Peer AS",
    [OPEN_ERROR.identifier]: "Bad BGP Identifier",
    [OPEN_ERROR.parameter]: "Unsupported Optional Parameter",
    [OPEN_ERROR.holdTime]: "Unacceptable Hold Time",
    [OPEN_ERROR.capability]: "Unsupported Capability",
    11: "Role Mismatch",
  },
  [ERROR.update]: {
    [UPDATE_ERROR.attributeList]: "Malformed Attribute List",
    [UPDATE_ERROR.unknownWellKnown]: "Unrecognized Well-known Attribute",
    [UPDATE_ERROR.missingWellKnown]: "Missing Well-known Attribute",
    [UPDATE_ERROR.flags]: "Attribute Flags Error",
    [UPDATE_ERROR.length]: "Attribute Length Error",
    [UPDATE_ERROR.origin]: "Invalid ORIGIN Attribute",
    [UPDATE_ERROR.nextHop]: "Invalid NEXT_HOP Attribute",
    [UPDATE_ERROR.optional]: "Optional Attribute Error",
    [UPDATE_ERROR.network]: "Invalid Network Field",
    [UPDATE_ERROR.asPath]: "Malformed AS_PATH",
  },
  // RFC 6608.
  [ERROR.stateMachine]: {
    1: "Unexpected Message in OpenSent",
    2: "Unexpected Message in OpenConfirm",
    3: "Unexpected Message in Established",
  },
  [ERROR.cease]: {
    [CEASE.maximumPrefixes]: "Maximum Number of Prefixes Reached",
    [CEASE.administrativeShutdown]: "Administrative Shutdown",
    [CEASE.deconfigured]: "Peer De-configured",
    [CEASE.administrativeReset]: "Administrative Reset",
    [CEASE.rejected]: "Connection Rejected",
    [CEASE.configurationChange]: "Other Configuration Change",
    [CEASE.collision]: "Connection Collision Resolution",
    [CEASE.resources]: "Out of Resources",
    [CEASE.hardReset]: "Hard Reset",
    [CEASE.bfdDown]: "BFD Down",
  },
  [ERROR.refresh]: { 1: "Invalid Message Length" },
};

export const subcodesOf = (code: number): Names => SUBCODES[code] ?? {};

export const ORIGINS: Names = { 0: "IGP", 1: "EGP", 2: "incomplete" };
export const SEGMENTS: Names = {
  1: "set",
  2: "sequence",
  3: "sequence of a confederation",
  4: "set of a confederation",
};
export const COMMUNITY_NAMES: Names = {
  4294901760: "graceful shutdown",
  4294902426: "blackhole",
  4294967041: "no export",
  4294967042: "no advertise",
  4294967043: "local AS",
  4294967044: "no peer",
};

/** Bits 0x3f of the second byte of an extended community (RFC 4360, section 4). */
export const EXTENDED_KINDS: Names = { 2: "route target", 3: "route origin" };
