/**
 * A terminal in front of a device's console: keys in, text for the screen and whole lines out.
 *
 *     feed(state, "pi", ..) -> screen "pi"
 *     feed(state, "ng\r", ..) -> screen "ng\r\n", and the line "ping"
 *
 * The state is small plain JSON, to be stored between two inputs. The caller runs the lines on the device's console, which must not echo
 * them. State and screen depend on the characters alone, not on how they are split into inputs.
 */

import { type Assistant, completeLine } from "./assistant.ts";
import { endVisit, type History, makeHistory, remember, visitNewer, visitOlder } from "./history.ts";
import { type DecoderState, type EditingKey, type Key, KeyDecoder, NO_INPUT } from "./keys.ts";
import {
  type Edit,
  type EditedLine,
  EMPTY_LINE,
  editLine,
  insert,
  redraw,
  replaceBy,
  toEnd,
} from "./line-editor.ts";

export interface TerminalState {
  readonly input: DecoderState;
  readonly edited: EditedLine;
  readonly history: History;
}

export interface EnteredLine {
  /** What to print before the line runs: its echo, up to its line end. */
  readonly screen: string;
  readonly line: string;
}

export interface Fed {
  readonly state: TerminalState;
  /** The lines that the input completes, in order. */
  readonly entered: readonly EnteredLine[];
  /** What to print after the output of the last line. */
  readonly screen: string;
}

const LINE_END = "\r\n";
/** Moves the cursor to the corner and erases all (ECMA-48: CUP, ED). */
const CLEAR_SCREEN = "\x1b[H\x1b[2J";
/** Moves the cursor to the first column and erases the line (ECMA-48: EL). */
const CLEAR_LINE = "\r\x1b[K";

/** @param lines the lines that were typed before, the oldest first. */
export const makeTerminal = (lines: readonly string[] = []): TerminalState => ({
  input: NO_INPUT,
  edited: EMPTY_LINE,
  history: makeHistory(lines),
});

/**
 * Types text.
 * @param prompt the prompt at the beginning of the present line, for keys that print it again.
 * @param assistant what `?` and TAB ask; without one, `?` is a character and TAB ignored, as in VPCS.
 */
export function feed(state: TerminalState, text: string, prompt: string, assistant?: Assistant): Fed {
  const decoder = new KeyDecoder(state.input);
  const keyboard = new Keyboard(state, prompt, assistant);
  for (const key of decoder.decode(text)) keyboard.press(key);
  return keyboard.fed(decoder.state);
}

/** Converts the text of a device for a terminal, which takes CR LF as a line end. */
export const toScreen = (text: string): string => text.replaceAll("\n", LINE_END);

/**
 * Returns what shows text above the line that is being typed: erases that line, prints the text, and prints the line again.
 * @param text begins at the first column; ends with the prompt.
 */
export const printAbove = ({ edited }: TerminalState, text: string): string =>
  CLEAR_LINE + text + redraw(edited);

class Keyboard {
  readonly #prompt: string;
  readonly #assistant: Assistant | undefined;
  #edited: EditedLine;
  #history: History;
  #screen = "";
  readonly #entered: EnteredLine[] = [];

  constructor({ edited, history }: TerminalState, prompt: string, assistant: Assistant | undefined) {
    this.#assistant = assistant;
    this.#edited = edited;
    this.#history = history;
    this.#prompt = prompt;
  }

  fed(input: DecoderState): Fed {
    const state = { input, edited: this.#edited, history: this.#history };
    return { state, entered: this.#entered, screen: this.#screen };
  }

  press(key: Key): void {
    if ("edit" in key) this.#edit(key.edit);
    else if (key.character === "?" && !key.isLiteral && this.#assistant !== undefined)
      this.#printBelow(this.#assistant.help(this.#edited.line.slice(0, this.#edited.cursor)), "?");
    else this.#apply(insert(this.#edited, key.character));
  }

  #edit(key: EditingKey): void {
    switch (key) {
      case "enter":
        this.#enter();
        break;
      case "interrupt":
        this.#print(`${toEnd(this.#edited)}^C${LINE_END}${this.#prompt}`);
        this.#begin();
        break;
      case "clear-screen":
        this.#print(CLEAR_SCREEN + this.#prompt + redraw(this.#edited));
        break;
      case "complete":
        if (this.#assistant !== undefined) this.#complete(this.#assistant);
        break;
      case "older":
        this.#visit(visitOlder(this.#history, this.#edited.line));
        break;
      case "newer":
        this.#visit(visitNewer(this.#history));
        break;
      default:
        this.#apply(editLine(key, this.#edited));
    }
  }

  #complete(assistant: Assistant): void {
    const completion = completeLine(assistant, this.#edited);
    if (completion.kind === "insert") this.#apply(completion.edit);
    else this.#printBelow([completion.words.join("  ")]);
  }

  /** Prints lines, and below them the line that is being typed. */
  #printBelow(lines: readonly string[], key = ""): void {
    const text = [toEnd(this.#edited) + key, ...lines].map((line) => `${line}${LINE_END}`).join("");
    this.#print(text + this.#prompt + redraw(this.#edited));
  }

  #enter(): void {
    const { line } = this.#edited;
    this.#entered.push({ screen: this.#screen + toEnd(this.#edited) + LINE_END, line });
    this.#screen = "";
    const typed = line.trim();
    if (typed !== "") this.#history = remember(this.#history, typed);
    this.#begin();
  }

  #begin(): void {
    this.#edited = EMPTY_LINE;
    this.#history = endVisit(this.#history);
  }

  #visit(found: { readonly history: History; readonly line: string } | undefined): void {
    if (found === undefined) return;
    this.#show(replaceBy(this.#edited, found.line));
    this.#history = found.history;
  }

  /** A changed line is a new one, and no longer a visited line of the history. */
  #apply(edit: Edit): void {
    if (edit.after.line !== this.#edited.line) this.#history = endVisit(this.#history);
    this.#show(edit);
  }

  #show({ after, screen }: Edit): void {
    this.#edited = after;
    this.#print(screen);
  }

  #print(text: string): void {
    this.#screen += text;
  }
}
