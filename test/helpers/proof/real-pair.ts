/** Two real vpcs A and B, wired back to back, which perform the steps of a scenario and return the results. */
import { setTimeout as pause } from "node:timers/promises";
import { RealVpcs, RecordingBridge, UdpCable } from "./real-vpcs.ts";
import { namedLines, PC_NAMES, type PcName, START, type Step, type StepRecord } from "./steps.ts";

/** Frames that the other side sends in response to a command's last frame belong to the command. */
const SETTLE_MS = 150;

/** Runs the steps on two processes, which end with the call. */
export async function runReal(steps: readonly Step[]): Promise<StepRecord[]> {
  const [a, b] = await Promise.all(PC_NAMES.map((name) => UdpCable.open(name)));
  const bridge = new RecordingBridge(a!, b!);
  const started = await Promise.allSettled([RealVpcs.start(a!, 0), RealVpcs.start(b!, 1)]);
  const running = started.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  try {
    const failed = started.find((result) => result.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    return await record([START, ...steps], bridge, { A: running[0]!, B: running[1]! });
  } finally {
    await Promise.all(running.map((real) => real.stop()));
    a!.close();
    b!.close();
  }
}

async function record(
  steps: readonly Step[],
  bridge: RecordingBridge,
  pcs: Readonly<Record<PcName, RealVpcs>>,
): Promise<StepRecord[]> {
  const records: StepRecord[] = [];
  for (const step of steps) {
    const texts = namedLines(step).map(async ([name, line]) => [name, await pcs[name].type(line)] as const);
    const printed = Object.fromEntries(await Promise.all(texts));
    await pause(SETTLE_MS);
    records.push({ step, frames: bridge.frames.splice(0), printed });
  }
  return records;
}
