/**
 * Decodes what a terminal sends into keys: printable ASCII, control characters (as readline binds them), the escape sequences of
 * ECMA-48 (`ESC [ ...`) and of application mode (`ESC O ...`), and telnet commands, one character for each byte (RFC 854).
 *
 * A sequence may be cut off anywhere: `DecoderState` holds its beginning until the rest arrives, so the keys do not depend on how the
 * input is split. All other characters are ignored, as the console of VPCS ignores bytes from 0x80 on.
 */
import type { LineKey } from "./line-editor.ts";

export type EditingKey = LineKey | "enter" | "interrupt" | "older" | "newer" | "clear-screen" | "complete";

/** One printable character, or a key that edits. */
export type Key =
  | { readonly character: string /** Ctrl-V was typed before. */; readonly isLiteral?: true }
  | { readonly edit: EditingKey };

export interface DecoderState {
  /** The beginning of a sequence; empty between sequences. */
  readonly pending: string;
  /** The last character was a CR: an LF or NUL that follows belongs to it (RFC 854: CR LF and CR NUL are one line end). */
  readonly afterCr: boolean;
}

export const NO_INPUT: DecoderState = { pending: "", afterCr: false };

/** Ctrl-V: the next character is typed as it is (readline's quoted-insert). */
const LITERAL = "\x16";
const ESC = "\x1b";
const CSI = `${ESC}[`;
const SS3 = `${ESC}O`;
/** The longest parameters that a terminal sends are those of mouse reports; the decoder ignores the characters after these. */
const PARAMETERS_MAX = 32;

const CONTROLS: Readonly<Record<string, EditingKey>> = {
  "\x01": "home",
  "\x02": "left",
  "\x03": "interrupt",
  "\x04": "erase-right",
  "\x05": "end",
  "\x06": "right",
  "\x08": "erase-left",
  "\t": "complete",
  "\x0b": "erase-to-end",
  "\x0c": "clear-screen",
  "\x0e": "newer",
  "\x10": "older",
  "\x15": "erase-to-start",
  "\x17": "erase-word",
  "\x7f": "erase-left",
};

/** By the parameters and the final character after `ESC [`, or the final character after `ESC O`. */
const SEQUENCES: Readonly<Record<string, EditingKey>> = {
  A: "older",
  B: "newer",
  C: "right",
  D: "left",
  H: "home",
  F: "end",
  "1~": "home",
  "7~": "home",
  "4~": "end",
  "8~": "end",
  "3~": "erase-right",
};

const IAC = "\xff";
const SUBNEGOTIATION = "\xfa";
const END_OF_SUBNEGOTIATION = "\xf0";
/** Longer than the subnegotiations of terminal type, speed and window size. What begins like one and goes on for longer is none. */
const SUBNEGOTIATION_MAX = 64;

/** Telnet's own keys: break, interrupt process, erase character, erase line. */
const TELNET_KEYS: Readonly<Record<string, EditingKey>> = {
  "\xf3": "interrupt",
  "\xf4": "interrupt",
  "\xf7": "erase-left",
  "\xf8": "erase-to-start",
};

const isPrintable = (character: string): boolean => character >= " " && character <= "~";

export class KeyDecoder {
  #pending: string;
  #afterCr: boolean;

  constructor({ pending, afterCr }: DecoderState) {
    this.#pending = pending;
    this.#afterCr = afterCr;
  }

  get state(): DecoderState {
    return { pending: this.#pending, afterCr: this.#afterCr };
  }

  /** Returns the keys that the text completes. */
  decode(text: string): Key[] {
    const keys: Key[] = [];
    // By UTF-16 unit: each half of a pair is above ASCII, and ignored like any other such character.
    for (let index = 0; index < text.length; index++) {
      const key = this.#take(text[index]!);
      if (key !== undefined) keys.push(key);
    }
    return keys;
  }

  #take(character: string): Key | undefined {
    const pending = this.#pending;
    if (pending === "") return this.#takeFirst(character);
    if (pending === LITERAL) return this.#takeLiteral(character);
    if (pending.startsWith(IAC)) return this.#takeTelnet(pending, character);
    return this.#takeEscape(pending, character);
  }

  #takeFirst(character: string): Key | undefined {
    const afterCr = this.#afterCr;
    this.#afterCr = character === "\r";
    if (character === "\r") return { edit: "enter" };
    if (character === "\n") return afterCr ? undefined : { edit: "enter" };
    if (character === ESC || character === IAC || character === LITERAL) {
      this.#pending = character;
      return undefined;
    }
    if (isPrintable(character)) return { character };
    const edit = Object.hasOwn(CONTROLS, character) ? CONTROLS[character] : undefined;
    return edit && { edit };
  }

  #takeLiteral(character: string): Key | undefined {
    if (!isPrintable(character)) return this.#restart(character);
    this.#pending = "";
    return { character, isLiteral: true };
  }

  #takeEscape(pending: string, character: string): Key | undefined {
    // A control character is no part of a sequence: Ctrl-C has to work after a lone ESC.
    if (character < " " || character > "~") return this.#restart(character);
    if (pending === ESC) {
      this.#pending = character === "[" || character === "O" ? ESC + character : "";
      return undefined;
    }
    if (character < "@" && !pending.startsWith(SS3)) {
      if (pending.length < CSI.length + PARAMETERS_MAX) this.#pending += character;
      return undefined;
    }
    this.#pending = "";
    const sequence = pending.slice(CSI.length) + character;
    const edit = Object.hasOwn(SEQUENCES, sequence) ? SEQUENCES[sequence] : undefined;
    return edit && { edit };
  }

  #takeTelnet(pending: string, character: string): Key | undefined {
    const command = pending[1];
    if (command === undefined) return this.#takeTelnetCommand(character);
    const isOver =
      command !== SUBNEGOTIATION ||
      (pending.endsWith(IAC) && character === END_OF_SUBNEGOTIATION) ||
      pending.length >= SUBNEGOTIATION_MAX;
    this.#pending = isOver ? "" : pending + character;
    return undefined;
  }

  #takeTelnetCommand(character: string): Key | undefined {
    if (character < END_OF_SUBNEGOTIATION || character > IAC) return this.#restart(character);
    const hasMore = character >= SUBNEGOTIATION && character !== IAC;
    this.#pending = hasMore ? IAC + character : "";
    const edit = TELNET_KEYS[character];
    return edit && { edit };
  }

  #restart(character: string): Key | undefined {
    this.#pending = "";
    return this.#takeFirst(character);
  }
}
