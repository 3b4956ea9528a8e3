/**
 * Compares the cost of a link without impairments with that of another checkout, in one process and in turns:
 *
 *     git worktree add /tmp/before <commit> && ln -s $PWD/node_modules /tmp/before/node_modules
 *     node test/bench/engine.ts --only unimpaired --before /tmp/before
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { LinkReplay, type ReplayFrame } from "@wirelab/engine/link/replay";
import { heading, median } from "./engine-measure.ts";

const ROUNDS = 41;
const WARM_UP_ROUNDS = 6;
const TARGET = 1.02;

/** Prints the median of the ratios of processor time, which other processes disturb less than the time of the clock. */
export async function benchUnimpaired(
  frames: readonly ReplayFrame[],
  before: string | undefined,
): Promise<void> {
  heading("a link without filters and impairments, beside another checkout");
  if (before === undefined) {
    console.log("  skipped: --before names no checkout");
    return;
  }
  const file = pathToFileURL(resolve(before, "packages/engine/link/replay.ts")).href;
  const other = (await import(file)) as { LinkReplay: typeof LinkReplay };
  const ratios: number[] = [];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const turns = [LinkReplay, other.LinkReplay];
    const seconds = new Map(
      (round % 2 === 0 ? turns : turns.reverse()).map((each) => [each, cpuSeconds(each, frames)]),
    );
    if (round >= 0) ratios.push(seconds.get(LinkReplay)! / seconds.get(other.LinkReplay)!);
  }
  const ratio = median(ratios);
  const verdict = ratio <= TARGET ? "" : `, ABOVE the target of ${TARGET}`;
  console.log(`  ${"ratio of processor time".padEnd(34)} ${ratio.toFixed(3).padStart(13)} x${verdict}`);
}

function cpuSeconds(Replay: typeof LinkReplay, frames: readonly ReplayFrame[]): number {
  const before = process.cpuUsage();
  const replay = new Replay({ seed: 1, streamName: "bench", direction: "a-to-b", settings: {} }, () => {});
  for (const frame of frames) replay.enter(frame);
  replay.finish();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
