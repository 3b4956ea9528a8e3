/** Captures of the failures of a case, from the service that played it. */
import type { WireReport } from "@wirelab/lab/report/wire";
import { fetchBytes, findService } from "../service/service.ts";
import { expectationsOf } from "./expectations.ts";
import { playFile } from "./play-file.ts";
import { casePath } from "./play-on-service.ts";
import type { CaseResult } from "./result.ts";
import type { PlayedLab } from "./work.ts";

interface WithCaptures extends WireReport {
  /** Absent from a service of an earlier release. */
  readonly captures?: readonly { readonly verdict: number | null; readonly url: string }[];
}

/**
 * Plays the case again with captures, because the service stores none of what passes. Returns pcapng files by the position of their
 * expectation among the case's verdicts; those that the service does not have are missing.
 */
export async function downloadCaptures(
  { text, model, expectations }: PlayedLab,
  bad: CaseResult,
  url: string,
): Promise<ReadonlyMap<number, Uint8Array>> {
  const service = findService({ url });
  const path = casePath(bad, { captures: "failed" });
  const { captures = [] } = (await playFile(service, path, text)) as WithCaptures;
  const own = expectationsOf(model, bad);
  const found = new Map<number, Uint8Array>();
  for (const { verdict, url: source } of captures) {
    const expectation = model.expectations[expectations.indexOf(verdict ?? -1)];
    const at = expectation === undefined ? -1 : own.indexOf(expectation);
    if (at >= 0) found.set(at, await fetchBytes(source));
  }
  return found;
}
