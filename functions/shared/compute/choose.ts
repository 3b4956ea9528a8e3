/** Which registered compute runs which nodes. */
import { readComputeStates } from "../store/base/compute-state.ts";
import { forEachParallel } from "../store/base/parallel.ts";
import { readService } from "../store/base/service.ts";
import type { NodeItem } from "../store/lab/node.ts";
import { probe } from "./probe.ts";

export interface Emulators {
  readonly computeId: string;
  readonly types: ReadonlySet<string>;
}

const PARALLEL = 32;
/** A compute that was asked so recently is not asked again. */
const FRESH_MS = 5_000;

/** Returns the computes that answer, oldest first, with the types of nodes that they run. */
export async function readEmulators(): Promise<Emulators[]> {
  const { computes } = await readService();
  if (computes.length === 0) return [];
  const stored = await readComputeStates();
  const found = new Map<string, Emulators>();
  await forEachParallel(computes, PARALLEL, async (compute) => {
    const { compute_id: computeId, revision } = compute;
    const last = stored.get(computeId);
    const isFresh = last?.revision === revision && Date.now() - last.checked_ms < FRESH_MS;
    const { capabilities, connected } = isFresh && last.state.connected ? last.state : await probe(compute);
    if (connected) found.set(computeId, { computeId, types: new Set(capabilities.node_types) });
  });
  return computes.flatMap(({ compute_id }) => found.get(compute_id) ?? []);
}

/** Whether a compute is a place for a node; one that lacks the node's image is none. */
export type Suits = (node: NodeItem, emulators: Emulators) => boolean;

/** Returns the compute of each node: one for all if there is one, else the oldest that suits. Each node has one that suits. */
export function placesFor(
  nodes: readonly NodeItem[],
  computes: readonly Emulators[],
  suits: Suits,
): ReadonlyMap<NodeItem, string> {
  const common = computes.find((each) => nodes.every((node) => suits(node, each)));
  return new Map(
    nodes.map((node) => [node, (common ?? computes.find((each) => suits(node, each)))!.computeId]),
  );
}
