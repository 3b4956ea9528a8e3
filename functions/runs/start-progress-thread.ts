import { Worker } from "node:worker_threads";
import { logger } from "../shared/edge/log.ts";
import type { ProgressSetup } from "./progress-thread.ts";

/** Has a thread store the progress of a run until it is terminated. */
export function startProgressThread(workerData: ProgressSetup): Worker {
  const worker = new Worker(new URL("./progress-thread.mjs", import.meta.url), { workerData });
  worker.unref();
  worker.on("error", (error) => logger.warn("no progress stored", { error }));
  return worker;
}
