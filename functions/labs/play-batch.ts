import { LAB_SWEEPS } from "../shared/edge/figures.ts";
import { playCases } from "../shared/lab-file/play-cases.ts";
import { readModel } from "../shared/lab-file/read-model.ts";
import {
  BATCH_CASES,
  type BatchEvent,
  type SweepInput,
  saveResult,
} from "../shared/lab-file/stored-sweep.ts";
import { casesOfBatch } from "../shared/lab-file/sweep-cases.ts";

export async function playBatch(event: BatchEvent, { file, settings }: SweepInput): Promise<void> {
  const model = readModel(new TextEncoder().encode(file));
  const cases = casesOfBatch(model, settings, event.batch, BATCH_CASES);
  await saveResult(event, playCases(model, cases, { cpuSeconds: LAB_SWEEPS.caseCpuSeconds }));
}
