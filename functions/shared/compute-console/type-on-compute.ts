/** Types lines into the console of a node on a compute, in real time, for one request. */
import type { ConsoleResult } from "../schemas/run.ts";
import type { NodeItem } from "../store/lab/node.ts";
import { ComputeConsole } from "./compute-console.ts";
import { consoleTarget, refuseTypingThere } from "./console-target.ts";
import { typeAndRead } from "./type-and-read.ts";

/** Longer than the second between two lines of a ping. */
const SILENCE_MS = 1_500;
/** Time that is kept for the response. */
const RESERVE_MS = 4_000;
const CHARACTERS = 1_048_576;

/**
 * @returns the transcript, with the time that passed; `limit` is `lab_seconds` when the function's time, and `output_characters` when the
 *   room for the output ended. A run in virtual time has events and a digest; this has none.
 * @throws ApiError `node.no-console`, `node.not-started`, `compute.console-closed`, and those of `consoleTarget`
 */
export async function typeOnCompute(
  node: NodeItem,
  commands: readonly string[],
  remainingTimeMs: () => number,
): Promise<ConsoleResult> {
  refuseTypingThere(node);
  const began = new Date();
  const console = await ComputeConsole.open(await consoleTarget(node));
  try {
    const { output, limit } = await typeAndRead(console, commands, {
      silenceMs: SILENCE_MS,
      remainingMs: () => remainingTimeMs() - RESERVE_MS,
      characters: CHARACTERS,
    });
    return {
      output,
      stopped: limit === null ? "idle" : "limit",
      started_at: began.toISOString(),
      elapsed: (Date.now() - began.getTime()) / 1000,
      limit,
      loop: null,
      events: 0,
      digest: "",
    };
  } finally {
    await console.close();
  }
}
