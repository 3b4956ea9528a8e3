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
import type { AdjacencyEnd, Claim, WantedRoute } from "../model/expectation.ts";
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
  return { kind: "adjacency", protocol: data.protocol ?? "ospf", ends: [one, other], state: data.state };
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
  if (node?.spec.type === "linux" && daemonOf(node) === "bird")
    context.problems.add(
      path,
      `is read of routers and of FRR; ${shown(data.rib)} has BIRD, whose routes are not read. Use console with birdc show route.`,
    );
  const routes = Object.entries(data.routes).flatMap(
    ([to, wanted]) => readRoute(to, wanted, [...context.path, "routes", to], context) ?? [],
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
): WantedRoute | undefined {
  const to = readNetwork(text, path, context);
  const fields = typeof data === "string" || Array.isArray(data) ? { via: data } : data;
  const { via, protocol, distance, metric } = fields as Exclude<RouteData, string | readonly string[]>;
  const inPath = { ...context, path };
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
      };
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
