/** The thread of the embedded DynamoDB: HTTP in front of requests.ts. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { crc32 } from "node:zlib";
import { Requests } from "./requests.ts";
import type { ServerSetup } from "./start.ts";

const { host, file, limits }: ServerSetup = workerData;
const port = parentPort!;
const requests = new Requests(file, limits, (line) => console.error(line));

const server = createServer((incoming, response) => {
  readBody(incoming)
    .then((body) => requests.run(String(incoming.headers["x-amz-target"] ?? ""), body))
    .then(({ status, body }) => {
      // The SDK checks it.
      const checksum = String(crc32(body));
      response.writeHead(status, { "content-type": "application/x-amz-json-1.0", "x-amz-crc32": checksum });
      response.end(body);
    })
    // The client has gone.
    .catch(() => response.destroy());
});
// Clients keep their connections for as long as they like.
server.keepAliveTimeout = 0;
server.listen(0, host, () => port.postMessage((server.address() as AddressInfo).port));

port.once("message", () => {
  server.close(() => {
    requests.close();
    port.close();
  });
  server.closeIdleConnections();
  setImmediate(() => server.closeAllConnections());
});

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
