/** What rows of the list show of labs that the list itself does not have: read for rows in view, a few at a time. */
import { call } from "../api/call.ts";
import type { Link, Node } from "../api/types.ts";
import type { Sketch } from "./sketch.ts";

export interface LabFacts {
  readonly nodes: number;
  readonly links: number;
  /** Undefined, with the sketch, for a lab that is too large to be read for a picture. */
  readonly started?: number;
  readonly sketch?: Sketch;
}

const MOST_DRAWN = 120;
const MOST_AT_ONCE = 2;

/** What was read last, shown until it has been read anew. */
const known = new Map<string, LabFacts>();
const waiting: (() => Promise<void>)[] = [];
let running = 0;

export const knownFacts = (projectId: string): LabFacts | undefined => known.get(projectId);

/** Calls back when the facts are there. Without them a row lacks its picture and its size, and nothing else: failures are not shown. */
export function askFacts(projectId: string, signal: AbortSignal, onFacts: (facts: LabFacts) => void): void {
  waiting.push(async () => {
    if (signal.aborted) return;
    try {
      const facts = await readFacts(projectId, signal);
      known.set(projectId, facts);
      if (!signal.aborted) onFacts(facts);
    } catch {}
  });
  advance();
}

function advance(): void {
  while (running < MOST_AT_ONCE) {
    const next = waiting.shift();
    if (next === undefined) return;
    running += 1;
    void next().finally(() => {
      running -= 1;
      advance();
    });
  }
}

async function readFacts(projectId: string, signal: AbortSignal): Promise<LabFacts> {
  const read = <T>(what: string) => call<T>("GET", `/projects/${projectId}/${what}`, { signal });
  const { nodes, links } = await read<{ nodes: number; links: number }>("stats");
  if (nodes > MOST_DRAWN) return { nodes, links };
  const [allNodes, allLinks] = await Promise.all([
    nodes === 0 ? [] : read<Node[]>("nodes"),
    links === 0 ? [] : read<Link[]>("links"),
  ]);
  return {
    nodes,
    links,
    started: allNodes.filter(({ status }) => status === "started").length,
    sketch: {
      nodes: allNodes.map(({ node_id, x, y }) => ({ id: node_id, x, y })),
      links: allLinks.flatMap(({ nodes: [a, b] }) => (a && b ? [[a.node_id, b.node_id] as const] : [])),
    },
  };
}
