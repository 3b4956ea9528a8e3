/** What a terminal shows of entered lines: the echo of each, and its output with the lab time of every text. */
import type { ConsoleSession } from "@wirelab/engine/simulation/console-session";
import { type EnteredLine, toScreen } from "@wirelab/engine/terminal/terminal";

export interface Piece {
  readonly atNs: number;
  readonly text: string;
}

/** Returns the pieces in the order of printing; none of lines that the run did not come to. */
export function piecesOf(
  entered: readonly EnteredLine[],
  { printed }: Pick<ConsoleSession, "printed">,
): Piece[] {
  return echoed(printed, (command) => entered[command]!.screen);
}

/** Returns the same text for a terminal on which the lines were not typed. */
export const textForOthers = (
  entered: readonly EnteredLine[],
  { printed }: Pick<ConsoleSession, "printed">,
): string =>
  echoed(printed, (command) => `${entered[command]!.line}\r\n`)
    .map(({ text }) => text)
    .join("");

function echoed(printed: ConsoleSession["printed"], echoOf: (command: number) => string): Piece[] {
  let shown = -1;
  return printed.flatMap(({ command, atNs, text }) => {
    const piece = { atNs, text: toScreen(text) };
    if (command === shown) return [piece];
    shown = command;
    return [{ atNs, text: echoOf(command) }, piece];
  });
}
