/** `sleep [SECONDS] [TEXT]`: a pause. Without seconds VPCS waits for a key press; this console takes lines only and goes on. */
import type { Script } from "../host.ts";
import { once, pause } from "../notes.ts";
import { toInteger } from "./integer.ts";
import type { Invocation } from "./invocation.ts";

const SECONDS_MAX = 1_000_000;
const ASK_FOR_KEY = "Press any key to continue";

export function* sleep({ host: { world }, words, progress, notes }: Invocation): Script {
  const [, first = ""] = words;
  const hasSeconds = /^\d+$/.test(first);
  const text = words.slice(hasSeconds ? 2 : 1);
  const waitSeconds = hasSeconds ? Math.min(SECONDS_MAX, toInteger(first)) : 0;
  const asks = text.length === 0 && waitSeconds === 0;
  once(notes, "begun", () =>
    world.print(`${asks ? ASK_FOR_KEY : text.map((word) => `${word} `).join("")}\n`),
  );
  const leftUs = once(notes, "left", () => progress.begunUs + waitSeconds * 1_000_000 - world.nowUs);
  if (leftUs > 0) yield* pause(notes, "pause", { timeoutUs: leftUs });
}
