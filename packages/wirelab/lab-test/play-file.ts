/** Has a service play a lab file, and waits for its report. */
import { setTimeout as sleep } from "node:timers/promises";
import type { WireReport } from "@wirelab/lab/report/wire";
import { DataError } from "../failure.ts";
import { getJson, postText, type Service } from "../service/service.ts";

/** The service's answer for a lab with Linux nodes that runs for longer than a request. */
interface Run {
  readonly run_id: string;
  readonly answer: { readonly body: WireReport } | null;
  readonly error: { readonly message: string } | null;
}

const LOOK_AGAIN_MS = 500;

/** @param path `/labs/run` with its query. @throws DataError in the service's words. */
export async function playFile(service: Service, path: string, text: string): Promise<WireReport> {
  let answer = (await postText(service, path, text, { waits: true })) as WireReport | Run;
  while ("run_id" in answer) {
    const run: Run = answer;
    if (run.error) throw new DataError(`POST ${path}: ${run.error.message}`);
    if (run.answer) return run.answer.body;
    await sleep(LOOK_AGAIN_MS);
    answer = (await getJson(service, `/labs/run?run_id=${run.run_id}`)) as Run;
  }
  return answer;
}
