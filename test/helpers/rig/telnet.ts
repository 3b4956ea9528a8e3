/** A telnet console at a TCP port, as a test reads it: text without telnet's negotiation. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

const TIMEOUT_MS = 60_000;
/** IAC, a verb from WILL to DONT, and an option: RFC 854. */
const NEGOTIATION = /\xff[\xfb-\xfe][\s\S]/g;

export class Telnet {
  readonly #socket: Socket;
  #text = "";
  #news: (() => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding("latin1");
    socket.on("data", (text) => {
      this.#text = (this.#text + text).replaceAll(NEGOTIATION, "");
      this.#news?.();
    });
    socket.on("error", () => undefined);
  }

  static async open(port: number, host = "127.0.0.1"): Promise<Telnet> {
    const socket = connect(port, host);
    await once(socket, "connect");
    return new Telnet(socket);
  }

  get text(): string {
    return this.#text;
  }

  type(line: string): void {
    this.#socket.write(`${line}\r`);
  }

  /** Resolves to the text up to and including what matches, and removes it. */
  async read(pattern: RegExp): Promise<string> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    for (;;) {
      const match = pattern.exec(this.#text);
      if (match) {
        const end = match.index + match[0].length;
        const read = this.#text.slice(0, end);
        this.#text = this.#text.slice(end);
        return read;
      }
      await new Promise<void>((resolve, reject) => {
        this.#news = resolve;
        timeout.onabort = () => reject(new Error(`no ${pattern} in ${JSON.stringify(this.#text)}`));
      });
    }
  }

  close(): void {
    this.#socket.destroy();
  }
}
