/** A client of a node's console: a WebSocket, and the screen that a terminal would show. */
import { once } from "node:events";
import WebSocket from "ws";
import { localStack } from "../stack/this-stack.ts";

export const socketAddress = (path: string): string => localStack().baseUrl.replace("http", "ws") + path;

export class ConsoleClient {
  readonly #socket: WebSocket;
  text = "";
  /** The status of the close frame, once the connection has ended. */
  code: number | undefined;
  #changed: () => void = () => {};

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data) => {
      this.text += String(data);
      this.#changed();
    });
    socket.on("close", (code) => {
      this.code = code;
      this.#changed();
    });
  }

  /** @param node path of the node. @param headers credentials. */
  static async open(node: string, headers: Record<string, string> = {}): Promise<ConsoleClient> {
    const socket = new WebSocket(socketAddress(`${node}/console/ws`), { headers });
    const client = new ConsoleClient(socket);
    await once(socket, "open");
    return client;
  }

  /** Types text; the screen begins anew. */
  type(text: string): this {
    this.text = "";
    this.#socket.send(text);
    return this;
  }

  /** @throws Error with the screen, when the condition does not hold within 30 seconds. */
  async until(condition: (client: this) => boolean): Promise<this> {
    const deadlineMs = Date.now() + 120_000;
    while (!condition(this)) {
      if (Date.now() > deadlineMs)
        throw new Error(`The screen is ${JSON.stringify(this.text)}, code ${this.code}`);
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
        setTimeout(resolve, 500).unref();
      });
    }
    return this;
  }

  untilText(end: string): Promise<this> {
    return this.until(({ text }) => text.endsWith(end));
  }

  untilClosed(): Promise<this> {
    return this.until(({ code }) => code !== undefined);
  }

  close(): void {
    this.#socket.terminate();
  }
}
