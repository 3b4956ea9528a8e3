/** Runs the lab for lines that were entered on a console, by the rules of `POST .../console`. */
import type { ConsoleSession } from "@wirelab/engine/simulation/console-session";
import type { Access } from "../edge/access.ts";
import { type LabLimits, labLimits } from "../run/limits.ts";
import { typeLines } from "../run/type-lines.ts";
import type { ConsoleKey } from "../store/console/console.ts";

/**
 * A console prints all output of a run, so its runs are shorter than those of other requests: `ping -t`, which nothing can interrupt while
 * it runs, ends after ten minutes of lab time.
 */
const CONSOLE_LIMITS = { labSeconds: 600, outputCharacters: 131_072 } as const;

const describe = ({ labSeconds, outputCharacters }: LabLimits, limit: string): string => {
  if (limit === "lab_seconds") return `${labSeconds} seconds of lab time`;
  return limit === "output_characters" ? `${outputCharacters} characters of output` : `the limit ${limit}`;
};

interface Outcome {
  readonly session: ConsoleSession;
  /** The prompt after the last line; undefined if the device has none now. */
  readonly prompt: string | undefined;
  /** The limit that has ended the run, as one line. */
  readonly notice: string | undefined;
}

/** @throws ApiError those of `typeLines`. */
export async function runLines(
  access: Access,
  { project_id, node_id }: ConsoleKey,
  lines: readonly string[],
  remainingTimeMs: () => number,
  isInterrupted: () => boolean,
): Promise<Outcome> {
  const limits = labLimits(CONSOLE_LIMITS);
  const typed = { projectId: project_id, nodeId: node_id, lines, isEchoed: false, limits, isInterrupted };
  const { run, session } = await typeLines(access, typed, remainingTimeMs);
  const { nodes, stopped } = run.simulation;
  return {
    session,
    prompt: nodes.get(node_id)?.device?.console?.prompt || undefined,
    notice: stopped?.limit && describeLimit(describe(limits, stopped.limit), lines.length, session),
  };
}

function describeLimit(reached: string, count: number, { printed }: ConsoleSession): string {
  const left = count - 1 - (printed.at(-1)?.command ?? -1);
  const more = left > 0 ? `; ${left} more lines were not typed` : "";
  return `Stopped after ${reached}${more}.`;
}
