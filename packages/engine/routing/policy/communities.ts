/** Communities of BGP as texts: standard ones (RFC 1997), large ones (RFC 8092), and extended ones (RFC 4360). */
import { parseIpv4 } from "../../wire/ipv4-address.ts";
import type { ExtendedCommunity, LargeCommunity } from "./route.ts";

/** FRR's names. */
const NAMES: ReadonlyMap<string, number> = new Map([
  ["graceful-shutdown", 0xffff_0000],
  ["accept-own", 0xffff_0001],
  ["route-filter-translated-v4", 0xffff_0002],
  ["route-filter-v4", 0xffff_0003],
  ["route-filter-translated-v6", 0xffff_0004],
  ["route-filter-v6", 0xffff_0005],
  ["llgr-stale", 0xffff_0006],
  ["no-llgr", 0xffff_0007],
  ["accept-own-nexthop", 0xffff_0008],
  ["blackhole", 0xffff_029a],
  ["no-export", 0xffff_ff01],
  ["no-advertise", 0xffff_ff02],
  ["local-AS", 0xffff_ff03],
  ["no-peer", 0xffff_ff04],
]);
const NAME_OF: ReadonlyMap<number, string> = new Map([...NAMES].map(([name, value]) => [value, name]));

const MAX_16 = 0xffff;
const MAX_32 = 0xffff_ffff;

/** The numbers of a text with colons; undefined if one is no number up to its bound. */
function parts(text: string, ...most: readonly number[]): number[] | undefined {
  const words = text.split(":");
  if (words.length !== most.length) return undefined;
  const numbers = words.map((word) => (/^\d{1,10}$/.test(word) ? Number(word) : Number.NaN));
  return numbers.every((number, at) => number <= most[at]!) ? numbers : undefined;
}

export function parseCommunity(text: string): number | undefined {
  const named = NAMES.get(text) ?? NAMES.get(text.toLowerCase());
  if (named !== undefined) return named;
  if (text.toLowerCase() === "local-as") return NAMES.get("local-AS");
  const [high, low] = parts(text, MAX_16, MAX_16) ?? [];
  return high === undefined ? undefined : high * 0x1_0000 + low!;
}

export const formatCommunity = (community: number): string =>
  NAME_OF.get(community) ?? `${community >>> 16}:${community & MAX_16}`;

export function parseLargeCommunity(text: string): LargeCommunity | undefined {
  const [global, first, second] = parts(text, MAX_32, MAX_32, MAX_32) ?? [];
  return global === undefined ? undefined : [global, first!, second!];
}

export const formatLargeCommunity = (community: LargeCommunity): string => community.join(":");

const SUBTYPES = { rt: 2, soo: 3 } as const;

/** `65000:1`, `4200000000:1` or `10.0.0.1:1`, as a route target or a site of origin. */
export function parseExtendedCommunity(what: "rt" | "soo", text: string): ExtendedCommunity | undefined {
  const subtype = SUBTYPES[what] << 16;
  const [, dotted, low] = /^(\d+\.\d+\.\d+\.\d+):(\d{1,5})$/.exec(text) ?? [];
  const address = dotted === undefined ? null : parseIpv4(dotted);
  if (address !== null)
    return Number(low) > MAX_16 ? undefined : words(0x0100_0000 + subtype, address, Number(low));
  const short = parts(text, MAX_16, MAX_32);
  if (short !== undefined) return [subtype + short[0]!, short[1]!];
  const long = parts(text, MAX_32, MAX_16);
  return long === undefined ? undefined : words(0x0200_0000 + subtype, long[0]!, long[1]!);
}

/** Four bytes and two, behind the type. */
const words = (type: number, four: number, two: number): ExtendedCommunity => [
  type + (four >>> 16),
  ((four & MAX_16) * 0x1_0000 + two) >>> 0,
];

export const sortedCommunities = (communities: readonly number[]): number[] =>
  [...new Set(communities)].sort((a, b) => a - b);

export const sortedLargeCommunities = (communities: readonly LargeCommunity[]): LargeCommunity[] =>
  [...new Map(communities.map((each) => [formatLargeCommunity(each), each])).values()].sort(
    (a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2],
  );
