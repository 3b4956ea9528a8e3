/** A worker thread: plays the cases that it receives. */
import { parentPort, workerData } from "node:worker_threads";
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { parseLabText } from "../load-lab-file.ts";
import { playCase } from "./play-case.ts";
import { chooseExpectations } from "./selection.ts";
import type { Batch, BatchResult, WorkerInput } from "./workers.ts";

const { labs, hasMatrix, captures } = workerData as WorkerInput;
const models: LabModel[] = [];

parentPort!.on("message", ({ from, work }: Batch) => {
  const results = work.map(({ lab, settings }) => playCase(modelOf(lab), settings, { hasMatrix, captures }));
  parentPort!.postMessage({ from, results } satisfies BatchResult);
});

function modelOf(lab: number): LabModel {
  const { text, file, expectations } = labs[lab]!;
  models[lab] ??= chooseExpectations(parseLabText(text, file), expectations);
  return models[lab];
}
