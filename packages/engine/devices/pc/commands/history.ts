/** Lines that were typed, the latest 50, duplicates included. */
import type { PcState } from "../state.ts";

const HISTORY_MAX = 50;

export function remember(state: PcState, line: string): void {
  state.history = [...state.history, line].slice(-HISTORY_MAX);
}

/** Oldest first, the command that asks for them included. */
export const historyText = ({ history }: PcState): string => history.map((line) => `${line}\n`).join("");
