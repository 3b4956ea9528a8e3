/**
 * Telnet (RFC 854) on the side of a server that echoes: decodes what a client sends into text and answers its negotiations.
 *
 *     IAC WILL ECHO, IAC WILL SGA   the client sends each key at once and shows none itself (RFC 857, 858)
 *     IAC WILL BINARY, DO BINARY    UTF-8 passes unchanged (RFC 856)
 *
 * The server offers these at the start, so an answer that only accepts is not answered again (RFC 854: no loops).
 */

const IAC = 255;
const DONT = 254;
const DO = 253;
const WONT = 252;
const WILL = 251;
const SB = 250;
const ERASE_LINE = 248;
const ERASE_CHARACTER = 247;
const ARE_YOU_THERE = 246;
const INTERRUPT_PROCESS = 244;
const BREAK = 243;
const SE = 240;

const BINARY = 0;
const ECHO = 1;
const SUPPRESS_GO_AHEAD = 3;

/** What the server does, and what it lets the client do. */
const OURS: readonly number[] = [ECHO, SUPPRESS_GO_AHEAD, BINARY];
const THEIRS: readonly number[] = [SUPPRESS_GO_AHEAD, BINARY];

/** The first bytes of a connection: the server's offers. */
export const GREETING: Uint8Array = Uint8Array.from([
  ...OURS.flatMap((option) => [IAC, WILL, option]),
  ...THEIRS.flatMap((option) => [IAC, DO, option]),
]);

/** The keys of commands that stand for one. */
const KEYS: Readonly<Record<number, string>> = {
  [BREAK]: "\x03",
  [INTERRUPT_PROCESS]: "\x03",
  [ERASE_CHARACTER]: "\x7f",
  [ERASE_LINE]: "\x15",
};

type State = "data" | "command" | "option" | "subnegotiation" | "command in subnegotiation";

export class TelnetDecoder {
  readonly #answer: (bytes: Uint8Array) => void;
  readonly #utf8 = new TextDecoder();
  readonly #ours = new Set(OURS);
  readonly #theirs = new Set(THEIRS);
  #state: State = "data";
  #verb = 0;

  /** @param answer sends bytes to the client. */
  constructor(answer: (bytes: Uint8Array) => void) {
    this.#answer = answer;
  }

  /** Returns the text that the client has typed. A character, or a command, may be split between two calls. */
  decode(bytes: Uint8Array): string {
    let text = "";
    let from = 0;
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index] as number;
      if (this.#state === "data" && byte !== IAC) continue;
      if (this.#state === "data") text += this.#utf8.decode(bytes.subarray(from, index), { stream: true });
      text += this.#take(byte);
      from = index + 1;
    }
    if (this.#state === "data") text += this.#utf8.decode(bytes.subarray(from), { stream: true });
    return text;
  }

  /** @returns the key of a command; empty for all other bytes. */
  #take(byte: number): string {
    switch (this.#state) {
      case "data":
        this.#state = "command";
        return "";
      case "command":
        return this.#takeCommand(byte);
      case "option":
        this.#state = "data";
        this.#negotiate(this.#verb, byte);
        return "";
      case "subnegotiation":
        if (byte === IAC) this.#state = "command in subnegotiation";
        return "";
      case "command in subnegotiation":
        this.#state = byte === SE ? "data" : "subnegotiation";
        return "";
    }
  }

  #takeCommand(byte: number): string {
    this.#state = "data";
    // A doubled IAC is the byte 255, which is in no UTF-8 text.
    if (byte >= WILL && byte <= DONT) {
      this.#verb = byte;
      this.#state = "option";
    } else if (byte === SB) this.#state = "subnegotiation";
    else if (byte === ARE_YOU_THERE) this.#answer(new TextEncoder().encode("\r\n[Yes]\r\n"));
    return KEYS[byte] ?? "";
  }

  #negotiate(verb: number, option: number): void {
    if (verb === DO) this.#agree(this.#ours, OURS, option, WILL, WONT);
    else if (verb === WILL) this.#agree(this.#theirs, THEIRS, option, DO, DONT);
    else if (verb === DONT) this.#end(this.#ours, option, WONT);
    else this.#end(this.#theirs, option, DONT);
  }

  #agree(enabled: Set<number>, known: readonly number[], option: number, yes: number, no: number): void {
    if (enabled.has(option)) return;
    const isKnown = known.includes(option);
    if (isKnown) enabled.add(option);
    this.#answer(Uint8Array.of(IAC, isKnown ? yes : no, option));
  }

  #end(enabled: Set<number>, option: number, no: number): void {
    if (enabled.delete(option)) this.#answer(Uint8Array.of(IAC, no, option));
  }
}

/** Returns bytes for a telnet client: doubles the byte 255, which would begin a command. */
export function encodeTelnet(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(IAC)) return bytes;
  return Uint8Array.from([...bytes].flatMap((byte) => (byte === IAC ? [IAC, IAC] : [byte])));
}
