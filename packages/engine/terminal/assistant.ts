/** Help while a line is typed: what `?` and TAB ask for. */
import { type Edit, type EditedLine, insert } from "./line-editor.ts";

export interface Assistant {
  /** The lines to print about what may follow. @param line the text before the cursor. */
  help(line: string): readonly string[];
  /** The words that the last word of the line, or the next one, can be completed to. */
  complete(line: string): readonly string[];
}

/** Keys that need an assistant. */
export const ASSISTED_KEYS = ["?", "\t"] as const;

const BELL = "\x07";

export type Completion =
  /** Text to insert at the cursor. */
  | { readonly kind: "insert"; readonly edit: Edit }
  /** Several words are possible. */
  | { readonly kind: "list"; readonly words: readonly string[] };

/** Completes the word before the cursor: to the end and a space if one word is possible, or as far as all of them agree. */
export function completeLine(assistant: Assistant, before: EditedLine): Completion {
  const typed = before.line.slice(0, before.cursor);
  const begun = /\S*$/.exec(typed)![0];
  const words = assistant.complete(typed);
  if (words.length === 0) return { kind: "insert", edit: { after: before, screen: BELL } };
  const whole = words.length === 1 ? `${words[0]} ` : commonStart(words);
  const rest = whole.slice(begun.length);
  return rest === "" ? { kind: "list", words } : { kind: "insert", edit: insertText(before, rest) };
}

function commonStart(words: readonly string[]): string {
  const [first = "", ...others] = words;
  let length = first.length;
  for (const word of others)
    while (!word.toLowerCase().startsWith(first.slice(0, length).toLowerCase())) length -= 1;
  return first.slice(0, length);
}

function insertText(before: EditedLine, text: string): Edit {
  let edit: Edit = { after: before, screen: "" };
  for (const character of text) {
    const { after, screen } = insert(edit.after, character);
    edit = { after, screen: edit.screen + screen };
  }
  return edit;
}
