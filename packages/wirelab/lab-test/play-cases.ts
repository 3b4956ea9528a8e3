/** Plays cases in their order: first in this thread, and then, if many are left, in workers. */
import { playCase } from "./play-case.ts";
import type { CaseResult } from "./result.ts";
import type { PlayedLab, PlayOptions, Work } from "./work.ts";

const ALONE_MS = 400;

/** Returns the results in the order of the work; with `isBailing` up to the first that failed. They do not depend on `jobs`. */
export async function playCases(
  labs: readonly PlayedLab[],
  work: readonly Work[],
  options: PlayOptions,
): Promise<CaseResult[]> {
  const { jobs, isBailing, onProgress, aloneMs = ALONE_MS } = options;
  const results: CaseResult[] = [];
  const startMs = performance.now();
  for (const { lab, settings } of work) {
    if (jobs > 1 && work.length - results.length > 1 && performance.now() - startMs >= aloneMs) break;
    const result = playCase(labs[lab]!.model, settings, options);
    results.push(result);
    onProgress(results.length, work.length);
    if (isBailing && result.report.status === "failed") return results;
  }
  if (results.length === work.length) return results;
  const { playInWorkers } = await import("./workers.ts");
  const done = results.length;
  const others = await playInWorkers(labs, work.slice(done), {
    ...options,
    onProgress: (count) => onProgress(done + count, work.length),
  });
  return [...results, ...others];
}
