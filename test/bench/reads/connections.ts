/**
 * A process that repeats one request on keep-alive connections and reports how many responses came. It parses only as much of
 * HTTP as it needs to find a response's end, because Node's client uses more processor time than the server.
 *
 *     node connections.ts PORT PATH CONNECTIONS SECONDS
 */
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const [port, path, connections, seconds] = process.argv.slice(2) as [string, string, string, string];
const REQUEST = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
const LAST_CHUNK = Buffer.from("\r\n0\r\n\r\n");
/** Warms up the server, and lets it start the workers that it needs. */
const WARM_UP_MS = 2_000;

let answered = 0;

function openConnection(): void {
  const socket = connect(Number(port), "127.0.0.1", () => socket.setNoDelay(true).write(REQUEST));
  let received = Buffer.alloc(0);
  socket.on("data", (bytes) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
    if (!isComplete(received)) return;
    if (!received.subarray(0, 12).equals(Buffer.from("HTTP/1.1 200"))) throw new Error(received.toString());
    received = Buffer.alloc(0);
    answered += 1;
    socket.write(REQUEST);
  });
}

function isComplete(received: Buffer): boolean {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const [, length] = /content-length: (\d+)/i.exec(received.toString("latin1", 0, end)) ?? [];
  if (length !== undefined) return received.length >= end + 4 + Number(length);
  return received.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
}

for (let index = 0; index < Number(connections); index++) openConnection();
await sleep(WARM_UP_MS);
const [before, begin] = [answered, performance.now()];
await sleep(Number(seconds) * 1000);
process.send!((answered - before) / ((performance.now() - begin) / 1000), () => process.exit());
