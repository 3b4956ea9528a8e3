/** Reads the fields of one expectation. */
import { shown } from "../file/check-shape.ts";
import type { Path } from "../file/problem.ts";
import type { ClaimKey } from "../file/schema.ts";
import type { Comparison } from "../model/comparison.ts";
import type { Claim, PacketSelection, PingMeasure, Probe } from "../model/expectation.ts";
import { parseCount, parseMs, parseRateBps } from "../model/quantity.ts";
import type { ClaimContext, ClaimData, DataOf } from "./claim-context.ts";
import { parseArrow } from "./endpoints.ts";
import { nodeWithConsole, WITH_CONSOLE } from "./names.ts";
import { readComparison } from "./read-comparison.ts";
import { readTime } from "./read-events.ts";
import { readAdjacency, readBest, readRib } from "./read-routing.ts";

const DEFAULT_TRIES = 3;
const DEFAULT_PINGS = 5;
/** The echo port, at which every PC answers. */
const DEFAULT_PORT = 7;

/** @returns undefined after it has reported problems. */
export function readClaim(kind: ClaimKey, data: ClaimData, context: ClaimContext): Claim | undefined {
  const before = context.problems.count;
  const claim = READERS[kind](data as never, context);
  return context.problems.count > before ? undefined : claim;
}

const READERS: { readonly [K in ClaimKey]: (data: DataOf<K>, context: ClaimContext) => Claim | undefined } = {
  reach(data, context) {
    const pairs = readPairs(data.reach, [...context.path, "reach"], context);
    const probes = pairs?.map((pair) => withPort(pair, data)) ?? [];
    if (pairs?.length === 0) context.problems.add([...context.path, "reach"], "names no pair of nodes.");
    return { kind: "reach", probes, tries: data.tries ?? DEFAULT_TRIES };
  },
  ping(data, context) {
    const [pair] = readPairs(data.ping, [...context.path, "ping"], context) ?? [];
    if (pair === undefined) return undefined;
    const intervalNs =
      data.interval === undefined
        ? 1e9
        : readTime(data.interval, [...context.path, "interval"], context.problems);
    return {
      kind: "ping",
      probe: withPort(pair, data),
      count: data.count ?? DEFAULT_PINGS,
      intervalMs: Math.max(1, Math.round((intervalNs ?? 1e9) / 1e6)),
      sizeBytes: data.size ?? 56,
      measures: readMeasures(data, PING_MEASURES, context),
    };
  },
  path(data, context) {
    const [pair] = readPairs(data.path, [...context.path, "path"], context) ?? [];
    const { via, through, hops } = data;
    if (via && through) context.problems.add([...context.path, "through"], "cannot stand beside `via`.");
    if (!via && !through && hops === undefined)
      context.problems.add(context.path, "needs via, through or hops.");
    const list = through ?? via;
    for (const [index, name] of (list ?? []).entries()) {
      context.names.node(name, [...context.path, through ? "through" : "via", index]);
    }
    return (
      pair && {
        kind: "path",
        probe: withPort(pair, data),
        via: list,
        isWhole: through !== undefined,
        hops: hops === undefined ? undefined : readComparison(hops, "hops", parseCount, context),
      }
    );
  },
  seen: (data, context) =>
    selecting(data.seen, "seen", data, context, (packets) => ({ kind: "seen", packets })),
  never: (data, context) =>
    selecting(data.never, "never", data, context, (packets) => ({ kind: "count", packets, is: ZERO })),
  count(data, context) {
    const is = readComparison(data.is, "is", parseCount, context);
    return is && selecting(data.count, "count", data, context, (packets) => ({ kind: "count", packets, is }));
  },
  mac(data, context) {
    const node = context.names.nodeOf(["ethernet_switch", "router"], "a switch or a router", data.mac, [
      ...context.path,
      "mac",
    ]);
    if (!/:/.test(data.has)) context.names.node(data.has, [...context.path, "has"]);
    const port =
      node && data.port !== undefined
        ? context.names.port(node, data.port, [...context.path, "port"])
        : undefined;
    return { kind: "mac", node: data.mac, has: data.has, port, vlan: data.vlan };
  },
  arp(data, context) {
    context.names.nodeOf(["vpcs", "router"], "a PC or a router", data.arp, [...context.path, "arp"]);
    if (!/^[0-9.]+$/.test(data.has)) context.names.node(data.has, [...context.path, "has"]);
    return { kind: "arp", node: data.arp, has: data.has, mac: data.mac?.toLowerCase() };
  },
  route(data, context) {
    context.names.nodeOf(["router"], "a router", data.route, [...context.path, "route"]);
    return { kind: "route", node: data.route, to: data.to, via: data.via };
  },
  adjacency: readAdjacency,
  rib: readRib,
  best: readBest,
  lease(data, context) {
    context.names.nodeOf(["vpcs"], "a PC", data.lease, [...context.path, "lease"]);
    return { kind: "lease", node: data.lease, address: data.address, gateway: data.gateway };
  },
  console(data, context) {
    context.names.nodeOf(WITH_CONSOLE, nodeWithConsole(), data.console, [...context.path, "console"]);
    const { contains, matches } = data;
    if ((contains === undefined) === (matches === undefined)) {
      context.problems.add(context.path, "needs either contains or matches.");
      return undefined;
    }
    const pattern = readPattern(contains, matches, context);
    return (
      pattern && {
        kind: "console",
        node: data.console,
        matches: pattern,
        isPattern: matches !== undefined,
        shown: contains ?? `/${matches}/`,
      }
    );
  },
  throughput(data, context) {
    const [pair] = readPairs(data.throughput, [...context.path, "throughput"], context) ?? [];
    const measures = readMeasures(
      data,
      { is: parseRateBps, resent: parseCount, timeouts: parseCount },
      context,
    );
    if (data.is === undefined && data.resent === undefined && data.timeouts === undefined)
      context.problems.add(context.path, "needs is, resent or timeouts.");
    const ends = pair ? [pair.from, pair.to].map((name) => context.names.nodes.get(name)?.spec.type) : [];
    if (pair !== undefined && !ends.includes("server"))
      context.problems.add([...context.path, "throughput"], "names no server: one of the two must be one.");
    return pair && { kind: "throughput", ...pair, transfer: data.transfer, measures };
  },
  filter(data, context) {
    const link = context.names.link(data.filter, [...context.path, "filter"]);
    const measures = readMeasures(
      data,
      { seen: parseCount, dropped: parseCount, corrupted: parseCount },
      context,
    );
    if (Object.keys(measures).length === 0)
      context.problems.add(context.path, "needs seen, dropped or corrupted.");
    return link && { kind: "filter", link: link.name, filter: data.type, measures };
  },
  loop: () => ({ kind: "loop" }),
  digest: (data) => ({ kind: "digest", value: data.digest }),
  budget(data, context) {
    const link =
      data.budget === "lab" ? undefined : context.names.link(data.budget, [...context.path, "budget"]);
    const measures = readMeasures(
      data,
      { events: parseCount, packets: parseCount, bytes: parseCount },
      context,
    );
    if (Object.keys(measures).length === 0)
      context.problems.add(context.path, "needs events, packets or bytes.");
    if (link && measures.events)
      context.problems.add([...context.path, "events"], "are counted for the whole lab only.");
    return { kind: "budget", link: link?.name, measures };
  },
};

const ZERO: Comparison = { operator: "=", value: 0, text: "0" };
/** Counts, or a share of 1 if the text has a percent sign: the check knows the number sent. */
const parseShare = (text: string): number | undefined =>
  text.trim().endsWith("%") ? Number(text.trim().slice(0, -1)) / 100 : parseCount(text);

const PING_MEASURES: Readonly<Record<PingMeasure, (text: string) => number | undefined>> = {
  lost: parseShare,
  duplicates: parseCount,
  min: parseMs,
  mean: parseMs,
  p50: parseMs,
  p90: parseMs,
  p99: parseMs,
  max: parseMs,
};

type Pair = Pick<Probe, "from" | "to">;
type Names2 = string | readonly string[];

/** Reads `a -> b`, a list, `{from, to}` or `all`. @returns undefined for more probes than a file may ask for. */
function readPairs(
  data: Names2 | { readonly from: Names2; readonly to: Names2 },
  path: Path,
  { names, expansion, problems }: ClaimContext,
): Pair[] | undefined {
  if (data === "all") {
    const { hosts } = names;
    if (!expansion.take("probes", hosts.length * (hosts.length - 1), path)) return undefined;
    return hosts.flatMap((from) => hosts.filter((to) => to !== from).map((to) => ({ from, to })));
  }
  const isProduct = typeof data === "object" && "from" in data;
  const count = isProduct ? listOf(data.from).length * listOf(data.to).length : listOf(data as Names2).length;
  if (!expansion.take("probes", count, path)) return undefined;
  const pairs = isProduct
    ? listOf(data.from).flatMap((from) => listOf(data.to).map((to) => ({ from, to })))
    : listOf(data as Names2).flatMap((text) => {
        const arrow = parseArrow(text);
        if (arrow === undefined) problems.add(path, `must be two nodes, pc1 -> pc2, got ${shown(text)}.`);
        return arrow ? [arrow] : [];
      });
  return pairs.filter(({ from, to }) => {
    const source = names.nodeOf(WITH_CONSOLE, `${nodeWithConsole()}, which have a console`, from, path);
    const isAddress = /^[0-9.]+$|:/.test(to);
    const target = isAddress || names.nodeOf(WITH_CONSOLE, nodeWithConsole("an address"), to, path);
    if (source && from === to) problems.add(path, `is from ${from} to itself.`);
    return source && target && from !== to;
  });
}

const listOf = (value: Names2): readonly string[] => (typeof value === "string" ? [value] : value);

const withPort = (
  pair: Pair,
  { protocol = "icmp", port = DEFAULT_PORT }: Pick<DataOf<"reach">, "protocol" | "port">,
): Probe => ({
  ...pair,
  protocol,
  port,
});

interface SelectionData {
  readonly link?: string | undefined;
  readonly from?: string | undefined;
  readonly filters?: "before" | "after" | undefined;
  readonly since?: string | number | undefined;
  readonly until?: string | number | undefined;
}

function selecting(
  expression: string,
  key: string,
  data: SelectionData,
  context: ClaimContext,
  make: (packets: PacketSelection) => Claim,
): Claim | undefined {
  const { path, names, times, problems } = context;
  const link = data.link === undefined ? undefined : names.link(data.link, [...path, "link"]);
  if (data.from !== undefined && data.link === undefined) problems.add([...path, "from"], "needs a link.");
  if (link && data.from !== undefined) names.endAt(link, data.from, [...path, "from"]);
  const predicate = compile(expression, [...path, key], context);
  const since = data.since === undefined ? times.sinceNs : readTime(data.since, [...path, "since"], problems);
  const until = data.until === undefined ? undefined : readTime(data.until, [...path, "until"], problems);
  const within = times.withinNs === undefined ? Number.POSITIVE_INFINITY : (since ?? 0) + times.withinNs;
  return (
    predicate &&
    make({
      expression,
      predicate,
      link: link?.name,
      from: data.from,
      tap: data.filters ?? "after",
      fromNs: since ?? 0,
      untilNs: Math.min(until ?? Number.POSITIVE_INFINITY, within),
    })
  );
}

function compile(
  expression: string,
  path: Path,
  { expressions, problems }: ClaimContext,
): PacketSelection["predicate"] | undefined {
  try {
    return expressions.compile(expression, path);
  } catch (error) {
    const { message, column } = error as Error & { column?: number };
    problems.add(
      path,
      `is not a pcap-filter expression: ${message}${column === undefined ? "" : ` (column ${column})`}`,
    );
    return undefined;
  }
}

function readPattern(
  contains: string | undefined,
  matches: string | undefined,
  { path, problems }: ClaimContext,
): RegExp | undefined {
  if (contains !== undefined) return new RegExp(contains.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  try {
    return new RegExp(matches!, "m");
  } catch (error) {
    problems.add([...path, "matches"], `is not a regular expression: ${(error as Error).message}.`);
    return undefined;
  }
}

function readMeasures<K extends string>(
  data: Readonly<Partial<Record<NoInfer<K>, string | number | undefined>>>,
  parsers: Readonly<Record<K, (text: string) => number | undefined>>,
  context: ClaimContext,
): Partial<Record<K, Comparison>> {
  const measures: Partial<Record<K, Comparison>> = {};
  for (const key of Object.keys(parsers) as K[]) {
    const value = data[key];
    if (value === undefined) continue;
    const comparison = readComparison(value, key, parsers[key], context);
    if (comparison) measures[key] = comparison;
  }
  return measures;
}
