/** Plays cases on a service: `POST /labs/run` for each. */
import { fromWire } from "@wirelab/lab/report/wire";
import { toStatus } from "@wirelab/lab/run-lab";
import { formatFailure } from "@wirelab/lab/sweep/failures";
import { isBareTopology } from "../bare-topology.ts";
import { DataError } from "../failure.ts";
import { holdToken } from "../service/hold-token.ts";
import { findService, type Service } from "../service/service.ts";
import { expectationsOf } from "./expectations.ts";
import { playFile } from "./play-file.ts";
import type { CaseResult } from "./result.ts";
import type { PlayedLab, PlayOptions, Work } from "./work.ts";

/** Returns the results in the order of the work; with `isBailing` up to the first that failed. @throws DataError in the service's words. */
export async function playOnService(
  labs: readonly PlayedLab[],
  work: readonly Work[],
  url: string,
  { isBailing, onProgress }: Pick<PlayOptions, "isBailing" | "onProgress">,
): Promise<CaseResult[]> {
  const service = findService({ url });
  await holdToken(service);
  const results: CaseResult[] = [];
  for (const { lab, settings } of work) {
    const result = await playCase(labs[lab]!, settings, service);
    results.push(result);
    onProgress(results.length, work.length);
    if (isBailing && result.report.status === "failed") break;
  }
  return results;
}

async function playCase(
  { file, text, name, model, expectations }: PlayedLab,
  settings: Work["settings"],
  service: Service,
): Promise<CaseResult> {
  if (isBareTopology(file, text))
    throw new DataError(`${file} is of another tool, and a service plays lab files: play it without --url`);
  const startMs = performance.now();
  const report = fromWire(await playFile(service, casePath(settings), text));
  // The service judges the whole file.
  const chosen = new Set(expectationsOf(model, settings));
  const verdicts = model.expectations.flatMap((expectation, index) =>
    chosen.has(expectation) ? [report.verdicts[expectations[index]!]!] : [],
  );
  return {
    ...settings,
    report: { ...report, name, verdicts, status: toStatus(verdicts) },
    pairs: [],
    wallMs: performance.now() - startMs,
    findings: [],
  };
}

/** The path with the query that plays a case. */
export function casePath(
  { seed, failures }: Work["settings"],
  options: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({
    ...(seed !== undefined && { seed }),
    ...(failures.length > 0 && { fail: failures.map(formatFailure).join(",") }),
    ...options,
  }).toString();
  return `/labs/run${query === "" ? "" : `?${query}`}`;
}
