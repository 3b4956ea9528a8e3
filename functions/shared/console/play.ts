/**
 * Prints the output of a run at the pace of lab time: the answers of a ping appear one second apart. The run itself has ended before,
 * because its state between two answers cannot be stored; Ctrl-C therefore ends the printing, and not the command.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { NS_PER_MS } from "@wirelab/engine/base/time";
import type { Piece } from "./pieces.ts";

export type Pace = "once" | "real";

/** How often a console looks for Ctrl-C. */
const POLL_MS = 500;
/** Texts that are closer together are one message. */
const TOGETHER_MS = 20;

interface Player {
  print(text: string): Promise<unknown>;
  /** Returns whether Ctrl-C was typed since the last call. */
  isInterrupted(): Promise<boolean>;
  /** Returns the time that is left for pauses; what follows is printed at once. */
  remainingTimeMs(): number;
  now(): number;
  pause(milliseconds: number): Promise<unknown>;
}

export const REAL_TIME: Pick<Player, "now" | "pause"> = { now: () => performance.now(), pause: sleep };

/** @returns false when Ctrl-C has ended the printing. */
export async function play(pieces: readonly Piece[], player: Player): Promise<boolean> {
  const beginMs = player.now();
  let due = "";
  for (const { atNs, text } of pieces) {
    const atMs = beginMs + atNs / NS_PER_MS;
    if (atMs - player.now() > TOGETHER_MS && player.remainingTimeMs() > 0) {
      if (due !== "") await player.print(due);
      due = "";
      if (!(await waitUntil(atMs, player))) return false;
    }
    due += text;
  }
  if (due !== "") await player.print(due);
  return true;
}

/** @returns false when Ctrl-C was typed meanwhile. */
async function waitUntil(atMs: number, player: Player): Promise<boolean> {
  for (let leftMs = atMs - player.now(); leftMs > 0; leftMs = atMs - player.now()) {
    const pauseMs = Math.min(leftMs, POLL_MS, player.remainingTimeMs());
    if (pauseMs <= 0) return true;
    await player.pause(pauseMs);
    if (await player.isInterrupted()) return false;
  }
  return true;
}
