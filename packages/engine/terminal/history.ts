/**
 * The lines that were typed on a terminal, and the way through them with the cursor keys. VPCS visits only the lines that begin with the
 * text that was on the line before the first of these keys, and keeps 50 lines, duplicates included.
 */

const LINES_MAX = 50;
/** Bounds a state that is stored after every key. */
const CHARACTERS_MAX = 8_192;

export interface History {
  /** The oldest first. */
  readonly lines: readonly string[];
  /** The visited line's index; null while a new line is edited. */
  readonly visited: number | null;
  /** The text that was typed before the visit. */
  readonly typed: string;
}

/** @param lines the oldest first. */
export const makeHistory = (lines: readonly string[] = []): History => ({
  lines: newest(lines),
  visited: null,
  typed: "",
});

/** Adds a line, and ends a visit. */
export const remember = ({ lines }: History, line: string): History => makeHistory([...lines, line]);

export const endVisit = (history: History): History =>
  history.visited === null ? history : { ...history, visited: null, typed: "" };

/** @returns undefined if no older line begins with the typed text. */
export function visitOlder(history: History, line: string): { history: History; line: string } | undefined {
  const { lines, visited } = history;
  const typed = visited === null ? line : history.typed;
  const before = lines.slice(0, visited ?? lines.length);
  const found = before.findLastIndex((each) => each.startsWith(typed));
  return found < 0 ? undefined : { history: { lines, visited: found, typed }, line: lines[found] as string };
}

/** Returns to the typed text after the newest line. @returns undefined if no line is visited. */
export function visitNewer(history: History): { history: History; line: string } | undefined {
  const { lines, visited, typed } = history;
  if (visited === null) return undefined;
  const found = lines.findIndex((each, index) => index > visited && each.startsWith(typed));
  if (found < 0) return { history: endVisit(history), line: typed };
  return { history: { lines, visited: found, typed }, line: lines[found] as string };
}

function newest(lines: readonly string[]): readonly string[] {
  let characters = 0;
  const kept = lines.slice(-LINES_MAX);
  const first = kept.findLastIndex((line) => {
    characters += line.length;
    return characters > CHARACTERS_MAX;
  });
  return kept.slice(first + 1);
}
