/**
 * What a large lab's nodes and links have as of its last large run: the states of devices, and the counters of links. A run that touches
 * many of them would write them all, in items of up to 400 KB; it writes one object instead, which the project's item names (`states`).
 * The object never changes: the next large run writes another one, with the entries of this one that it has not changed. The sweeper
 * deletes an object that no project names, a day later.
 *
 * Items stay where they are. What a node, or the counters of a link, have is the newer of item and entry, by the number of the run that
 * wrote it. At the same number the item is newer if it has a state: a client has stored a file on a node, or replayed packets into a link.
 * An item without a state of that number belongs to the entry: the large run has changed the status of the node. An entry belongs to the
 * node or link that was created at its time, so that one with the id of a deleted one begins without it.
 *
 * The object is text in lines, compressed by gzip:
 *
 *     wirelab-states 1
 *     node <id> <creation, microseconds since 1970> <run> <state as JSON>
 *     link <id> <creation> <run> <counts of both directions as JSON>
 *
 * Lines are decoded when their node or link is asked for: most runs touch few of them.
 */
import { gunzipSync, gzipSync } from "node:zlib";
import type { NodeState } from "@wirelab/engine/simulation/lab";
import { SERVICE } from "../../edge/access.ts";
import { failure } from "../../edge/errors.ts";
import { putObject, readObject } from "../base/objects.ts";
import { statesKey } from "../lab/capture-objects.ts";
import type { NodeItem } from "../lab/node.ts";
import { existingProject, getProject, type ProjectItem } from "../project/project.ts";
import type { DirectionCounts } from "./count-parts.ts";

interface Entry {
  readonly created_us: number;
  readonly run: number;
  readonly json: string;
}

type Entries = ReadonlyMap<string, Entry>;

/** A node's state, or the counts of a link, as a run writes them. */
interface NewEntry<T> {
  readonly id: string;
  readonly created_us: number;
  readonly value: T;
}

export type BothCounts = readonly [aToB: DirectionCounts, bToA: DirectionCounts];

/** The creation times of what exists, by id. */
export type Creations = ReadonlyMap<string, number>;

export class LabStates {
  readonly #nodes: Entries;
  readonly #links: Entries;

  constructor(nodes: Entries = new Map(), links: Entries = new Map()) {
    this.#nodes = nodes;
    this.#links = links;
  }

  /** Returns the node with its state. */
  stateOf<T extends Pick<NodeItem, "node_id" | "created_us" | "state" | "state_run">>(node: T): T {
    const entry = this.#nodes.get(node.node_id);
    if (entry === undefined || entry.created_us !== node.created_us) return node;
    const { state_run = -1, state } = node;
    const isNewer = entry.run > state_run || (entry.run === state_run && state === undefined);
    return isNewer ? { ...node, state: JSON.parse(entry.json) as NodeState } : node;
  }

  /** Returns the counts of a link, and the run that wrote them. */
  countsOf(linkId: string, createdUs: number): { run: number; counts: BothCounts } | undefined {
    const entry = this.#links.get(linkId);
    if (entry?.created_us !== createdUs) return undefined;
    return { run: entry.run, counts: JSON.parse(entry.json) as BothCounts };
  }

  /** Returns the links whose counts this run has written. */
  countedBy(run: number): { readonly link_id: string; readonly counts: BothCounts }[] {
    return [...this.#links]
      .filter(([, entry]) => entry.run === run)
      .map(([link_id, { json }]) => ({ link_id, counts: JSON.parse(json) as BothCounts }));
  }

  /** Returns how many entries there are. */
  get size(): number {
    return this.#nodes.size + this.#links.size;
  }

  /** Returns the states after a run. */
  after(
    run: number,
    nodes: readonly NewEntry<NodeState>[],
    links: readonly NewEntry<BothCounts>[],
  ): LabStates {
    const added = (entries: readonly NewEntry<unknown>[]) =>
      entries.map(
        ({ id, created_us, value }) => [id, { created_us, run, json: JSON.stringify(value) }] as const,
      );
    return new LabStates(
      new Map([...this.#nodes, ...added(nodes)]),
      new Map([...this.#links, ...added(links)]),
    );
  }

  /** Returns the states without those of nodes and links that are gone. */
  only(there: Creations): LabStates {
    const kept = (entries: Entries) =>
      new Map([...entries].filter(([id, { created_us }]) => there.get(id) === created_us));
    return new LabStates(kept(this.#nodes), kept(this.#links));
  }

  encode(): Uint8Array {
    const lines = (kind: string, entries: Entries) =>
      [...entries].map(([id, { created_us, run, json }]) => `${kind} ${id} ${created_us} ${run} ${json}\n`);
    const text = [FIRST_LINE, ...lines("node", this.#nodes), ...lines("link", this.#links)].join("");
    return gzipSync(text, { level: LEVEL });
  }

  /** @throws Error when the bytes are no object of this format. */
  static decode(bytes: Uint8Array): LabStates {
    const text = gunzipSync(bytes).toString();
    if (!text.startsWith(FIRST_LINE)) throw new Error("The object has no states of a lab");
    const entries = { node: new Map<string, Entry>(), link: new Map<string, Entry>() };
    for (const [, kind, id, created, run, json] of text.slice(FIRST_LINE.length).matchAll(LINE)) {
      const entry = { created_us: Number(created), run: Number(run), json: json! };
      entries[kind as "node" | "link"].set(id!, entry);
    }
    return new LabStates(entries.node, entries.link);
  }
}

const FIRST_LINE = "wirelab-states 1\n";
/** Texts of devices may have other characters that end a line for a regular expression. */
const LINE = /(node|link) (\S+) (\d+) (\d+) ([^\n]*)\n/gy;
/** Higher ones take twice the time for a tenth less. */
const LEVEL = 4;

/** The lab's last states that this execution environment has read or written: a client's calls are usually to one lab. */
let last: { readonly key: string; readonly states: LabStates } | undefined;

const NONE = new LabStates();

type NamesStates = Pick<ProjectItem, "project_id" | "states">;

/**
 * Returns the states that a project names, as it was read; empty without any.
 * @throws ApiError `store.damaged` when the object is lost, `project.not-found` when the project was deleted since it was read.
 */
export async function readStates(project: NamesStates): Promise<LabStates> {
  const found = await findStates(project);
  if (found !== undefined) return found;
  const { project_id, states } = project;
  existingProject(await getProject(SERVICE, project_id), project_id);
  throw failure("store.damaged", { what: "S3 bucket", detail: `states ${states} are missing` });
}

/** Like `readStates`, but returns undefined when the object is gone, as it is when the project was deleted since it was read. */
export async function findStates({ project_id, states }: NamesStates): Promise<LabStates | undefined> {
  if (states === undefined) return NONE;
  const key = statesKey(project_id, states);
  if (last?.key === key) return last.states;
  const bytes = await readObject(key);
  if (bytes === undefined) return undefined;
  last = { key, states: LabStates.decode(bytes) };
  return last.states;
}

/** @returns the object's key, and the name by which the project's item refers to it. */
export async function writeStates(
  projectId: string,
  states: LabStates,
): Promise<{ readonly key: string; readonly name: string }> {
  const name = crypto.randomUUID();
  const key = statesKey(projectId, name);
  await putObject(key, states.encode(), "application/gzip");
  last = { key, states };
  return { key, name };
}

/** Returns nodes, as they were read with their project, with the states of their devices. */
export async function withStates<T extends NodeItem>(
  project: ProjectItem,
  nodes: readonly T[],
): Promise<T[]> {
  if (project.states === undefined || nodes.length === 0) return [...nodes];
  const states = await readStates(project);
  return nodes.map((node) => states.stateOf(node));
}
