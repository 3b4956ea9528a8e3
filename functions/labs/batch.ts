/** Plays one batch of the cases of a sweep. The state machine calls it: infra/lab-sweeps.ts. */
import { LAB_SWEEPS } from "../shared/edge/figures.ts";
import { BATCH_CASES, type BatchEvent, readBatchInput, saveResult } from "../shared/lab-file/stored-sweep.ts";

export async function handler(event: BatchEvent): Promise<void> {
  // Loaded on first use, because most of it is the engine.
  const { casesOfBatch, playCases, readModel } = await import("./lab.ts");
  const { file, settings } = await readBatchInput(event);
  const model = readModel(new TextEncoder().encode(file));
  const cases = casesOfBatch(model, settings, event.batch, BATCH_CASES);
  await saveResult(event, playCases(model, cases, { cpuSeconds: LAB_SWEEPS.caseCpuSeconds }));
}
