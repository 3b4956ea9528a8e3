/** Checks that are made by clicks. Pure. */
import { parseDurationNs } from "@wirelab/lab/model/quantity";
import { parseDocument } from "yaml";
import type { Link, Node } from "../api/types.ts";
import type { Check } from "./add-check.ts";
import { endOfLink } from "./find-failed.ts";
import type { Failure } from "./play.ts";

/** @throws Error for a name that a lab file cannot have. */
function nameOf({ name }: Pick<Node, "name">): string {
  if (!/^[\w.-]+$/.test(name))
    throw new Error(`A test cannot name ${name}: rename it with letters and digits.`);
  return name;
}

export const mustReach = (from: Node, to: Node, isNegated: boolean): Check => ({
  expect: { [isNegated ? "not reach" : "reach"]: `${nameOf(from)} -> ${nameOf(to)}` },
});

/** @param filter a pcap-filter expression. */
export function mustCarry(
  link: Link,
  nodes: ReadonlyMap<string, Node>,
  filter: string,
  isNegated: boolean,
): Check {
  const [a, b] = link.nodes.map(({ node_id }) => {
    nameOf(nodes.get(node_id)!);
    const { node, port } = endOfLink(link, node_id, nodes);
    return `${node}:${port}`;
  });
  return { expect: { [isNegated ? "never" : "seen"]: filter, link: `${a} -- ${b}` } };
}

/** A failure lasts for a minute, in which spanning trees and routing protocols find other ways; the probes of the check end before it does. */
const LASTS_S = 60;
const CHECKED_S = 50;

/** When the last event is over, in seconds. @throws Error for a time that cannot be read. */
function endOfEvents(text: string): number {
  const { run = [] } = (parseDocument(text, { uniqueKeys: false }).toJS() ?? {}) as { run?: unknown };
  const times = (Array.isArray(run) ? run : []).map((event) => {
    const at: unknown = event?.at ?? 0;
    const ns = typeof at === "number" || typeof at === "string" ? parseDurationNs(at) : undefined;
    if (ns === undefined) throw new Error(`The tests have an event at ${String(at)}, which is no time.`);
    return ns / 1e9;
  });
  return Math.ceil(Math.max(0, ...times));
}

/**
 * A pair of the sweep, as it is during the failure.
 * @param text of the tests, after whose events the failure begins.
 */
export function duringFailure(
  text: string,
  failure: Failure | undefined,
  pair: string,
  reaches: boolean,
): Check {
  const key = reaches ? "reach" : "not reach";
  if (failure === undefined) return { expect: { [key]: pair } };
  const begins = endOfEvents(text) + LASTS_S;
  const [off, on] = failure.kind === "link" ? ["down", "up"] : ["stop", "start"];
  return {
    run: [
      { at: `${begins}s`, [off]: failure.name },
      { at: `${begins + LASTS_S}s`, [on]: failure.name },
    ],
    expect: { [key]: pair, at: `${begins + CHECKED_S}s` },
  };
}
