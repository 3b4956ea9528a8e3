/** Plays cases in worker threads. Each worker parses the labs itself, because a model has functions. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { CaseResult } from "./result.ts";
import type { PlayedLab, PlayOptions, Work } from "./work.ts";

/** What a worker starts with. */
export interface WorkerInput {
  readonly labs: readonly Pick<PlayedLab, "file" | "text" | "expectations">[];
  readonly hasMatrix: boolean;
  readonly captures: string;
}

/** Cases for a worker, and its answer. */
export interface Batch {
  readonly from: number;
  readonly work: readonly Work[];
}
export interface BatchResult {
  readonly from: number;
  readonly results: readonly CaseResult[];
}

/** Enough that a worker seldom waits, few enough that all end at about the same time. */
const BATCHES_PER_WORKER = 16;
const MAX_BATCH = 50;

export async function playInWorkers(
  labs: readonly PlayedLab[],
  work: readonly Work[],
  { jobs, hasMatrix, captures, isBailing, onProgress }: PlayOptions,
): Promise<CaseResult[]> {
  const count = Math.min(jobs, work.length);
  const size = Math.min(MAX_BATCH, Math.ceil(work.length / (count * BATCHES_PER_WORKER)));
  const results: CaseResult[] = [];
  let next = 0;
  let done = 0;
  let isOver = false;
  const input: WorkerInput = {
    labs: labs.map(({ file, text, expectations }) => ({ file, text, expectations })),
    hasMatrix,
    captures,
  };
  const playBatches = async (): Promise<void> => {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { workerData: input });
    try {
      while (next < work.length && !isOver) {
        const batch: Batch = { from: next, work: work.slice(next, next + size) };
        next += size;
        worker.postMessage(batch);
        // Rejects if the worker fails.
        const [answer] = (await once(worker, "message")) as [BatchResult];
        for (const [index, result] of answer.results.entries()) results[answer.from + index] = result;
        done += answer.results.length;
        onProgress(done, work.length);
        if (isBailing && answer.results.some(({ report }) => report.status === "failed")) isOver = true;
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: count }, playBatches));
  // Batches start in order, so all cases before the first failure have a result.
  const failed = isBailing ? results.findIndex((result) => result?.report.status === "failed") : -1;
  return failed < 0 ? results : results.slice(0, failed + 1);
}
