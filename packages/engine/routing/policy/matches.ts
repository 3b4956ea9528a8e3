/** `match ...`: what an entry of a route map asks of a route. A list that does not exist matches no route, as in FRR. */
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
import type { JudgingLists } from "./judging-lists.ts";
import { type BgpAttributes, type Judge, type JudgedRoute, PROTOCOLS } from "./route.ts";

export interface MatchTest {
  readonly judges: readonly Judge[];
  readonly test: (route: JudgedRoute, policies: JudgingLists) => boolean;
}

type Test = MatchTest["test"];

const ALL: readonly Judge[] = ["zebra", "ospf", "rip", "bgp"];
const BGP: readonly Judge[] = ["bgp"];

const ofBgp =
  (test: (bgp: BgpAttributes, policies: JudgingLists) => boolean): Test =>
  ({ bgp }, policies) =>
    bgp !== undefined && test(bgp, policies);

/** A name of a list, with or without `exact-match`. */
const listOf =
  (test: (name: string, isExact: boolean) => Test) =>
  ([name, exact, ...more]: readonly string[]): Test | undefined =>
    name === undefined || more.length > 0 || (exact !== undefined && exact !== "exact-match")
      ? undefined
      : test(name, exact !== undefined);

const hopList =
  (family: 4 | 6) =>
  (name: string): Test =>
  ({ nextHop }, policies) => {
    if (nextHop === undefined || (typeof nextHop === "number") !== (family === 4)) return false;
    const prefix =
      typeof nextHop === "number"
        ? { address: nextHop, prefixLength: 32 }
        : { address: nextHop, prefixLength: 128 };
    return policies.prefix(family, name, prefix);
  };

const ofFamily = (family: 4 | 6, { prefix }: JudgedRoute): boolean =>
  (typeof prefix.address === "number") === (family === 4);

const addressRows = (family: 4 | 6): readonly Clause<Test>[] => {
  const ip = family === 4 ? "ip" : "ipv6";
  return [
    {
      head: `${ip} address prefix-list`,
      syntax: "NAME",
      about: `routes of IPv${family} that the list permits`,
      judges: family === 4 ? ALL : ["zebra", "bgp"],
      parse: word(
        (name) => (route, policies) => ofFamily(family, route) && policies.prefix(family, name, route.prefix),
      ),
    },
    {
      head: `${ip} address prefix-len`,
      syntax: "LENGTH",
      about: `routes of IPv${family} with this prefix length`,
      judges: ["zebra", "bgp"],
      parse: number(
        0,
        family === 4 ? 32 : 128,
        (length) => (route) => ofFamily(family, route) && route.prefix.prefixLength === length,
      ),
    },
    {
      head: `${ip} next-hop prefix-list`,
      syntax: "NAME",
      about: "routes whose next hop the list permits, as a prefix of its own",
      judges: family === 4 ? ALL : BGP,
      parse: word(hopList(family)),
    },
    {
      head: `${ip} next-hop address`,
      syntax: "ADDR",
      about: "routes with this next hop",
      judges: BGP,
      parse: (family === 4 ? address4<Test> : address6<Test>)(
        (address) =>
          ({ nextHop }) =>
            nextHop === address,
      ),
    },
    {
      head: `${ip} next-hop type`,
      syntax: "blackhole",
      about: "routes that drop packets",
      judges: family === 4 ? ALL : ["zebra", "bgp"],
      parse: word((text) => (text === "blackhole" ? ({ isBlackhole = false }) => isBlackhole : undefined)),
    },
  ];
};

const ORIGINS: Readonly<Record<string, number>> = { igp: 0, egp: 1, incomplete: 2 };

export const originOf = (text: string): number | undefined =>
  Object.hasOwn(ORIGINS, text) ? ORIGINS[text] : undefined;

export const MATCHES: readonly Clause<Test>[] = [
  ...addressRows(4),
  ...addressRows(6),
  {
    head: "interface",
    syntax: "IFNAME",
    about: "routes by way of this interface",
    judges: ALL,
    parse: word((name) => (route) => route.interface === name),
  },
  {
    head: "metric",
    syntax: "NUMBER",
    about: "routes with this metric",
    judges: ["rip", "bgp"],
    parse: number(0, MAX_32, (metric) => (route) => route.metric === metric),
  },
  {
    head: "tag",
    syntax: "NUMBER",
    about: "routes with this tag",
    judges: ALL,
    parse: number(1, MAX_32, (tag) => (route) => route.tag === tag),
  },
  {
    head: "source-protocol",
    syntax: PROTOCOLS.join("|"),
    about: "routes of this protocol",
    judges: ["zebra", "bgp"],
    parse: word((text) =>
      PROTOCOLS.some((each) => each === text) ? ({ protocol }) => protocol === text : undefined,
    ),
  },
  {
    head: "as-path",
    syntax: "NAME",
    about: "routes whose path the list permits",
    judges: BGP,
    parse: word((name) => ofBgp(({ asPath }, policies) => policies.path(name, asPath))),
  },
  {
    head: "community",
    syntax: "NAME [exact-match]",
    about: "routes whose communities the list permits; with exact-match, these and no other ones",
    judges: BGP,
    parse: listOf((name, isExact) =>
      ofBgp(({ communities }, policies) => policies.communities(name, communities, isExact)),
    ),
  },
  {
    head: "large-community",
    syntax: "NAME [exact-match]",
    about: "the same of large communities",
    judges: BGP,
    parse: listOf((name, isExact) =>
      ofBgp(({ largeCommunities }, policies) => policies.large(name, largeCommunities, isExact)),
    ),
  },
  {
    head: "local-preference",
    syntax: "NUMBER",
    about: "routes with this local preference",
    judges: BGP,
    parse: number(0, MAX_32, (preference) => ofBgp(({ localPreference }) => localPreference === preference)),
  },
  {
    head: "origin",
    syntax: "egp|igp|incomplete",
    about: "routes with this origin",
    judges: BGP,
    parse: word((text) => {
      const wanted = originOf(text);
      return wanted === undefined ? undefined : ofBgp(({ origin }) => origin === wanted);
    }),
  },
  {
    head: "peer",
    syntax: "PEER",
    about: "routes of this neighbour, by address or interface; local: of the router",
    judges: BGP,
    parse: word((text) => ofBgp(({ peer }) => peer === text)),
  },
];

export function parseMatch(text: string): ParsedClause<MatchTest> | string {
  const parsed = parseClause("match", MATCHES, text);
  if (typeof parsed === "string") return parsed;
  const { judges } = MATCHES.find(({ head }) => head === parsed.head)!;
  return { ...parsed, does: { judges, test: parsed.does } };
}
