/**
 * Edits one line on a terminal: each function returns the line after a key, and what the terminal has to print.
 *
 * Prints what VPCS 0.8.3 prints: an erased character is `08 20 08`, and the cursor goes left by 08. Home, End, Ctrl-A, E, K, L, U and W
 * are those of readline; VPCS ignores some of them.
 */

/** The line that is being typed. `cursor` is from 0 to the line's length. */
export interface EditedLine {
  readonly line: string;
  readonly cursor: number;
}

export interface Edit {
  readonly after: EditedLine;
  readonly screen: string;
}

/** A key that moves the cursor or erases. */
export type LineKey =
  | "left"
  | "right"
  | "home"
  | "end"
  | "erase-left"
  | "erase-right"
  | "erase-word"
  | "erase-to-start"
  | "erase-to-end";

export const EMPTY_LINE: EditedLine = { line: "", cursor: 0 };

/** As many characters as the console of a device takes. */
export const LINE_MAX_CHARACTERS = 1_000;

const BACK = "\b";
const ERASE = "\b \b";

/** Returns what moves the cursor to the end of the line. */
export const toEnd = ({ line, cursor }: EditedLine): string => line.slice(cursor);

const unchanged = (before: EditedLine): Edit => ({ after: before, screen: "" });

/** Inserts a character at the cursor. A full line takes no more. */
export function insert(before: EditedLine, character: string): Edit {
  const { line, cursor } = before;
  if (line.length >= LINE_MAX_CHARACTERS) return unchanged(before);
  const rest = line.slice(cursor);
  const after = { line: line.slice(0, cursor) + character + rest, cursor: cursor + 1 };
  return { after, screen: character + rest + BACK.repeat(rest.length) };
}

export function editLine(key: LineKey, before: EditedLine): Edit {
  const { line, cursor } = before;
  switch (key) {
    case "left":
      return moveTo(before, cursor - 1);
    case "right":
      return moveTo(before, cursor + 1);
    case "home":
      return moveTo(before, 0);
    case "end":
      return moveTo(before, line.length);
    case "erase-left":
      return eraseFrom(before, cursor - 1);
    case "erase-right":
      return eraseTo(before, cursor + 1);
    case "erase-word":
      return eraseFrom(before, startOfWord(before));
    case "erase-to-start":
      return eraseFrom(before, 0);
    case "erase-to-end":
      return eraseTo(before, line.length);
  }
}

/** @param target a position in the line. */
function moveTo(before: EditedLine, target: number): Edit {
  const { line, cursor } = before;
  const position = Math.max(0, Math.min(line.length, target));
  const screen = position < cursor ? BACK.repeat(cursor - position) : line.slice(cursor, position);
  return { after: { line, cursor: position }, screen };
}

/** Erases the characters from `start` to the cursor. */
function eraseFrom(before: EditedLine, start: number): Edit {
  const { line, cursor } = before;
  const position = Math.max(0, start);
  const count = cursor - position;
  const rest = line.slice(cursor);
  const after = { line: line.slice(0, position) + rest, cursor: position };
  if (rest === "") return { after, screen: ERASE.repeat(count) };
  return { after, screen: BACK.repeat(count) + overwrite(rest, count) };
}

/** Erases the characters from the cursor to `end`. */
function eraseTo(before: EditedLine, end: number): Edit {
  const { line, cursor } = before;
  const position = Math.min(line.length, end);
  const rest = line.slice(position);
  const after = { line: line.slice(0, cursor) + rest, cursor };
  return { after, screen: overwrite(rest, position - cursor) };
}

/** Returns the beginning of the word before the cursor. */
function startOfWord({ line, cursor }: EditedLine): number {
  return line.slice(0, cursor).trimEnd().lastIndexOf(" ") + 1;
}

/** Erases the line and types another. */
export function replaceBy(before: EditedLine, line: string): Edit {
  const screen = toEnd(before) + ERASE.repeat(before.line.length) + line;
  return { after: { line, cursor: line.length }, screen };
}

/** Returns the line with the cursor at its place, for a terminal whose cursor is behind the prompt. */
export const redraw = ({ line, cursor }: EditedLine): string => line + BACK.repeat(line.length - cursor);

/** Writes the rest of the line over `count` erased characters and goes back to its beginning. */
const overwrite = (rest: string, count: number): string =>
  count === 0 ? "" : rest + " ".repeat(count) + BACK.repeat(rest.length + count);
