/**
 * Reads path attributes. Each malformed attribute has the handling of RFC 7606, section 7, and the error of RFC 4271, section 6.3.
 *
 * The result depends on nothing but the bytes and the form of the session, so a memory can keep it.
 */
import { type BgpNotification, ERROR, UPDATE_ERROR } from "./bgp.ts";
import { mergeAsPaths } from "./bgp-as-path.ts";
import { ATTRIBUTE_KINDS, type AttributeKind, type Draft, hasRightFlags } from "./bgp-attribute-kinds.ts";
import {
  AS_TRANS,
  ATTRIBUTE,
  ATTRIBUTE_FLAG,
  LOCAL_ATTRIBUTES,
  type PathAttributes,
} from "./bgp-attributes.ts";
import type { AttributeFault, UpdateForm } from "./bgp-update.ts";

/** One attribute in its bytes. */
export interface RawAttribute {
  readonly flags: number;
  readonly type: number;
  readonly value: Uint8Array;
  /** With flags, type and length. */
  readonly bytes: Uint8Array;
}

export interface ReadAttributes {
  readonly attributes: PathAttributes;
  readonly nextHop: number | null;
  /** The types of the attributes that were read or were malformed. */
  readonly present: ReadonlySet<number>;
  readonly faults: readonly AttributeFault[];
  /** The session ends. */
  readonly reset?: { readonly error: BgpNotification; readonly text: string };
}

type Action = AttributeFault["action"];

export const fault = (action: Action, subcode: number, text: string, data: Uint8Array): AttributeFault => ({
  action,
  text,
  notification: { code: ERROR.update, subcode, data },
});

export function flagsFault({ flags, bytes }: RawAttribute, name: string): AttributeFault {
  const text = `${name} with the flags 0x${flags.toString(16)}`;
  return fault("treat-as-withdraw", UPDATE_ERROR.flags, text, bytes);
}

export const discarded = ({ bytes }: RawAttribute, text: string): AttributeFault =>
  fault("attribute-discard", UPDATE_ERROR.attributeList, text, bytes);

/** Reads all attributes but those with prefixes, each of another type. */
export function readAttributes(all: readonly RawAttribute[], form: UpdateForm): ReadAttributes {
  const draft: Draft = { ...LOCAL_ATTRIBUTES, nextHop: null };
  const unknown: RawAttribute[] = [];
  const faults: AttributeFault[] = [];
  const present = new Set<number>();
  for (const raw of all) {
    const kind = ATTRIBUTE_KINDS.get(raw.type);
    present.add(raw.type);
    if (kind === undefined) {
      if (!(raw.flags & ATTRIBUTE_FLAG.optional))
        return { ...read(draft, unknown, form), present, faults, reset: unknownWellKnown(raw) };
      if (raw.flags & ATTRIBUTE_FLAG.transitive) unknown.push(raw);
    } else {
      const found = faultOf(raw, kind, draft, form);
      if (found !== undefined) faults.push(found);
    }
  }
  return { ...read(draft, unknown, form), present, faults };
}

const unknownWellKnown = ({ type, bytes }: RawAttribute): NonNullable<ReadAttributes["reset"]> => ({
  error: { code: ERROR.update, subcode: UPDATE_ERROR.unknownWellKnown, data: bytes },
  text: `unknown well-known attribute ${type}`,
});

function faultOf(
  raw: RawAttribute,
  kind: AttributeKind,
  draft: Draft,
  form: UpdateForm,
): AttributeFault | undefined {
  if (kind.discardedFrom === "external" && form.session === "external")
    return discarded(raw, `${kind.name} from an external neighbour`);
  if (kind.discardedFrom === "new" && form.hasAs4)
    return discarded(raw, `${kind.name} from a neighbour with AS numbers of 4 bytes`);
  if (!hasRightFlags(raw.flags, kind.flags)) return flagsFault(raw, kind.name);
  const subcode = kind.read(raw.value, draft, form);
  return subcode === undefined
    ? undefined
    : fault(kind.malformed, subcode, `malformed ${kind.name} of ${raw.value.length} bytes`, raw.bytes);
}

function read(
  { nextHop, as4Path, as4Aggregator, ...attributes }: Draft,
  unknown: readonly RawAttribute[],
  { hasAs4 }: UpdateForm,
): Pick<ReadAttributes, "attributes" | "nextHop"> {
  if (unknown.length > 0)
    attributes.unknown = unknown.map(({ flags, type, value }) => ({ flags, type, value: value.slice() }));
  // RFC 6793, section 4.2.3: an aggregator without AS_TRANS was made by a speaker that did not know the other two attributes.
  const isOld = attributes.aggregator !== null && attributes.aggregator.system !== AS_TRANS;
  if (!hasAs4 && !isOld) {
    if (as4Path !== undefined) attributes.asPath = mergeAsPaths(attributes.asPath, as4Path);
    if (as4Aggregator !== undefined && attributes.aggregator !== null) attributes.aggregator = as4Aggregator;
  }
  return { attributes, nextHop };
}

const NAMES_OF_MP: Readonly<Record<number, string>> = {
  [ATTRIBUTE.reach]: "MP_REACH_NLRI",
  [ATTRIBUTE.unreach]: "MP_UNREACH_NLRI",
};

export const attributeName = (type: number): string =>
  ATTRIBUTE_KINDS.get(type)?.name ?? NAMES_OF_MP[type] ?? `attribute ${type}`;
