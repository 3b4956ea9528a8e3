/** The states of registered computes: those that were stored some seconds ago, else what the computes answer now. */
import { answeredWithin } from "../shared/compute/answered-within.ts";
import { away, probe } from "../shared/compute/probe.ts";
import { type ComputeState, putComputeState, readComputeStates } from "../shared/store/base/compute-state.ts";
import { forEachParallel } from "../shared/store/base/parallel.ts";
import type { ComputeItem } from "../shared/store/base/service.ts";

/** For this time, clients that poll the list cause no more calls to the computes. */
const FRESH_MS = 5_000;
/** A list waits so long for all its computes together: the names of many computes that are away take long to resolve. */
const PATIENCE_MS = 3_000;
/** A compute that is away takes the time-out of `probe`. */
const PARALLEL = 32;

/** @returns the state of each compute by its id. */
export async function statesOf(
  computes: readonly ComputeItem[],
  nowMs = Date.now(),
): Promise<Map<string, ComputeState>> {
  if (computes.length === 0) return new Map();
  const stored = await readComputeStates();
  const states = new Map<string, ComputeState>();
  const endMs = performance.now() + PATIENCE_MS;
  await forEachParallel(computes, PARALLEL, async (compute) => {
    const { compute_id, revision } = compute;
    const last = stored.get(compute_id);
    const isFresh = last?.revision === revision && nowMs - last.checked_ms < FRESH_MS;
    const state = isFresh ? last.state : ((await askUntil(endMs, compute)) ?? last?.state ?? UNANSWERED);
    if (!isFresh) await putComputeState({ compute_id, revision, state, checked_ms: nowMs });
    states.set(compute_id, state);
  });
  return states;
}

const UNANSWERED = away("It did not answer before the list was returned");

async function askUntil(endMs: number, compute: ComputeItem): Promise<ComputeState | undefined> {
  const leftMs = endMs - performance.now();
  return leftMs > 0 ? answeredWithin(probe(compute), leftMs) : undefined;
}
