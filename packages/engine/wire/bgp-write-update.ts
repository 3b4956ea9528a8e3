/** Writes UPDATE messages (`bgp-update.ts` has their form), as many as the prefixes need. */
import { concatBytes, writeU16 } from "../base/bytes.ts";
import {
  BGP,
  BGP_HEADER_BYTES,
  BGP_MAX_BYTES,
  type BgpFamily,
  encodeMessage,
  type NextHop,
  type Nlri,
} from "./bgp.ts";
import { ATTRIBUTE, ATTRIBUTE_FLAG, type PathAttributes } from "./bgp-attributes.ts";
import { encodeNlri, nlriBytes } from "./bgp-nlri.ts";
import { encodeReachHead, encodeUnreachHead } from "./bgp-reach.ts";
import type { UpdateForm } from "./bgp-update.ts";
import { encodeAttributes } from "./bgp-write-attributes.ts";

const LENGTHS_BYTES = 4;
/** Flags, type and a length of 2 bytes. */
const LONG_HEAD_BYTES = 4;

/**
 * Announces prefixes of one family. IPv4 prefixes with an IPv4 next hop are in the message's own fields, others in MP_REACH_NLRI, which
 * comes first (RFC 7606, section 5.1). Returns null if the attributes leave no room for a prefix.
 */
export function encodeAnnouncements(
  attributes: PathAttributes,
  nextHop: NextHop,
  prefixes: readonly Nlri[],
  form: UpdateForm,
): Uint8Array[] | null {
  const family = prefixes[0]?.family;
  if (family === undefined) return [];
  if (family === "ipv4" && nextHop.family === "ipv4") {
    const own = encodeAttributes(attributes, nextHop.address, form);
    return inParts(prefixes, own.length, (part) => encodeUpdate(new Uint8Array(0), own, part));
  }
  const own = encodeAttributes(attributes, null, form);
  const head = encodeReachHead(family, nextHop);
  return inParts(prefixes, own.length + head.length + LONG_HEAD_BYTES, (part) =>
    encodeUpdate(
      new Uint8Array(0),
      concatBytes(mpAttribute(ATTRIBUTE.reach, head, part), own),
      new Uint8Array(0),
    ),
  );
}

/** Withdraws prefixes of one family. */
export function encodeWithdrawals(prefixes: readonly Nlri[]): Uint8Array[] {
  const family = prefixes[0]?.family;
  if (family === undefined) return [];
  if (family === "ipv4")
    return inParts(prefixes, 0, (part) => encodeUpdate(part, new Uint8Array(0), new Uint8Array(0)))!;
  const head = encodeUnreachHead(family);
  return inParts(prefixes, head.length + LONG_HEAD_BYTES, (part) =>
    encodeUpdate(new Uint8Array(0), mpAttribute(ATTRIBUTE.unreach, head, part), new Uint8Array(0)),
  )!;
}

/** RFC 4724, section 2. */
export const encodeEndOfRib = (family: BgpFamily): Uint8Array => {
  const none = new Uint8Array(0);
  return encodeUpdate(
    none,
    family === "ipv4" ? none : mpAttribute(ATTRIBUTE.unreach, encodeUnreachHead(family), none),
    none,
  );
};

/** Always with a length of 2 bytes, so its room does not depend on its prefixes. */
function mpAttribute(type: number, head: Uint8Array, prefixes: Uint8Array): Uint8Array {
  const start = Uint8Array.of(ATTRIBUTE_FLAG.optional | ATTRIBUTE_FLAG.extended, type, 0, 0);
  writeU16(start, 2, head.length + prefixes.length);
  return concatBytes(start, head, prefixes);
}

function encodeUpdate(withdrawn: Uint8Array, attributes: Uint8Array, prefixes: Uint8Array): Uint8Array {
  const before = new Uint8Array(2);
  const between = new Uint8Array(2);
  writeU16(before, 0, withdrawn.length);
  writeU16(between, 0, attributes.length);
  return encodeMessage(BGP.update, before, withdrawn, between, attributes, prefixes);
}

/** Splits prefixes into messages of 4,096 bytes at most; null if not even one prefix fits. */
function inParts(
  prefixes: readonly Nlri[],
  otherBytes: number,
  encode: (part: Uint8Array) => Uint8Array,
): Uint8Array[] | null {
  const room = BGP_MAX_BYTES - BGP_HEADER_BYTES - LENGTHS_BYTES - otherBytes;
  const messages: Uint8Array[] = [];
  let start = 0;
  let bytes = 0;
  for (const [index, prefix] of prefixes.entries()) {
    const more = nlriBytes(prefix);
    if (more > room) return null;
    if (bytes + more > room) {
      messages.push(encode(encodeNlri(prefixes.slice(start, index))));
      start = index;
      bytes = 0;
    }
    bytes += more;
  }
  messages.push(encode(encodeNlri(prefixes.slice(start))));
  return messages;
}
