/** Finds the nodes, ports and links that a lab file names, and reports names that the lab does not have. */

import { hasConsole, kindOf, typesThat } from "@wirelab/engine/devices/find-kind";
import { shown } from "../file/check-shape.ts";
import type { Path, Problems } from "../file/problem.ts";
import type { LinkEnd, LinkModel, NodeModel } from "../model/lab-model.ts";
import { parseLinkText } from "./endpoints.ts";

export class Names {
  readonly nodes: ReadonlyMap<string, NodeModel>;
  /** Names of the simulated PCs, and of what stands for a host of another tool's topology. */
  readonly hosts: readonly string[];
  readonly #links: ReadonlyMap<string, LinkModel>;
  /** By the names of their nodes, in order. */
  readonly #between: ReadonlyMap<string, readonly LinkModel[]>;
  readonly #problems: Problems;

  constructor(
    nodes: readonly NodeModel[],
    links: readonly LinkModel[],
    problems: Problems,
    others: readonly string[] = [],
  ) {
    this.nodes = new Map(nodes.map((node) => [node.name, node]));
    this.hosts = nodes
      .filter(({ name, spec }) => spec.type === "vpcs" || others.includes(name))
      .map(({ name }) => name);
    this.#links = new Map(links.map((link) => [link.name, link]));
    this.#between = Map.groupBy(links, ({ ends: [a, b] }) => pairOf(a.node, b.node));
    this.#problems = problems;
  }

  /** @returns undefined after it has reported the name. */
  node(name: string, path: Path): NodeModel | undefined {
    const node = this.nodes.get(name);
    if (node === undefined)
      this.#problems.add(path, `names no node: ${shown(name)}.`, { given: name, known: this.nodes.keys() });
    return node;
  }

  /** A node of one of the types. */
  nodeOf(
    types: readonly NodeModel["spec"]["type"][],
    what: string,
    name: string,
    path: Path,
  ): NodeModel | undefined {
    const node = this.node(name, path);
    if (node === undefined || types.includes(node.spec.type)) return node;
    this.#problems.add(path, `must be ${what}; ${shown(name)} is a ${kindOf(node.spec.type).word}.`);
    return undefined;
  }

  /** Finds a link by its name or by its ends, `pc1 -- sw1`, in any order. */
  link(text: string, path: Path): LinkModel | undefined {
    const named = this.#links.get(text);
    if (named) return named;
    const ends = parseLinkText(text);
    if (ends === undefined) {
      this.#problems.add(path, `names no link: ${shown(text)}.`, { given: text, known: this.#links.keys() });
      return undefined;
    }
    const between = this.#between.get(pairOf(ends[0].node, ends[1].node)) ?? [];
    if (between.length === 1) return between[0];
    this.#problems.add(
      path,
      between.length === 0
        ? `names no link: there is none between ${ends[0].node} and ${ends[1].node}.`
        : `is ambiguous: ${between.length} links join ${ends[0].node} and ${ends[1].node}; name one of ${namesOf(between)}.`,
    );
    return undefined;
  }

  /** The number of a node's port, by number or name. */
  port(node: NodeModel, text: string | number, path: Path): number | undefined {
    const port = portOf(node, String(text));
    if (port === undefined)
      this.#problems.add(path, `names no port of ${node.name}: ${shown(text)}.`, {
        given: String(text),
        known: node.ports,
      });
    return port;
  }

  /** The end of a link at a node. */
  endAt(link: LinkModel, name: string, path: Path): LinkEnd | undefined {
    const end = link.ends.find(({ node }) => node === name);
    if (end === undefined) this.#problems.add(path, `is not at the link ${link.name}: ${shown(name)}.`);
    return end;
  }
}

/** Types of nodes with a console. */
export const WITH_CONSOLE = typesThat(({ type }) => hasConsole(type));

const CONSOLE_WORDS = WITH_CONSOLE.map((type) => `a ${kindOf(type).word}`);

/** @param others what else may stand in the place of a node with a console. @returns `a PC, a router or an address` */
export function nodeWithConsole(...others: readonly string[]): string {
  const all = [...CONSOLE_WORDS, ...others];
  return `${all.slice(0, -1).join(", ")} or ${all.at(-1)}`;
}

const SHOWN_LINKS = 8;
const namesOf = (links: readonly LinkModel[]): string =>
  [
    ...links.slice(0, SHOWN_LINKS).map(({ name }) => name),
    ...(links.length > SHOWN_LINKS ? ["..."] : []),
  ].join(", ");

const pairOf = (a: string, b: string): string => [a, b].toSorted().join(" -- ");

export function portOf({ ports }: Pick<NodeModel, "ports">, text: string): number | undefined {
  const named = ports.indexOf(text);
  if (named >= 0) return named;
  const number = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  return number < ports.length ? number : undefined;
}
