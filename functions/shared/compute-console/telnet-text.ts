/**
 * The text in a telnet stream (RFC 854, RFC 855): commands and subnegotiations are removed, and UTF-8 is decoded, wherever the stream is
 * cut into pieces. The compute's telnet server negotiates and expects no answer: existing web clients send none.
 */
const IAC = 255;
const SE = 240;
const SB = 250;
/** WILL, WON'T, DO and DON'T, which an option follows. */
const FIRST_VERB = 251;
const LAST_VERB = 254;

type State = "text" | "command" | "option" | "subnegotiation" | "subnegotiation-command";

export class TelnetText {
  readonly #decoder = new TextDecoder();
  #state: State = "text";

  /** Returns the text that is complete with these bytes. */
  take(bytes: Uint8Array): string {
    const text = bytes.filter((byte) => this.#isText(byte));
    return this.#decoder.decode(text, { stream: true });
  }

  #isText(byte: number): boolean {
    const state = this.#state;
    this.#state = next(state, byte);
    if (state === "text") return byte !== IAC;
    // A doubled IAC is the byte itself.
    return state === "command" && byte === IAC;
  }
}

function next(state: State, byte: number): State {
  switch (state) {
    case "text":
      return byte === IAC ? "command" : "text";
    case "command":
      if (byte === SB) return "subnegotiation";
      return byte >= FIRST_VERB && byte <= LAST_VERB ? "option" : "text";
    case "option":
      return "text";
    case "subnegotiation":
      return byte === IAC ? "subnegotiation-command" : "subnegotiation";
    case "subnegotiation-command":
      return byte === SE ? "text" : "subnegotiation";
  }
}
