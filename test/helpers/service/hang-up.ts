/** Clients that close their connection at a chosen stage of a request to a server in the test's own process. */
import { subscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";

/** The server's side of a client's connection, by the client's port. */
class ServerSide<T> {
  readonly #slots = new Map<number, PromiseWithResolvers<T>>();

  of(clientPort: number): PromiseWithResolvers<T> {
    const slot = this.#slots.get(clientPort) ?? Promise.withResolvers<T>();
    this.#slots.set(clientPort, slot);
    return slot;
  }

  forget(clientPort: number): void {
    this.#slots.delete(clientPort);
  }
}

const sockets = new ServerSide<Socket>();
const responses = new ServerSide<ServerResponse>();
subscribe("net.server.socket", (message) => {
  const { socket } = message as { socket: Socket };
  sockets.of(socket.remotePort!).resolve(socket);
});
subscribe("http.server.request.start", (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  responses.of(request.socket.remotePort!).resolve(response);
});

export class HangingUp {
  readonly #socket: Socket;
  readonly #port: number;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#port = socket.localPort!;
  }

  /** Connects and sends the bytes. */
  static async open(port: number, sent: string | Buffer): Promise<HangingUp> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    socket.on("error", () => {}).write(sent);
    return new HangingUp(socket);
  }

  /** The server's response object, available once the server has read the request's head. */
  get response(): Promise<ServerResponse> {
    return responses.of(this.#port).promise;
  }

  /** Resolves when the first bytes of the response have arrived. */
  async answerBegun(): Promise<void> {
    await once(this.#socket, "readable");
  }

  /** Closes the connection and resolves when the server has noticed. */
  async hangUp(): Promise<void> {
    const socket = await sockets.of(this.#port).promise;
    this.#socket.destroy();
    // A cut request emits an error at the server, with which `once` of node:events would reject.
    if (!socket.closed) await new Promise((resolve) => socket.once("close", resolve));
    sockets.forget(this.#port);
    responses.forget(this.#port);
  }
}
