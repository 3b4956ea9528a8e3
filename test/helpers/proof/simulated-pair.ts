/** Two simulated PCs A and B, wired back to back, which perform the steps of a scenario and return the results. */
import { Pc, type PcSpec } from "@wirelab/engine/devices/pc/index";
import { BENCH_START_US, DeviceBench } from "../engine/device-bench.ts";
import { withoutPrompts } from "./real-time-pc.ts";
import { namedLines, PC_NAMES, START, type Step, type StepRecord } from "./steps.ts";

/** The default name of a real PC, which its console prompt and its DHCP requests contain. */
export const simulatedSpec = (index: number): PcSpec => ({
  type: "vpcs",
  name: "VPCS",
  index,
  startupScript: "",
});

export function runSimulated(steps: readonly Step[]): StepRecord[] {
  const bench = new DeviceBench();
  const pcs = PC_NAMES.map((name, index) => bench.add(name, (world) => new Pc(simulatedSpec(index), world)));
  bench.wire(["A", 0], ["B", 0]);
  for (const pc of pcs) pc.start();
  return [START, ...steps].map((step) => runStep(bench, step));
}

function runStep(bench: DeviceBench, step: Step): StepRecord {
  const lines = namedLines(step);
  for (const [name, line] of lines) bench.begin(name, line);
  bench.run();
  const printed = Object.fromEntries(lines.map(([name]) => [name, withoutPrompts(bench.transcript(name))]));
  const frames = bench.frames.splice(0).map((seen) => ({ ...seen, atUs: BENCH_START_US + seen.atUs }));
  return { step, frames, printed };
}
