/** Has a service play a lab file, and waits for its report. */
import { setTimeout as sleep } from "node:timers/promises";
import type { WireReport } from "@wirelab/lab/report/wire";
import { runPauses } from "@wirelab/lab/run-pauses";
import { DataError } from "../failure.ts";
import { getJson, postText, type Service } from "../service/service.ts";

/** The service's answer for a lab with Linux nodes, which runs for longer than a request. */
interface Run {
  readonly run_id: string;
  readonly answer: { readonly body: WireReport } | null;
  readonly error: { readonly message: string } | null;
}

/** @param path `/labs/run` with its query. @throws DataError in the service's words. */
export async function playFile(service: Service, path: string, text: string): Promise<WireReport> {
  const begun = (await postText(service, path, text, { waits: true })) as WireReport | Run;
  return "run_id" in begun ? reportOf(service, path, begun.run_id) : begun;
}

async function reportOf(service: Service, path: string, runId: string): Promise<WireReport> {
  for (const pauseMs of runPauses()) {
    await sleep(pauseMs);
    const { answer, error } = (await getJson(service, `/labs/run?run_id=${runId}`)) as Run;
    if (error) throw new DataError(`POST ${path}: ${error.message}`);
    if (answer) return answer.body;
  }
  throw new Error("unreachable");
}
