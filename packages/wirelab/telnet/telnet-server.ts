/** A telnet port of a node: each connection is a console of its own, over a WebSocket. Listens on the loopback interface only. */
import { createServer, type Server, type Socket } from "node:net";
import type { RawData, WebSocket } from "ws";
import { encodeTelnet, GREETING, TelnetDecoder } from "./codec.ts";
import { Keystrokes } from "./keystrokes.ts";

export const TELNET_HOST = "127.0.0.1";

/** Opens the console's WebSocket. */
export type OpenConsole = () => WebSocket;

export interface TelnetServer {
  readonly port: number;
  /** Stops listening. Open connections stay, unless `isFinal`. */
  stop(isFinal?: boolean): void;
}

/**
 * @param port 0 for any free port.
 * @throws NodeJS.ErrnoException `EADDRINUSE` when the port is taken.
 */
export async function startTelnetServer(port: number, open: OpenConsole): Promise<TelnetServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    join(socket, open());
  });
  await listen(server, port);
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    stop(isFinal = false) {
      server.close();
      if (isFinal) for (const socket of sockets) socket.destroy();
    },
  };
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, TELNET_HOST, resolve);
  });

function join(socket: Socket, console: WebSocket): void {
  const decoder = new TelnetDecoder((bytes) => socket.write(bytes));
  const keystrokes = new Keystrokes((text) => console.send(text));
  /** What was typed before the console was open. */
  let early = "";
  const type = (text: string): void => {
    if (text === "" || console.readyState > console.OPEN) return;
    if (console.readyState === console.OPEN) keystrokes.type(text);
    else early += text;
  };
  socket.setNoDelay(true).write(GREETING);
  socket.on("data", (bytes) => type(decoder.decode(bytes)));
  socket.on("drain", () => console.resume());
  // A client that closes its side after the last line, such as `nc -N`, has no keys any more.
  socket.once("end", () => keystrokes.flush());
  socket.once("close", () => {
    keystrokes.stop();
    console.close();
  });
  socket.on("error", () => socket.destroy());
  console.once("open", () => {
    type(early);
    early = "";
  });
  console.on("message", (data) => {
    if (!socket.writable) return;
    if (!socket.write(encodeTelnet(bytesOf(data)))) console.pause();
  });
  console.once("error", (error) => {
    if (socket.writable) socket.write(`Wirelab: the console cannot be opened: ${error.message}\r\n`);
  });
  console.once("close", () => socket.end());
}

/** Converts the data of a message, which the package ws passes in three forms. */
export const bytesOf = (data: RawData): Uint8Array =>
  data instanceof ArrayBuffer ? new Uint8Array(data) : Array.isArray(data) ? Buffer.concat(data) : data;
