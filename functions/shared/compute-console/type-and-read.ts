/** Types lines into a console of a compute, and reads what the node prints until it is silent. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ComputeConsole } from "./compute-console.ts";

export interface Patience {
  /** A line's output has ended when nothing is printed for this time. A node that computes for longer prints into the next line. */
  readonly silenceMs: number;
  /** Milliseconds left for all lines. */
  readonly remainingMs: () => number;
  /** Output ends after so many characters. */
  readonly characters: number;
}

export interface Transcript {
  readonly output: string;
  /** What ended before the last line's output did: time, or room. */
  readonly limit: "lab_seconds" | "output_characters" | null;
}

/** Each line is typed after the output of the one before has ended. What the node printed earlier is not part of the transcript. */
export async function typeAndRead(
  console: ComputeConsole,
  lines: readonly string[],
  { silenceMs, remainingMs, characters }: Patience,
): Promise<Transcript> {
  await untilSilent(console, Math.min(GREETING_MS, silenceMs), remainingMs);
  console.take();
  let output = "";
  for (const line of lines) {
    console.type(`${line}\r`);
    await untilSilent(console, silenceMs, remainingMs);
    output += console.take();
    if (output.length > characters)
      return { output: output.slice(0, characters), limit: "output_characters" };
    if (remainingMs() <= 0) return { output, limit: "lab_seconds" };
    if (!console.isOpen) break;
  }
  return { output, limit: null };
}

/** A telnet server sends its negotiation, and may print its prompt, when a client comes. */
const GREETING_MS = 250;

async function untilSilent(
  console: ComputeConsole,
  silenceMs: number,
  remainingMs: () => number,
): Promise<void> {
  for (;;) {
    const waitMs = Math.min(silenceMs, remainingMs());
    if (waitMs <= 0 || !console.isOpen) return;
    const waiting = new AbortController();
    const onNews = (): void => waiting.abort();
    console.once("news", onNews);
    const isSilent = await sleep(waitMs, true, { signal: waiting.signal }).catch(() => false);
    console.off("news", onNews);
    if (isSilent) return;
  }
}
