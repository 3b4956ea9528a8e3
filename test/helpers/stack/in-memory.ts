import type { PoolLimits } from "../../../infra/local/function-workers.ts";
import {
  type LocalStack,
  type LocalStackOptions,
  startLocalStack,
} from "../../../infra/local/local-stack.ts";
import { PATIENT } from "./patient.ts";

/** A function has one worker, which stays: loading a bundle takes more processor time than most calls. */
export const FEW_WORKERS: Partial<PoolLimits> = { mostWorkers: 1, idleMs: 600_000 };

/** Starts a service in memory at a free port. Its functions take calls beside each other, but in one thread. */
export const startInMemory = (
  options: Omit<LocalStackOptions, "inMemory" | "port" | "quiet"> = {},
): Promise<LocalStack> =>
  startLocalStack({
    inMemory: true,
    port: 0,
    quiet: true,
    workers: FEW_WORKERS,
    ...options,
    environment: { ...PATIENT, ...options.environment },
  });
