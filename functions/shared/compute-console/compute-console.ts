/** The console of a node on a compute: a WebSocket that carries telnet (`GET .../console/ws` of the compute). */
import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import type { SocketTarget } from "../compute/socket-target.ts";
import { failureOf } from "../edge/errors.ts";
import { CALL_ERRORS } from "../edge/own-errors/call.ts";
import { TelnetText } from "./telnet-text.ts";

const HANDSHAKE_TIMEOUT_MS = 5_000;
const CLOSE_TIMEOUT_MS = 1_000;
/** The compute sends what a node has printed in pieces of at most some kilobytes. */
const PIECE_MAX_BYTES = 1_048_576;

/** Emits `news` when there is text to take, and when the compute has closed the console. */
export class ComputeConsole extends EventEmitter<{ news: [] }> {
  readonly #socket: WebSocket;
  readonly #telnet = new TelnetText();
  #printed = "";

  private constructor(socket: WebSocket) {
    super();
    this.#socket = socket;
    socket.on("message", (data) => {
      this.#printed += this.#telnet.take(data as Buffer);
      this.emit("news");
    });
    socket.on("close", () => this.emit("news"));
    // `close` follows.
    socket.on("error", () => undefined);
  }

  /** @throws ApiError `compute.console-closed` when the compute refuses, or does not answer. */
  static async open({ url, headers, lookup, name }: SocketTarget): Promise<ComputeConsole> {
    const options = {
      headers,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      followRedirects: false,
      perMessageDeflate: false,
      maxPayload: PIECE_MAX_BYTES,
      ...(lookup && { lookup }),
    };
    const socket = new WebSocket(url, options);
    const console = new ComputeConsole(socket);
    try {
      await once(socket, "open");
    } catch (error) {
      throw failureOf(CALL_ERRORS, "compute.console-closed", { name, detail: (error as Error).message });
    }
    return console;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  /** Returns what the node has printed since the last call. */
  take(): string {
    const printed = this.#printed;
    this.#printed = "";
    return printed;
  }

  get hasPrinted(): boolean {
    return this.#printed !== "";
  }

  type(text: string): void {
    if (this.isOpen) this.#socket.send(text);
  }

  /** Resolves when what was typed has been sent. */
  async close(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CLOSED) return;
    const closed = once(this.#socket, "close");
    this.#socket.close();
    await Promise.race([closed, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    this.#socket.terminate();
  }
}
