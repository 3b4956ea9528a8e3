/** Finds the nodes, ports and links that a lab file names, and reports names that the lab does not have. */

import type { Path, Problems } from "../file/problem.ts";
import { suggest } from "../file/suggest.ts";
import type { LinkEnd, LinkModel, NodeModel } from "../model/lab-model.ts";
import { parseLinkText } from "./endpoints.ts";

export class Names {
  readonly nodes: ReadonlyMap<string, NodeModel>;
  readonly links: readonly LinkModel[];
  readonly #problems: Problems;

  constructor(nodes: readonly NodeModel[], links: readonly LinkModel[], problems: Problems) {
    this.nodes = new Map(nodes.map((node) => [node.name, node]));
    this.links = links;
    this.#problems = problems;
  }

  /** @returns undefined after it has reported the name. */
  node(name: string, path: Path): NodeModel | undefined {
    const node = this.nodes.get(name);
    if (node === undefined) {
      this.#problems.add(
        path,
        `names no node: ${JSON.stringify(name)}.${suggest(name, [...this.nodes.keys()])}`,
      );
    }
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
    this.#problems.add(path, `must be ${what}; ${JSON.stringify(name)} is a ${TYPE_WORDS[node.spec.type]}.`);
    return undefined;
  }

  /** Finds a link by its name or by its ends, `pc1 -- sw1`, in any order. */
  link(text: string, path: Path): LinkModel | undefined {
    const named = this.links.find(({ name }) => name === text);
    if (named) return named;
    const ends = parseLinkText(text);
    if (ends === undefined) {
      this.#problems.add(
        path,
        `names no link: ${JSON.stringify(text)}.${suggest(
          text,
          this.links.map(({ name }) => name),
        )}`,
      );
      return undefined;
    }
    const between = this.links.filter((link) => isBetween(link, ends[0].node, ends[1].node));
    if (between.length === 1) return between[0];
    this.#problems.add(
      path,
      between.length === 0
        ? `names no link: there is none between ${ends[0].node} and ${ends[1].node}.`
        : `is ambiguous: ${between.length} links join ${ends[0].node} and ${ends[1].node}; name one of ${between.map(({ name }) => name).join(", ")}.`,
    );
    return undefined;
  }

  /** The number of a node's port, by number or name. */
  port(node: NodeModel, text: string | number, path: Path): number | undefined {
    const port = portOf(node, String(text));
    if (port === undefined) {
      this.#problems.add(
        path,
        `names no port of ${node.name}: ${JSON.stringify(text)}.${suggest(String(text), node.ports)}`,
      );
    }
    return port;
  }

  /** The end of a link at a node. */
  endAt(link: LinkModel, name: string, path: Path): LinkEnd | undefined {
    const end = link.ends.find(({ node }) => node === name);
    if (end === undefined)
      this.#problems.add(path, `is not at the link ${link.name}: ${JSON.stringify(name)}.`);
    return end;
  }
}

/** Types of nodes with a console. */
export const WITH_CONSOLE = ["vpcs", "router", "server", "linux"] as const;

export const TYPE_WORDS = {
  vpcs: "PC",
  router: "router",
  server: "server",
  nat: "NAT node",
  linux: "Linux node",
  ethernet_switch: "switch",
  ethernet_hub: "hub",
  cloud: "cloud",
} as const;

const isBetween = ({ ends: [one, other] }: LinkModel, a: string, b: string): boolean =>
  (one.node === a && other.node === b) || (one.node === b && other.node === a);

export function portOf({ ports }: Pick<NodeModel, "ports">, text: string): number | undefined {
  const named = ports.indexOf(text);
  if (named >= 0) return named;
  const number = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  return number < ports.length ? number : undefined;
}
