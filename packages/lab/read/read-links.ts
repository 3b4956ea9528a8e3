/** Reads `links`: texts `pc1 -- sw1` or objects. Ports that the file does not name are the lowest free ones. */
import { checkShape, shown } from "../file/check-shape.ts";
import type { Path, Problems } from "../file/problem.ts";
import { linkSchema } from "../file/schema.ts";
import type { LinkEnd, LinkModel, NodeModel } from "../model/lab-model.ts";
import { type EndText, parseLinkText } from "./endpoints.ts";
import type { Expressions } from "./expressions.ts";
import { LinkNames } from "./link-names.ts";
import { portOf } from "./names.ts";
import { readFilters } from "./read-filters.ts";
import { type ImpairmentsData, readImpairments } from "./read-impairments.ts";

export interface LinkDraft {
  readonly ends: readonly [EndText, EndText];
  readonly name: string | undefined;
  readonly filters: Readonly<Record<string, unknown>> | undefined;
  readonly impairments: ImpairmentsData | undefined;
  readonly isDown: boolean;
  readonly path: Path;
}

/** Reads the texts, before the nodes: these have as many ports as the links need. */
export function readLinkDrafts(data: readonly unknown[], problems: Problems): LinkDraft[] {
  const drafts: LinkDraft[] = [];
  for (const [index, value] of data.entries()) {
    const path = ["links", index];
    const given = checkShape(linkSchema, typeof value === "string" ? { link: value } : value, path, problems);
    if (given === undefined) continue;
    const ends = parseLinkText(given.link);
    const where = typeof value === "string" ? path : [...path, "link"];
    if (ends === undefined) {
      problems.add(where, `must name two nodes, pc1 -- sw1 or pc1:0 -- sw1:3, got ${shown(given.link)}.`);
      continue;
    }
    const { name, filters, impairments, down: isDown = false } = given;
    drafts.push({ ends, name, filters, impairments, isDown, path });
  }
  return drafts;
}

/** The number of links at each node. */
export function countPorts(drafts: readonly LinkDraft[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { ends } of drafts) {
    for (const { node, port } of ends) {
      const number = port !== undefined && /^[0-9]+$/.test(port) ? Number(port) + 1 : 0;
      counts.set(node, Math.max((counts.get(node) ?? 0) + 1, number));
    }
  }
  return counts;
}

export function readLinks(
  drafts: readonly LinkDraft[],
  nodes: readonly NodeModel[],
  expressions: Expressions,
  problems: Problems,
): LinkModel[] {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const taken = new Map<string, Set<number>>();
  claimNamedPorts(drafts, byName, taken, problems);
  const names = new LinkNames();
  const links: LinkModel[] = [];
  for (const { ends, name, filters: given, impairments: impaired, isDown, path } of drafts) {
    const [a, b] = ends.map((end) => claim(end, byName, taken, path, problems));
    const filters = readFilters(given, [...path, "filters"], expressions, problems);
    const impairments =
      impaired === undefined
        ? undefined
        : readImpairments(impaired, [...path, "impairments"], expressions, problems);
    const unique = name ?? names.takeFree(ends);
    if (name !== undefined && !names.take(name)) problems.add([...path, "name"], `is taken: ${shown(name)}.`);
    if (a && b && a.node === b.node) problems.add(path, `joins ${a.node} with itself.`);
    else if (a && b && filters)
      links.push({ name: unique, ends: [a, b], filters, impairments, isDown, place: problems.placeOf(path) });
  }
  return links;
}

type Nodes = ReadonlyMap<string, NodeModel>;
type Taken = Map<string, Set<number>>;

const takenAt = (taken: Taken, node: string): Set<number> => {
  const ports = taken.get(node) ?? new Set();
  taken.set(node, ports);
  return ports;
};

/** Ports that the file names are claimed first, whatever the order of the links. */
function claimNamedPorts(drafts: readonly LinkDraft[], nodes: Nodes, taken: Taken, problems: Problems): void {
  for (const { ends, path } of drafts) {
    for (const { node: name, port: text } of ends) {
      const node = nodes.get(name);
      if (node === undefined || text === undefined) continue;
      const port = portOf(node, text);
      if (port === undefined) {
        problems.add(path, `names no port of ${name}: ${shown(text)}.`, { given: text, known: node.ports });
      } else if (takenAt(taken, name).has(port))
        problems.add(path, `takes port ${text} of ${name} a second time.`);
      else takenAt(taken, name).add(port);
    }
  }
}

/** Returns undefined after it has reported why the node has no such port. */
function claim(
  { node: name, port: text }: EndText,
  nodes: Nodes,
  taken: Taken,
  path: Path,
  problems: Problems,
): LinkEnd | undefined {
  const node = nodes.get(name);
  if (node === undefined) {
    problems.add(path, `names no node: ${shown(name)}.`, { given: name, known: nodes.keys() });
    return undefined;
  }
  if (text !== undefined) {
    const port = portOf(node, text);
    return port === undefined ? undefined : { node: name, port };
  }
  const ports = takenAt(taken, name);
  const port = node.ports.findIndex((_, index) => !ports.has(index));
  if (port < 0) {
    problems.add(path, `finds no free port at ${name}, which has ${node.ports.length}.`);
    return undefined;
  }
  ports.add(port);
  return { node: name, port };
}
