/** Reads the items of a run on demand. */
import type { Missing, Simulation } from "@wirelab/engine/simulation/simulation";
import type { Access } from "../edge/access.ts";
import { withStates } from "../store/commit/lab-states.ts";
import { readItems } from "../store/contents/read.ts";
import type { LinkItem } from "../store/lab/link.ts";
import type { NodeItem } from "../store/lab/node.ts";
import { currentGuests } from "./guests.ts";
import { toLabLink, toLabNode } from "./lab-items.ts";

/** The items that a run has read. */
export class LabItems {
  readonly nodes = new Map<string, NodeItem>();
  readonly links = new Map<string, LinkItem>();
  readonly #access: Access;
  readonly #projectId: string;
  readonly #run: number | undefined;

  /** @param run the project's run counter when it was read. */
  constructor(access: Access, projectId: string, run: number | undefined) {
    this.#access = access;
    this.#projectId = projectId;
    this.#run = run;
  }

  get count(): number {
    return this.nodes.size + this.links.size;
  }

  /** Records items and adds them to the simulation, nodes first, because links need the nodes' names. */
  add(simulation: Simulation, nodes: Iterable<NodeItem>, links: Iterable<LinkItem>): void {
    for (const node of nodes) {
      this.nodes.set(node.node_id, node);
      simulation.addNode(toLabNode(node));
    }
    const nameOf = (id: string): string => this.nodes.get(id)?.name ?? "";
    for (const link of links) {
      this.links.set(link.link_id, link);
      simulation.addLink(toLabLink(link, nameOf));
    }
  }

  /**
   * Reads the missing items, and both ends of every link.
   * @returns false when an item is gone or the lab has changed: the caller must restart the run.
   */
  async fetch(simulation: Simulation, missing: Missing): Promise<boolean> {
    const found = await readItems(this.#access, this.#projectId, missing);
    const nodes = missing.nodes.map((id) => found.nodes.get(id));
    const links = missing.links.map((id) => found.links.get(id));
    if (found.project === undefined || found.project.run !== this.#run || !isWhole(nodes) || !isWhole(links))
      return false;
    const ends = this.#endsOf(links, found.nodes);
    if (ends.length > 0) {
      const more = await readItems(this.#access, this.#projectId, { nodes: ends });
      const rest = ends.map((id) => more.nodes.get(id));
      if (!isWhole(rest)) return false;
      nodes.push(...rest);
    }
    const ready = await withStates(found.project, nodes);
    if ((await currentGuests()?.prepare(ready)) === false) return false;
    this.add(simulation, ready, links);
    return true;
  }

  #endsOf(links: readonly LinkItem[], found: ReadonlyMap<string, NodeItem>): string[] {
    const ends = links.flatMap((link) => link.document.nodes.map((end) => end.node_id));
    return [...new Set(ends)].filter((id) => !this.nodes.has(id) && !found.has(id));
  }
}

const isWhole = <T>(items: (T | undefined)[]): items is T[] => !items.includes(undefined);
