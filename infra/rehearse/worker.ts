/** A thread of the rehearsal: answers each combination with what came of it. */
import { parentPort } from "node:worker_threads";
import type { Combination } from "./pairs.ts";
import { rehearse } from "./rehearsal.ts";

parentPort!.on("message", async (combination: Combination) => {
  parentPort!.postMessage(await rehearse(combination));
});
