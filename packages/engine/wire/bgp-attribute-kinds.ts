/** The path attributes as a table: their flags, how a value is read, and how a malformed one is handled (RFC 7606, section 7). */
import { readU16, readU32 } from "../base/bytes.ts";
import { UPDATE_ERROR } from "./bgp.ts";
import { isConfederationSegment, readAsPath } from "./bgp-as-path.ts";
import {
  type Aggregator,
  type AsSegment,
  ATTRIBUTE,
  ATTRIBUTE_FLAG,
  type ExtendedCommunity,
  type LargeCommunity,
  ORIGIN,
  type PathAttributes,
} from "./bgp-attributes.ts";
import type { AttributeFault, UpdateForm } from "./bgp-update.ts";
import { isHostAddress } from "./ipv4-address.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Attributes while they are read. */
export interface Draft extends Mutable<PathAttributes> {
  nextHop: number | null;
  as4Path?: readonly AsSegment[];
  as4Aggregator?: Aggregator;
}

/** Returns the subcode of the attribute's error. */
type Read = (value: Uint8Array, draft: Draft, form: UpdateForm) => number | undefined;

export interface AttributeKind {
  readonly name: string;
  readonly flags: number;
  readonly malformed: AttributeFault["action"];
  readonly read: Read;
  /** The attribute is discarded if this is its sender. */
  readonly discardedFrom?: "external" | "new";
}

const WELL_KNOWN = ATTRIBUTE_FLAG.transitive;
const OPTIONAL = ATTRIBUTE_FLAG.optional;
const BOTH = OPTIONAL | WELL_KNOWN;

const isExternal = ({ session }: UpdateForm): boolean => session === "external";
const systemBytesOf = ({ hasAs4 }: UpdateForm): 2 | 4 => (hasAs4 ? 4 : 2);

/** Reads words of `bytes` bytes, one or more. */
const list =
  <T>(
    bytes: number,
    read: (value: Uint8Array, at: number) => T,
    take: (draft: Draft, all: T[]) => void,
  ): Read =>
  (value, draft) => {
    if (value.length === 0 || value.length % bytes !== 0) return UPDATE_ERROR.optional;
    take(
      draft,
      Array.from({ length: value.length / bytes }, (_, index) => read(value, index * bytes)),
    );
    return undefined;
  };

const number4 =
  (take: (draft: Draft, value: number) => void): Read =>
  (value, draft) => {
    if (value.length !== 4) return UPDATE_ERROR.length;
    take(draft, readU32(value, 0));
    return undefined;
  };

function readAggregator(value: Uint8Array, systemBytes: 2 | 4): Aggregator | number {
  if (value.length !== systemBytes + 4) return UPDATE_ERROR.length;
  const system = systemBytes === 4 ? readU32(value, 0) : readU16(value, 0);
  return system === 0 ? UPDATE_ERROR.optional : { system, address: readU32(value, systemBytes) };
}

/** Sorts words and removes those that occur twice. */
const asSet = <T>(all: T[], compare: (a: T, b: T) => number): T[] =>
  all.sort(compare).filter((each, index) => index === 0 || compare(all[index - 1]!, each) !== 0);

const byWords = (a: readonly number[], b: readonly number[]): number => {
  const at = a.findIndex((word, index) => word !== b[index]);
  return at < 0 ? 0 : a[at]! - b[at]!;
};

export const ATTRIBUTE_KINDS: ReadonlyMap<number, AttributeKind> = new Map<number, AttributeKind>([
  [
    ATTRIBUTE.origin,
    {
      name: "ORIGIN",
      flags: WELL_KNOWN,
      malformed: "treat-as-withdraw",
      read: (value, draft) => {
        if (value.length !== 1) return UPDATE_ERROR.length;
        if (value[0]! > ORIGIN.incomplete) return UPDATE_ERROR.origin;
        draft.origin = value[0]!;
        return undefined;
      },
    },
  ],
  [
    ATTRIBUTE.asPath,
    {
      name: "AS_PATH",
      flags: WELL_KNOWN,
      malformed: "treat-as-withdraw",
      read: (value, draft, form) => {
        const path = readAsPath(value, systemBytesOf(form));
        if (path === null || (isExternal(form) && path.some(isConfederationSegment)))
          return UPDATE_ERROR.asPath;
        draft.asPath = path;
        return undefined;
      },
    },
  ],
  [
    ATTRIBUTE.nextHop,
    {
      name: "NEXT_HOP",
      flags: WELL_KNOWN,
      malformed: "treat-as-withdraw",
      read: (value, draft) => {
        if (value.length !== 4) return UPDATE_ERROR.length;
        draft.nextHop = readU32(value, 0);
        return isHostAddress(draft.nextHop) ? undefined : UPDATE_ERROR.nextHop;
      },
    },
  ],
  [
    ATTRIBUTE.med,
    {
      name: "MULTI_EXIT_DISC",
      flags: OPTIONAL,
      malformed: "treat-as-withdraw",
      read: number4((draft, value) => {
        draft.med = value;
      }),
    },
  ],
  [
    ATTRIBUTE.localPreference,
    {
      name: "LOCAL_PREF",
      flags: WELL_KNOWN,
      malformed: "treat-as-withdraw",
      discardedFrom: "external",
      read: number4((draft, value) => {
        draft.localPreference = value;
      }),
    },
  ],
  [
    ATTRIBUTE.atomicAggregate,
    {
      name: "ATOMIC_AGGREGATE",
      flags: WELL_KNOWN,
      malformed: "attribute-discard",
      read: (value, draft) => {
        if (value.length !== 0) return UPDATE_ERROR.length;
        draft.isAtomicAggregate = true;
        return undefined;
      },
    },
  ],
  [
    ATTRIBUTE.aggregator,
    {
      name: "AGGREGATOR",
      flags: BOTH,
      malformed: "attribute-discard",
      read: (value, draft, form) => {
        const aggregator = readAggregator(value, systemBytesOf(form));
        if (typeof aggregator === "number") return aggregator;
        draft.aggregator = aggregator;
        return undefined;
      },
    },
  ],
  [
    ATTRIBUTE.communities,
    {
      name: "COMMUNITIES",
      flags: BOTH,
      malformed: "treat-as-withdraw",
      read: list(4, readU32, (draft, all) => {
        draft.communities = asSet(all, (a, b) => a - b);
      }),
    },
  ],
  [
    ATTRIBUTE.originatorId,
    {
      name: "ORIGINATOR_ID",
      flags: OPTIONAL,
      malformed: "treat-as-withdraw",
      discardedFrom: "external",
      read: number4((draft, value) => {
        draft.originatorId = value;
      }),
    },
  ],
  [
    ATTRIBUTE.clusterList,
    {
      name: "CLUSTER_LIST",
      flags: OPTIONAL,
      malformed: "treat-as-withdraw",
      discardedFrom: "external",
      read: list(4, readU32, (draft, all) => {
        draft.clusterList = all;
      }),
    },
  ],
  [
    ATTRIBUTE.extendedCommunities,
    {
      name: "EXTENDED_COMMUNITIES",
      flags: BOTH,
      malformed: "treat-as-withdraw",
      read: list<ExtendedCommunity>(
        8,
        (value, at) => [readU32(value, at), readU32(value, at + 4)],
        (draft, all) => {
          draft.extendedCommunities = asSet(all, byWords);
        },
      ),
    },
  ],
  [
    ATTRIBUTE.as4Path,
    {
      name: "AS4_PATH",
      flags: BOTH,
      malformed: "attribute-discard",
      discardedFrom: "new",
      read: (value, draft) => {
        const path = readAsPath(value, 4);
        if (path === null) return UPDATE_ERROR.optional;
        draft.as4Path = path.filter((segment) => !isConfederationSegment(segment));
        return undefined;
      },
    },
  ],
  [
    ATTRIBUTE.as4Aggregator,
    {
      name: "AS4_AGGREGATOR",
      flags: BOTH,
      malformed: "attribute-discard",
      discardedFrom: "new",
      read: (value, draft) => {
        const aggregator = readAggregator(value, 4);
        if (typeof aggregator === "number") return aggregator;
        draft.as4Aggregator = aggregator;
        return undefined;
      },
    },
  ],
  [
    ATTRIBUTE.largeCommunities,
    {
      name: "LARGE_COMMUNITY",
      flags: BOTH,
      malformed: "treat-as-withdraw",
      read: list<LargeCommunity>(
        12,
        (value, at) => [readU32(value, at), readU32(value, at + 4), readU32(value, at + 8)],
        (draft, all) => {
          draft.largeCommunities = asSet(all, byWords);
        },
      ),
    },
  ],
]);

/** Whether the bits `optional` and `transitive` are as the attribute's kind has them, and `partial` only where it has a meaning. */
export const hasRightFlags = (flags: number, right: number): boolean =>
  (flags & BOTH) === right && (right === BOTH || (flags & ATTRIBUTE_FLAG.partial) === 0);
