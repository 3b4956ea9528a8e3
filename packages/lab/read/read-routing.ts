/** Reads `adjacency` and `rib`: what routing protocols know. */
import {
  formatAnyPrefix,
  isPrefix4,
  network4,
  network6,
  parseAnyPrefix,
} from "@wirelab/engine/net/address/prefix";
import { daemonOf } from "../adjacency/daemon.ts";
import { shown } from "../file/check-shape.ts";
import type { Path } from "../file/problem.ts";
import { ADJACENCY_STATES } from "../file/schema.ts";
import type { AdjacencyEnd, Claim, WantedBgp, WantedRoute } from "../model/expectation.ts";
import type { NodeModel } from "../model/lab-model.ts";
import { parseCount } from "../model/quantity.ts";
import type { ClaimContext, DataOf } from "./claim-context.ts";
import { type EndText, parseLinkText } from "./endpoints.ts";
import { portOf } from "./names.ts";
import { readComparison } from "./read-comparison.ts";

export function readAdjacency(data: DataOf<"adjacency">, context: ClaimContext): Claim | undefined {
  const path = [...context.path, "adjacency"];
  const ends = parseLinkText(data.adjacency);
  if (ends === undefined) {
    context.problems.add(path, `must be two routers, r1 -- r2, got ${shown(data.adjacency)}.`);
    return undefined;
  }
  const [one, other] = ends.map((end) => readEnd(end, path, context));
  if (one === undefined || other === undefined) return undefined;
  if (one.node === other.node) context.problems.add(path, `is from ${one.node} to itself.`);
  const { protocol = "ospf", state } = data;
  const states: readonly string[] = ADJACENCY_STATES[protocol];
  if (state !== undefined && !states.includes(state))
    context.problems.add([...context.path, "state"], `is no state of ${protocol}: ${shown(state)}.`, {
      given: state,
      known: states,
    });
  return { kind: "adjacency", protocol, ends: [one, other], state };
}

function readEnd({ node: name, port }: EndText, path: Path, context: ClaimContext): AdjacencyEnd | undefined {
  const node = routerNamed(name, path, context);
  if (node === undefined || port === undefined) return node && { node: name, port };
  const number = portOf(node, port);
  const others = node.spec.type === "router" ? (node.spec.interfaces ?? []).map((each) => each.name) : [];
  const known = number === undefined ? others.find((each) => each === port) : node.ports[number];
  if (known === undefined)
    context.problems.add(path, `names no port of ${name}: ${shown(port)}.`, {
      given: port,
      known: [...node.ports, ...others],
    });
  return known === undefined ? undefined : { node: name, port: known };
}

/** A router, or a Linux node whose daemon can be asked. */
function routerNamed(name: string, path: Path, { names, problems }: ClaimContext): NodeModel | undefined {
  const node = names.nodeOf(["router", "linux"], "a router or a Linux node with FRR or BIRD", name, path);
  if (node === undefined || node.spec.type === "router" || daemonOf(node) !== undefined) return node;
  problems.add(
    path,
    `must have FRR or BIRD to be asked; ${shown(name)} has no configuration of either in its files.`,
  );
  return undefined;
}

export function readRib(data: DataOf<"rib">, context: ClaimContext): Claim | undefined {
  const path = [...context.path, "rib"];
  const node = routerNamed(data.rib, path, context);
  refuseBird(node, path, context);
  const routes = Object.entries(data.routes).flatMap(
    ([to, wanted]) => readRoute(to, wanted, [...context.path, "routes", to], context, node) ?? [],
  );
  if (routes.length === 0 && data.only !== true)
    context.problems.add([...context.path, "routes"], "names no route.");
  return {
    kind: "rib",
    node: data.rib,
    routes,
    protocol: data.protocol,
    isWhole: data.only ?? false,
  };
}

type RouteData = DataOf<"rib">["routes"][string];

function readRoute(
  text: string,
  data: RouteData,
  path: Path,
  context: ClaimContext,
  node: NodeModel | undefined,
): WantedRoute | undefined {
  const to = readNetwork(text, path, context);
  const fields = typeof data === "string" || Array.isArray(data) ? { via: data } : data;
  const { via, protocol, distance, metric } = fields as Exclude<RouteData, string | readonly string[]>;
  const inPath = { ...context, path };
  const bgp = hasBgp(fields) ? readBgp(fields, inPath, node) : undefined;
  if (bgp !== undefined && to !== undefined) refuseIpv6(to, path, context);
  const compared = (value: string | number | undefined, key: string) =>
    value === undefined ? undefined : readComparison(value, key, parseCount, inPath);
  return to === undefined
    ? undefined
    : {
        to,
        protocol,
        via: via === undefined ? undefined : [via].flat().toSorted(),
        distance: compared(distance, "distance"),
        metric: compared(metric, "metric"),
        bgp,
      };
}

type BgpData = Pick<
  DataOf<"best">,
  "as_path" | "communities" | "origin" | "local_preference" | "med" | "weight"
>;
const BGP_KEYS = ["as_path", "communities", "origin", "local_preference", "med", "weight"] as const;

const hasBgp = (fields: BgpData): boolean => BGP_KEYS.some((key) => fields[key] !== undefined);

function readBgp(data: BgpData, context: ClaimContext, node: NodeModel | undefined): WantedBgp {
  const compared = (key: "local_preference" | "med" | "weight") => {
    const value = data[key];
    return value === undefined ? undefined : readComparison(value, key, parseCount, context);
  };
  if (data.communities !== undefined && node?.spec.type === "linux")
    context.problems.add(
      [...context.path, "communities"],
      `are read of simulated routers alone; ${shown(node.name)} is a Linux node. Use console with show bgp ipv4 unicast.`,
    );
  return {
    asPath: data.as_path === undefined ? undefined : String(data.as_path),
    communities: data.communities?.toSorted(byCommunity),
    origin: data.origin,
    localPreference: compared("local_preference"),
    med: compared("med"),
    weight: compared("weight"),
  };
}

/** In the order of their numbers. */
const byCommunity = (a: string, b: string): number => {
  const [[high = 0, low = 0], [otherHigh = 0, otherLow = 0]] = [a, b].map((text) =>
    text.split(":").map(Number),
  ) as [number[], number[]];
  return high - otherHigh || low - otherLow;
};

export function readBest(data: DataOf<"best">, context: ClaimContext): Claim | undefined {
  const path = [...context.path, "best"];
  const node = routerNamed(data.best, path, context);
  refuseBird(node, path, context);
  const to = readNetwork(data.to, [...context.path, "to"], context);
  const bgp = readBgp(data, context, node);
  if (to !== undefined) refuseIpv6(to, [...context.path, "to"], context);
  return to === undefined
    ? undefined
    : { kind: "best", node: data.best, to, via: data.via, reason: data.reason, bgp };
}

function refuseIpv6(to: string, path: Path, { problems }: ClaimContext): void {
  if (to.includes(":"))
    problems.add(
      path,
      `must be an IPv4 network: what BGP knows of ${to} is not read. Use console with show bgp.`,
    );
}

function refuseBird(node: NodeModel | undefined, path: Path, { problems }: ClaimContext): void {
  if (node?.spec.type === "linux" && daemonOf(node) === "bird")
    problems.add(
      path,
      `is read of routers and of FRR; ${shown(node.name)} has BIRD, whose routes are not read. Use console with birdc show route.`,
    );
}

/** @returns the network in its usual spelling. */
function readNetwork(text: string, path: Path, { problems }: ClaimContext): string | undefined {
  const prefix = parseAnyPrefix(text);
  if (prefix === null) {
    problems.add(path, `must be a network with prefix length, like 10.1.0.0/16, got ${shown(text)}.`);
    return undefined;
  }
  const { prefixLength } = prefix;
  const network = isPrefix4(prefix)
    ? { address: network4(prefix.address, prefixLength), prefixLength }
    : { address: network6(prefix.address as bigint, prefixLength), prefixLength };
  return formatAnyPrefix(network as never);
}
