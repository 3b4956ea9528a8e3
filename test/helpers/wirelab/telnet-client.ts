/** A telnet client: answers no negotiation, collects what the server sends. */
import { connect, type Socket } from "node:net";

export class TelnetClient {
  readonly #socket: Socket;
  received: Buffer = Buffer.alloc(0);
  isEnded = false;
  #changed: () => void = () => {};

  constructor(port: number) {
    this.#socket = connect(port, "127.0.0.1");
    this.#socket.on("data", (bytes) => {
      this.received = Buffer.concat([this.received, bytes]);
      this.#changed();
    });
    this.#socket.on("close", () => {
      this.isEnded = true;
      this.#changed();
    });
    this.#socket.on("error", () => {});
  }

  /** The text without the commands of telnet, which have three bytes. */
  get text(): string {
    return Buffer.from(
      this.received.toString("latin1").replaceAll(/\xff[\xfb-\xfe][\s\S]/g, ""),
      "latin1",
    ).toString();
  }

  type(text: string | Uint8Array): void {
    this.#socket.write(text);
  }

  /** Resolves when the condition holds. @throws Error with what was received, when it does not in time. */
  async until(condition: (client: this) => boolean): Promise<void> {
    const deadlineMs = Date.now() + 120_000;
    while (!condition(this)) {
      if (Date.now() > deadlineMs) throw new Error(`Received only ${JSON.stringify(this.text)}`);
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
        setTimeout(resolve, 500).unref();
      });
    }
  }

  /** Resolves when the text ends like this. */
  untilText(end: string): Promise<void> {
    return this.until(({ text }) => text.endsWith(end));
  }

  close(): void {
    this.#socket.destroy();
  }
}
