/** Plays one batch of the cases of a sweep. The state machine calls it: infra/lab-sweeps.ts. */
import { load } from "../shared/edge/load.ts";
import { type BatchEvent, readBatchInput } from "../shared/lab-file/stored-sweep.ts";

const { playBatch } = load(() => import("./play-batch.ts"), ["playBatch"]);

export async function handler(event: BatchEvent): Promise<void> {
  const [play, input] = await Promise.all([playBatch.load(), readBatchInput(event)]);
  await play(event, input);
}
