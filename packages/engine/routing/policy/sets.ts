/** `set ...`: what an entry of a route map changes. */
import { exclude, leftmost, parseSystem, prepend } from "./as-path.ts";
import {
  address4,
  address6,
  type Clause,
  MAX_32,
  number,
  type ParsedClause,
  parseClause,
  word,
} from "./clauses.ts";
import {
  parseCommunity,
  parseExtendedCommunity,
  parseLargeCommunity,
  sortedCommunities,
  sortedLargeCommunities,
} from "./communities.ts";
import type { JudgingLists } from "./judging-lists.ts";
import { originOf } from "./matches.ts";
import type { BgpAttributes, Judge, JudgedRoute } from "./route.ts";

/** @returns the route with what is changed. */
type Change = (route: JudgedRoute, policies: JudgingLists) => JudgedRoute;

export interface SetAction {
  readonly judges: readonly Judge[];
  readonly change: Change;
}

const BGP: readonly Judge[] = ["bgp"];
const MOST_PREPENDED = 64;

/** A route without attributes of BGP stays as it is. */
const ofBgp =
  (
    change: (bgp: BgpAttributes, route: JudgedRoute, policies: JudgingLists) => Partial<BgpAttributes>,
  ): Change =>
  (route, policies) =>
    route.bgp === undefined
      ? route
      : { ...route, bgp: { ...route.bgp, ...change(route.bgp, route, policies) } };

/** A number, or one that is added or subtracted; the result stays within its 32 bits. */
const adjusted =
  (then: (adjust: (before: number | null) => number) => Change) =>
  (words: readonly string[]): Change | undefined =>
    word((text) => {
      const [, sign, digits] = /^([+-]?)(\d{1,10})$/.exec(text) ?? [];
      const value = Number(digits);
      if (digits === undefined || value > MAX_32) return undefined;
      if (sign === "+") return then((before) => Math.min(MAX_32, (before ?? 0) + value));
      if (sign === "-") return then((before) => Math.max(0, (before ?? 0) - value));
      return then(() => value);
    })(words);

const listOf = <T>(words: readonly string[], parse: (word: string) => T | undefined): T[] | undefined => {
  const found = words.map(parse).filter((each) => each !== undefined);
  return words.length === 0 || found.length < words.length ? undefined : found;
};

function prependWords(words: readonly string[]): Change | undefined {
  if (words[0] === "last-as")
    return number(1, 10, (times) =>
      ofBgp(({ asPath, peerAs }) => {
        const last = leftmost(asPath) ?? peerAs;
        return last === undefined
          ? {}
          : {
              asPath: prepend(
                asPath,
                Array.from({ length: times }, () => last),
              ),
            };
      }),
    )(words.slice(1));
  const systems = words.length > MOST_PREPENDED ? undefined : listOf(words, parseSystem);
  return systems && ofBgp(({ asPath }) => ({ asPath: prepend(asPath, systems) }));
}

/** `none`, or communities that replace those of the route, or join them with `additive`. */
const communityWords =
  <T>(
    parse: (word: string) => T | undefined,
    change: (communities: readonly T[], isAdditive: boolean) => Change,
  ) =>
  (words: readonly string[]): Change | undefined => {
    if (words.length === 1 && words[0] === "none") return change([], false);
    const isAdditive = words.at(-1) === "additive";
    const communities = listOf(isAdditive ? words.slice(0, -1) : words, parse);
    return communities && change(communities, isAdditive);
  };

/** The name of a list, and `delete`. */
const deleted =
  (change: (name: string) => Change) =>
  ([name, verb, ...more]: readonly string[]): Change | undefined =>
    name === undefined || verb !== "delete" || more.length > 0 ? undefined : change(name);

const hop4 = (words: readonly string[]): Change | undefined => {
  const [rule] = words;
  if (words.length === 1 && (rule === "peer-address" || rule === "unchanged"))
    return (route) => ({ ...route, nextHopRule: rule });
  return address4<Change>((nextHop) => (route) => ({ ...route, nextHop, nextHopRule: undefined }))(words);
};

export const SETS: readonly Clause<Change>[] = [
  {
    head: "metric",
    syntax: "METRIC",
    about: "the metric; +N and -N change it",
    judges: ["ospf", "rip", "bgp"],
    parse: adjusted((adjust) => (route) => ({ ...route, metric: adjust(route.metric), isMetricSet: true })),
  },
  {
    head: "metric-type",
    syntax: "type-1|type-2",
    about: "the type of external routes of OSPF",
    judges: ["ospf"],
    parse: word((text) => {
      const [, type] = /^type-([12])$/.exec(text) ?? [];
      return type === undefined ? undefined : (route) => ({ ...route, metricType: type as "1" | "2" });
    }),
  },
  {
    head: "tag",
    syntax: "NUMBER",
    about: "the tag",
    judges: ["ospf", "rip", "bgp"],
    parse: number(1, MAX_32, (tag) => (route) => ({ ...route, tag })),
  },
  {
    head: "ip next-hop",
    syntax: "ADDR|peer-address|unchanged",
    about: "the next hop: an address, the neighbour's, or the one that the route has",
    judges: ["rip", "bgp"],
    parse: hop4,
  },
  {
    head: "ipv6 next-hop global",
    syntax: "ADDR",
    about: "the next hop of routes of IPv6",
    judges: BGP,
    parse: address6((nextHop) => (route) => ({ ...route, nextHop, nextHopRule: undefined })),
  },
  {
    head: "ipv6 next-hop local",
    syntax: "ADDR",
    about: "its link-local address",
    judges: BGP,
    parse: address6((linkLocal) => (route) => ({ ...route, linkLocal })),
  },
  {
    head: "ipv6 next-hop peer-address",
    about: "the neighbour's address as the next hop",
    judges: BGP,
    parse: (words) => (words.length > 0 ? undefined : (route) => ({ ...route, nextHopRule: "peer-address" })),
  },
  {
    head: "local-preference",
    syntax: "METRIC",
    about: "the local preference; +N and -N change it",
    judges: BGP,
    parse: adjusted((adjust) =>
      ofBgp(({ localPreference }) => ({ localPreference: adjust(localPreference) })),
    ),
  },
  {
    head: "weight",
    syntax: "NUMBER",
    about: "the weight",
    judges: BGP,
    parse: number(0, MAX_32, (weight) => ofBgp(() => ({ weight }))),
  },
  {
    head: "origin",
    syntax: "egp|igp|incomplete",
    about: "the origin",
    judges: BGP,
    parse: word((text) => {
      const origin = originOf(text);
      return origin === undefined ? undefined : ofBgp(() => ({ origin }));
    }),
  },
  {
    head: "as-path prepend",
    syntax: "[last-as] AS...",
    about: "systems in front of the path; last-as N: its first one, N times",
    judges: BGP,
    parse: prependWords,
  },
  {
    head: "as-path exclude",
    syntax: "AS...",
    about: "the path without these systems",
    judges: BGP,
    parse: (words) => {
      const systems = listOf(words, parseSystem);
      return systems && ofBgp(({ asPath }) => ({ asPath: exclude(asPath, systems) }));
    },
  },
  {
    head: "community",
    syntax: "COMMUNITY... [additive]",
    about: "the communities, or none; additive: beside those of the route",
    judges: BGP,
    parse: communityWords(parseCommunity, (own, isAdditive) =>
      ofBgp(({ communities }) => ({
        communities: sortedCommunities([...(isAdditive ? communities : []), ...own]),
      })),
    ),
  },
  {
    head: "comm-list",
    syntax: "NAME delete",
    about: "without the communities that the list permits",
    judges: BGP,
    parse: deleted((name) =>
      ofBgp(({ communities }, _, policies) => ({
        communities: communities.filter((each) => !policies.communities(name, [each])),
      })),
    ),
  },
  {
    head: "large-community",
    syntax: "LARGE-COMMUNITY... [additive]",
    about: "the large communities, or none; additive: beside those of the route",
    judges: BGP,
    parse: communityWords(parseLargeCommunity, (own, isAdditive) =>
      ofBgp(({ largeCommunities }) => ({
        largeCommunities: sortedLargeCommunities([...(isAdditive ? largeCommunities : []), ...own]),
      })),
    ),
  },
  {
    head: "large-comm-list",
    syntax: "NAME delete",
    about: "without the large communities that the list permits",
    judges: BGP,
    parse: deleted((name) =>
      ofBgp(({ largeCommunities }, _, policies) => ({
        largeCommunities: largeCommunities.filter((each) => !policies.large(name, [each])),
      })),
    ),
  },
  ...(["rt", "soo"] as const).map(
    (what): Clause<Change> => ({
      head: `extcommunity ${what}`,
      syntax: "EXTENDED...",
      about:
        what === "rt"
          ? "route targets, beside those of the route"
          : "sites of origin, beside those of the route",
      judges: BGP,
      parse: (words) => {
        const own = listOf(words, (text) => parseExtendedCommunity(what, text));
        return (
          own &&
          ofBgp(({ extendedCommunities }) => ({ extendedCommunities: [...extendedCommunities, ...own] }))
        );
      },
    }),
  ),
  {
    head: "distance",
    syntax: "NUMBER",
    about: "the distance in the table of routes",
    judges: BGP,
    parse: number(0, 255, (distance) => (route) => ({ ...route, distance })),
  },
  {
    head: "atomic-aggregate",
    about: "the mark of an aggregate",
    judges: BGP,
    parse: (words) => (words.length > 0 ? undefined : ofBgp(() => ({ isAtomicAggregate: true }))),
  },
  {
    head: "aggregator as",
    syntax: "AS ADDR",
    about: "the system and the router that made an aggregate",
    judges: BGP,
    parse: ([system, ...rest]) => {
      const as = parseSystem(system ?? "");
      return as === undefined
        ? undefined
        : address4((address) => ofBgp(() => ({ aggregator: { system: as, address } })))(rest);
    },
  },
  {
    head: "originator-id",
    syntax: "ADDR",
    about: "the router that the route came from in its system",
    judges: BGP,
    parse: address4((originatorId) => ofBgp(() => ({ originatorId }))),
  },
];

export function parseSet(text: string): ParsedClause<SetAction> | string {
  const parsed = parseClause("set", SETS, text);
  if (typeof parsed === "string") return parsed;
  const { judges } = SETS.find(({ head }) => head === parsed.head)!;
  return { ...parsed, does: { judges, change: parsed.does } };
}
