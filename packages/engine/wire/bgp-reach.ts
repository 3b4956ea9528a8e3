/**
 * Multiprotocol reachability (RFC 4760, sections 3 and 4; RFC 2545; RFC 8950).
 *
 *     MP_REACH_NLRI     AFI (2)   SAFI (1)   length (1)   next hop   reserved (1)   prefixes
 *     MP_UNREACH_NLRI   AFI (2)   SAFI (1)   prefixes
 */
import { readU16, readU32, writeU16, writeU32 } from "../base/bytes.ts";
import { AFI, type BgpFamily, type FamilyCode, type NextHop, type Nlri, SAFI_UNICAST } from "./bgp.ts";
import { readNlri } from "./bgp-nlri.ts";
import type { Announcement, UpdateForm } from "./bgp-update.ts";
import { isHostAddress } from "./ipv4-address.ts";
import { isLinkLocal, isMulticastIpv6, readIpv6, writeIpv6 } from "./ipv6-address.ts";

const FAMILIES: Readonly<Record<number, BgpFamily>> = { [AFI.ipv4]: "ipv4", [AFI.ipv6]: "ipv6" };
const FAMILY_HEAD_BYTES = 3;
const REACH_HEAD_BYTES = 4;

export const familyOf = ({ afi, safi }: FamilyCode): BgpFamily | undefined =>
  safi === SAFI_UNICAST ? FAMILIES[afi] : undefined;

const codeAt = (value: Uint8Array): FamilyCode => ({ afi: readU16(value, 0), safi: value[2]! });

/** A family that the codec does not read; or null if the value is malformed. */
type Unread = { readonly unread: FamilyCode } | null;

export function readReach(value: Uint8Array, form: UpdateForm): Announcement | Unread {
  if (value.length < REACH_HEAD_BYTES + 1) return null;
  const code = codeAt(value);
  const family = familyOf(code);
  if (family === undefined) return { unread: code };
  const nextHopBytes = value[3]!;
  const start = REACH_HEAD_BYTES + nextHopBytes + 1;
  if (start > value.length) return null;
  const nextHop = readNextHop(value.subarray(REACH_HEAD_BYTES, REACH_HEAD_BYTES + nextHopBytes), family);
  const prefixes = readNlri(value, start, value.length, family, form.addPath.includes(family));
  return nextHop && prefixes && { family, nextHop, prefixes };
}

function readNextHop(bytes: Uint8Array, family: BgpFamily): NextHop | null {
  if (bytes.length === 4 && family === "ipv4") return { family: "ipv4", address: readU32(bytes, 0) };
  if (bytes.length === 16) return { family: "ipv6", address: readIpv6(bytes, 0) };
  if (bytes.length !== 32) return null;
  const [address, linkLocal] = [readIpv6(bytes, 0), readIpv6(bytes, 16)];
  return isLinkLocal(linkLocal) ? { family: "ipv6", address, linkLocal } : { family: "ipv6", address };
}

/** Whether the address can be of a router. */
export const isUsableNextHop = (nextHop: NextHop): boolean =>
  nextHop.family === "ipv4"
    ? isHostAddress(nextHop.address)
    : nextHop.address > 1n && !isMulticastIpv6(nextHop.address);

export function readUnreach(
  value: Uint8Array,
  form: UpdateForm,
): { readonly family: BgpFamily; readonly prefixes: readonly Nlri[] } | Unread {
  if (value.length < FAMILY_HEAD_BYTES) return null;
  const code = codeAt(value);
  const family = familyOf(code);
  if (family === undefined) return { unread: code };
  const prefixes = readNlri(value, FAMILY_HEAD_BYTES, value.length, family, form.addPath.includes(family));
  return prefixes && { family, prefixes };
}

function head(family: BgpFamily, bytes: number): Uint8Array {
  const value = new Uint8Array(bytes);
  writeU16(value, 0, AFI[family]);
  value[2] = SAFI_UNICAST;
  return value;
}

/** Returns the parts of the value, without its prefixes. */
export function encodeReachHead(family: BgpFamily, nextHop: NextHop): Uint8Array {
  const isLong = nextHop.family === "ipv6" && nextHop.linkLocal !== undefined;
  const nextHopBytes = nextHop.family === "ipv4" ? 4 : isLong ? 32 : 16;
  const value = head(family, REACH_HEAD_BYTES + nextHopBytes + 1);
  value[3] = nextHopBytes;
  if (nextHop.family === "ipv4") writeU32(value, REACH_HEAD_BYTES, nextHop.address);
  else writeIpv6(value, REACH_HEAD_BYTES, nextHop.address);
  if (isLong) writeIpv6(value, REACH_HEAD_BYTES + 16, nextHop.linkLocal!);
  return value;
}

export const encodeUnreachHead = (family: BgpFamily): Uint8Array => head(family, FAMILY_HEAD_BYTES);
