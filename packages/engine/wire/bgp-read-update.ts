/** Reads UPDATE messages (`bgp-update.ts` has their form) with the error handling of RFC 7606. */
import { concatBytes, readU16 } from "../base/bytes.ts";
import { type BgpFamily, ERROR, type FamilyCode, type NextHop, type Nlri, UPDATE_ERROR } from "./bgp.ts";
import { hasRightFlags } from "./bgp-attribute-kinds.ts";
import { ATTRIBUTE, ATTRIBUTE_FLAG } from "./bgp-attributes.ts";
import { readNlri } from "./bgp-nlri.ts";
import { isUsableNextHop, readReach, readUnreach } from "./bgp-reach.ts";
import {
  attributeName,
  discarded,
  fault,
  flagsFault,
  type RawAttribute,
  type ReadAttributes,
  readAttributes,
} from "./bgp-read-attributes.ts";
import type { Announcement, AttributeFault, UpdateForm, UpdateResult } from "./bgp-update.ts";

/** Attributes by the form of a session and their bytes: equal bytes are decoded once, and give one object. */
export interface AttributeMemory {
  readonly known: Map<string, ReadAttributes>;
  /** With more entries, the memory forgets all of them. */
  readonly most: number;
}

export const makeAttributeMemory = (most = 65_536): AttributeMemory => ({ known: new Map(), most });

type Reset = Extract<UpdateResult, { error: unknown }>;

const reset = (subcode: number, text: string, data: Uint8Array = new Uint8Array(0)): Reset => ({
  error: { code: ERROR.update, subcode, data },
  text,
});

/** @param body of the message, without its header. */
export function decodeUpdate(body: Uint8Array, form: UpdateForm, memory?: AttributeMemory): UpdateResult {
  const places = placesOf(body);
  if (places === undefined)
    return reset(UPDATE_ERROR.attributeList, "the lengths of the UPDATE message do not fit it");
  const hasPathId = form.addPath.includes("ipv4");
  const withdrawn = readNlri(body, 2, places.withdrawnEnd, "ipv4", hasPathId);
  if (withdrawn === null) return reset(UPDATE_ERROR.network, "a withdrawn prefix is malformed");
  const prefixes = readNlri(body, places.end, body.length, "ipv4", hasPathId);
  if (prefixes === null) return reset(UPDATE_ERROR.network, "a prefix is malformed");
  const list = splitAttributes(body.subarray(places.start, places.end));
  if ("error" in list) return list;
  const mp = readMultiprotocol(list, form);
  if ("error" in mp) return mp;
  const own = recall(list, form, memory);
  if (own.reset !== undefined) return own.reset;
  return assemble(withdrawn, prefixes, mp, own, [...list.faults, ...mp.faults, ...own.faults], form);
}

interface Places {
  readonly withdrawnEnd: number;
  /** Of the attributes. */
  readonly start: number;
  readonly end: number;
}

/** Returns undefined if the lengths do not fit the body. */
export function placesOf(body: Uint8Array): Places | undefined {
  if (body.length < 4) return undefined;
  const withdrawnEnd = 2 + readU16(body, 0);
  const start = withdrawnEnd + 2;
  if (start > body.length) return undefined;
  const end = start + readU16(body, withdrawnEnd);
  return end > body.length ? undefined : { withdrawnEnd, start, end };
}

interface AttributeList {
  /** Without those of prefixes. */
  readonly own: readonly RawAttribute[];
  readonly reach?: RawAttribute;
  readonly unreach?: RawAttribute;
  /** All bytes of `own`. */
  readonly bytes: Uint8Array;
  readonly faults: readonly AttributeFault[];
}

function splitAttributes(bytes: Uint8Array): AttributeList | Reset {
  const first = new Map<number, RawAttribute>();
  const faults: AttributeFault[] = [];
  for (let at = 0; at < bytes.length; ) {
    const raw = attributeAt(bytes, at);
    if (raw === undefined) {
      const text = "a path attribute is longer than the path attributes";
      faults.push(fault("treat-as-withdraw", UPDATE_ERROR.length, text, bytes.subarray(at)));
      break;
    }
    if (!first.has(raw.type)) first.set(raw.type, raw);
    else if (raw.type === ATTRIBUTE.reach || raw.type === ATTRIBUTE.unreach)
      return reset(UPDATE_ERROR.attributeList, `${attributeName(raw.type)} occurs twice`);
    else faults.push(discarded(raw, `${attributeName(raw.type)} occurs twice`));
    at += raw.bytes.length;
  }
  const reach = first.get(ATTRIBUTE.reach);
  const unreach = first.get(ATTRIBUTE.unreach);
  first.delete(ATTRIBUTE.reach);
  first.delete(ATTRIBUTE.unreach);
  const own = [...first.values()];
  return {
    own,
    bytes:
      reach === undefined && unreach === undefined && faults.length === 0
        ? bytes
        : concatBytes(...own.map((raw) => raw.bytes)),
    faults,
    ...(reach && { reach }),
    ...(unreach && { unreach }),
  };
}

/** Returns undefined if the attribute does not end within the bytes. */
export function attributeAt(bytes: Uint8Array, at: number): RawAttribute | undefined {
  const flags = bytes[at]!;
  const headBytes = flags & ATTRIBUTE_FLAG.extended ? 4 : 3;
  if (at + headBytes > bytes.length) return undefined;
  const end = at + headBytes + (headBytes === 4 ? readU16(bytes, at + 2) : bytes[at + 2]!);
  if (end > bytes.length) return undefined;
  return {
    flags,
    type: bytes[at + 1]!,
    value: bytes.subarray(at + headBytes, end),
    bytes: bytes.subarray(at, end),
  };
}

interface Multiprotocol {
  readonly reach: Announcement | null;
  readonly unreach: { readonly family: BgpFamily; readonly prefixes: readonly Nlri[] } | null;
  readonly faults: readonly AttributeFault[];
  readonly ignored: readonly FamilyCode[];
}

/** A malformed value ends the session, because its prefixes are unknown (RFC 7606, sections 5.3 and 7.11). */
function readMultiprotocol({ reach, unreach }: AttributeList, form: UpdateForm): Multiprotocol | Reset {
  const faults: AttributeFault[] = [];
  const ignored: FamilyCode[] = [];
  for (const raw of [reach, unreach])
    if (raw !== undefined && !hasRightFlags(raw.flags, ATTRIBUTE_FLAG.optional))
      faults.push(flagsFault(raw, attributeName(raw.type)));
  const reached = reach && readReach(reach.value, form);
  const withdrawn = unreach && readUnreach(unreach.value, form);
  for (const [raw, value] of [
    [reach, reached],
    [unreach, withdrawn],
  ] as const) {
    if (value === null)
      return reset(UPDATE_ERROR.optional, `malformed ${attributeName(raw!.type)}`, raw!.bytes);
    if (value !== undefined && "unread" in value) ignored.push(value.unread);
  }
  const announcement = reached && !("unread" in reached) ? reached : null;
  if (announcement !== null && !isUsableNextHop(announcement.nextHop))
    faults.push(
      fault(
        "treat-as-withdraw",
        UPDATE_ERROR.optional,
        "MP_REACH_NLRI has an impossible next hop",
        reach!.bytes,
      ),
    );
  return {
    reach: announcement,
    unreach: withdrawn && !("unread" in withdrawn) ? withdrawn : null,
    faults,
    ignored,
  };
}

function recall({ own, bytes }: AttributeList, form: UpdateForm, memory?: AttributeMemory): ReadAttributes {
  if (memory === undefined) return readAttributes(own, form);
  const key = `${form.hasAs4 ? 4 : 2}${form.session.charAt(0)}${textOf(bytes)}`;
  const known = memory.known.get(key);
  if (known !== undefined) return known;
  if (memory.known.size >= memory.most) memory.known.clear();
  const fresh = readAttributes(own, form);
  memory.known.set(key, fresh);
  return fresh;
}

const MOST_ARGUMENTS = 4_096;

function textOf(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += MOST_ARGUMENTS)
    text += String.fromCharCode(...bytes.subarray(at, at + MOST_ARGUMENTS));
  return text;
}

function assemble(
  withdrawnNow: readonly Nlri[],
  prefixes: readonly Nlri[],
  { reach, unreach, ignored }: Multiprotocol,
  own: ReadAttributes,
  found: readonly AttributeFault[],
  form: UpdateForm,
): UpdateResult {
  const withdrawn = [...withdrawnNow, ...(unreach?.prefixes ?? [])];
  const isAnnouncing = prefixes.length > 0 || (reach !== null && reach.prefixes.length > 0);
  const faults = isAnnouncing ? [...found, ...missingOf(own, form, prefixes.length > 0)] : found;
  const malformed = faults.find(({ action }) => action === "treat-as-withdraw");
  if (!isAnnouncing) {
    // The attribute that was lost may have had prefixes (RFC 7606, section 5.2).
    if (malformed !== undefined) return { error: malformed.notification, text: malformed.text };
    const isEmpty =
      withdrawn.length === 0 && reach === null && own.present.size === 0 && ignored.length === 0;
    const endOf = isEmpty ? (unreach?.family ?? "ipv4") : null;
    return { update: { withdrawn, announced: [], attributes: null, endOf }, faults, ignored };
  }
  if (malformed !== undefined) {
    const all = [...withdrawn, ...prefixes, ...(reach?.prefixes ?? [])];
    return { update: { withdrawn: all, announced: [], attributes: null, endOf: null }, faults, ignored };
  }
  const nextHop: NextHop = { family: "ipv4", address: own.nextHop ?? 0 };
  const announced: Announcement[] = [
    ...(prefixes.length > 0 ? [{ family: "ipv4" as const, nextHop, prefixes }] : []),
    ...(reach !== null && reach.prefixes.length > 0 ? [reach] : []),
  ];
  return { update: { withdrawn, announced, attributes: own.attributes, endOf: null }, faults, ignored };
}

/** RFC 7606, section 3, item d. */
function missingOf({ present }: ReadAttributes, form: UpdateForm, needsNextHop: boolean): AttributeFault[] {
  const needed = [
    ATTRIBUTE.origin,
    ATTRIBUTE.asPath,
    ...(needsNextHop ? [ATTRIBUTE.nextHop] : []),
    ...(form.session === "internal" ? [ATTRIBUTE.localPreference] : []),
  ];
  return needed
    .filter((type) => !present.has(type))
    .map((type) =>
      fault(
        "treat-as-withdraw",
        UPDATE_ERROR.missingWellKnown,
        `${attributeName(type)} is missing`,
        Uint8Array.of(type),
      ),
    );
}
