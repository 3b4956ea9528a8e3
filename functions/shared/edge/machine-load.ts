/** The load of the machine that this function runs on, as clients show it for a server. */
import { availableParallelism, freemem, loadavg, totalmem } from "node:os";

/** Whole percentages from 0 to 100. */
export interface MachineLoad {
  readonly cpu_usage_percent: number;
  readonly memory_usage_percent: number;
}

export function machineLoad(): MachineLoad {
  const [lastMinute = 0] = loadavg();
  return {
    // The processors' load of the last minute: usage proper would take a second to measure.
    cpu_usage_percent: Math.min(100, percent(lastMinute, availableParallelism())),
    memory_usage_percent: percent(totalmem() - freemem(), totalmem()),
  };
}

/** @returns a whole number; 0 for no space at all, as of a machine without swap. */
export const percent = (part: number, whole: number): number =>
  whole > 0 ? Math.round((100 * part) / whole) : 0;
