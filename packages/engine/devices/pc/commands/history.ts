/** The last 50 typed lines, including duplicates. */
import type { PcState } from "../state.ts";

const HISTORY_MAX = 50;

export function remember(state: PcState, line: string): void {
  state.history = [...state.history, line].slice(-HISTORY_MAX);
}

/** Lists the oldest line first and includes the `history` command itself. */
export const historyText = ({ history }: PcState): string => history.map((line) => `${line}\n`).join("");
