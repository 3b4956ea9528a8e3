/** Clients that hold connections without using them: slow readers, and handshakes that are given up. */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const toSocket = ({ hostname, port }: URL): Socket => {
  const socket = connect(Number(port), hostname);
  // The service may end the connection at any time.
  socket.on("error", () => {});
  return socket;
};

const handshake = (base: URL, path: string): string =>
  [
    `GET ${base.pathname}${path} HTTP/1.1`,
    `Host: ${base.host}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    "",
    "",
  ].join("\r\n");

/** Opens a connection that asks for `path` again and again and reads nothing. @returns a function that ends it. */
export function readSlowly(base: URL, path: string): () => void {
  const socket = toSocket(base);
  socket.pause();
  const request = `GET ${base.pathname}${path} HTTP/1.1\r\nHost: ${base.host}\r\n\r\n`;
  const timer = setInterval(() => socket.writable && socket.write(request), 200);
  return () => {
    clearInterval(timer);
    socket.destroy();
  };
}

/** Opens the WebSocket of all events, and reads none. @returns a function that ends it. */
export function hearNothing(base: URL): () => void {
  const socket = toSocket(base);
  socket.pause();
  socket.write(handshake(base, "/notifications/ws"));
  return () => socket.destroy();
}

/** Begins handshakes and gives them up: before the request, in its midst, and before the response is read. */
export async function abortHandshakes(base: URL, count: number): Promise<void> {
  const text = handshake(base, "/notifications/ws");
  for (let each = 0; each < count; each++) {
    const socket = toSocket(base);
    const length = [0, Math.floor(text.length / 2), text.length][each % 3]!;
    if (length > 0) socket.write(text.slice(0, length));
    await sleep(5);
    socket.resetAndDestroy();
  }
}
