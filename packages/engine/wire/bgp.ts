/**
 * Messages of BGP-4 (RFC 4271, section 4): the stream of a TCP connection of port 179.
 *
 *     0             16         18       19
 *     marker (ff)   length     type     body
 *
 * `bgp-stream.ts` cuts a stream into messages, `bgp-open.ts` has the OPEN message with its capabilities, `bgp-update.ts` the UPDATE message.
 */
import { concatBytes, readU16, writeU16 } from "../base/bytes.ts";

export const BGP_PORT = 179;
export const BGP_VERSION = 4;
export const BGP_HEADER_BYTES = 19;
export const BGP_MAX_BYTES = 4_096;
export const MARKER_BYTES = 16;

export const BGP = { open: 1, update: 2, notification: 3, keepalive: 4, routeRefresh: 5 } as const;

/** Address family identifiers, and subsequent ones (RFC 4760). */
export const AFI = { ipv4: 1, ipv6: 2 } as const;
export const SAFI_UNICAST = 1;

/** The families whose routes the codec reads and writes, unicast. */
export type BgpFamily = "ipv4" | "ipv6";

export interface FamilyCode {
  readonly afi: number;
  readonly safi: number;
}

/** Codes of NOTIFICATION (RFC 4271, section 4.5; RFC 7313). */
export const ERROR = {
  header: 1,
  open: 2,
  update: 3,
  holdTimer: 4,
  stateMachine: 5,
  cease: 6,
  refresh: 7,
} as const;
export const HEADER_ERROR = { notSynchronized: 1, badLength: 2, badType: 3 } as const;
export const OPEN_ERROR = {
  unspecific: 0,
  version: 1,
  peerAs: 2,
  identifier: 3,
  parameter: 4,
  holdTime: 6,
  capability: 7,
} as const;
export const UPDATE_ERROR = {
  attributeList: 1,
  unknownWellKnown: 2,
  missingWellKnown: 3,
  flags: 4,
  length: 5,
  origin: 6,
  nextHop: 8,
  optional: 9,
  network: 10,
  asPath: 11,
} as const;
/** RFC 4486; RFC 8538; RFC 9384. */
export const CEASE = {
  maximumPrefixes: 1,
  administrativeShutdown: 2,
  deconfigured: 3,
  administrativeReset: 4,
  rejected: 5,
  configurationChange: 6,
  collision: 7,
  resources: 8,
  hardReset: 9,
  bfdDown: 10,
} as const;

/** Why a speaker closes a session. */
export interface BgpNotification {
  readonly code: number;
  readonly subcode: number;
  readonly data: Uint8Array;
}

export interface FamilyNextHop extends FamilyCode {
  readonly nextHopAfi: number;
}
export interface RestartFamily extends FamilyCode {
  /** Bit 0x80: forwarding state was kept. */
  readonly flags: number;
}
export interface PathFamily extends FamilyCode {
  /** 1: receives several paths, 2: sends them, 3: both. */
  readonly mode: number;
}

/** RFC 5492. The kinds are of RFC 4760, 2918, 8950, 6793, 4724, 7911, 7313 and 8654. */
export type Capability =
  | ({ readonly kind: "multiprotocol" } & FamilyCode)
  | { readonly kind: "route-refresh" }
  | { readonly kind: "enhanced-route-refresh" }
  | { readonly kind: "extended-message" }
  | { readonly kind: "as4"; readonly system: number }
  | { readonly kind: "extended-next-hop"; readonly families: readonly FamilyNextHop[] }
  | {
      readonly kind: "graceful-restart";
      /** Bit 8: the speaker restarted; bit 4: NOTIFICATION too keeps routes (RFC 8538). */
      readonly flags: number;
      readonly seconds: number;
      readonly families: readonly RestartFamily[];
    }
  | { readonly kind: "add-path"; readonly families: readonly PathFamily[] }
  | { readonly kind: "unknown"; readonly code: number; readonly value: Uint8Array };

export interface BgpOpen {
  readonly version: number;
  /** Of 2 bytes: `AS_TRANS` if the capability `as4` has more. */
  readonly system: number;
  readonly holdSeconds: number;
  readonly identifier: number;
  readonly capabilities: readonly Capability[];
}

/** A prefix in an update. `pathId` if the session has ADD-PATH for the family. Host bits are 0. */
export type Nlri =
  | { readonly family: "ipv4"; readonly address: number; readonly length: number; readonly pathId?: number }
  | { readonly family: "ipv6"; readonly address: bigint; readonly length: number; readonly pathId?: number };

/** An IPv4 address, or an IPv6 address with its link-local one (RFC 2545), also for IPv4 prefixes (RFC 8950). */
export type NextHop =
  | { readonly family: "ipv4"; readonly address: number }
  | { readonly family: "ipv6"; readonly address: bigint; readonly linkLocal?: bigint };

/** RFC 2918; RFC 7313: the subtypes 1 and 2 begin and end a refresh. */
export interface RouteRefresh extends FamilyCode {
  readonly subtype: number;
}

export function encodeMessage(type: number, ...body: readonly Uint8Array[]): Uint8Array {
  const message = concatBytes(new Uint8Array(BGP_HEADER_BYTES), ...body);
  message.fill(0xff, 0, MARKER_BYTES);
  writeU16(message, MARKER_BYTES, message.length);
  message[TYPE_AT] = type;
  return message;
}

const TYPE_AT = 18;

export const encodeKeepalive = (): Uint8Array => encodeMessage(BGP.keepalive);

export const encodeNotification = ({ code, subcode, data }: BgpNotification): Uint8Array =>
  encodeMessage(BGP.notification, Uint8Array.of(code, subcode), data);

/** Returns null if the body is too short: such a message cannot be answered (RFC 4271, section 6.4). */
export const decodeNotification = (body: Uint8Array): BgpNotification | null =>
  body.length < 2 ? null : { code: body[0]!, subcode: body[1]!, data: body.slice(2) };

const REFRESH_BYTES = 4;

export function encodeRouteRefresh({ afi, subtype, safi }: RouteRefresh): Uint8Array {
  const body = new Uint8Array(REFRESH_BYTES);
  writeU16(body, 0, afi);
  body[2] = subtype;
  body[3] = safi;
  return encodeMessage(BGP.routeRefresh, body);
}

/** RFC 7313, section 5: a message of another length ends the session, and its error has the message. */
export function decodeRouteRefresh(
  body: Uint8Array,
): { readonly refresh: RouteRefresh } | { readonly error: BgpNotification } {
  if (body.length !== REFRESH_BYTES)
    return { error: { code: ERROR.refresh, subcode: 1, data: encodeMessage(BGP.routeRefresh, body) } };
  return { refresh: { afi: readU16(body, 0), subtype: body[2]!, safi: body[3]! } };
}
