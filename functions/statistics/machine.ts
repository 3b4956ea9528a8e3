/** The machine that this function runs on, in the figures that clients show for a compute (docs/interface.md, section 6.4). */
import { readFile, statfs } from "node:fs/promises";
import { availableParallelism, freemem, loadavg, tmpdir, totalmem } from "node:os";
import { machineLoad, percent } from "../shared/edge/machine-load.ts";
import type { Machine } from "../shared/schemas/statistics.ts";

export async function readMachine(): Promise<Machine> {
  const [swap, disk] = await Promise.all([readSwap(), statfs(tmpdir())]);
  const memory = { total: totalmem(), free: freemem() };
  const loads = loadavg().map((load) => percent(load, availableParallelism()));
  return {
    memory_total: memory.total,
    memory_free: memory.free,
    memory_used: memory.total - memory.free,
    swap_total: swap.total,
    swap_free: swap.free,
    swap_used: swap.total - swap.free,
    ...machineLoad(),
    swap_usage_percent: usedPercent(swap),
    disk_usage_percent: usedPercent({ total: disk.blocks, free: disk.bfree }),
    load_average_percent: loads,
  };
}

interface Space {
  readonly total: number;
  readonly free: number;
}

const usedPercent = ({ total, free }: Space): number => percent(total - free, total);

/** Linux alone has this file; elsewhere no swap is reported. */
const readSwap = async (): Promise<Space> =>
  parseSwap(await readFile("/proc/meminfo", "utf8").catch(() => ""));

/** @param meminfo lines such as `SwapTotal:  2097148 kB`. */
export function parseSwap(meminfo: string): Space {
  const bytesOf = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(meminfo)?.[1] ?? 0) * 1024;
  return { total: bytesOf("SwapTotal"), free: bytesOf("SwapFree") };
}
