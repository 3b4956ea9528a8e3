/** Reads a request's body up to a limit, and discards the rest, so that the client can read the error response. */
import type { IncomingMessage } from "node:http";

/** If a client sends more than this after its request was rejected, the gateway closes the connection. */
const DRAIN_MAX_BYTES = 64 * 1024 * 1024;

/** @returns null when the body is longer than `maxBytes`; the rest of it is then discarded. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  if (Number(request.headers["content-length"]) > maxBytes) {
    drain(request);
    return Promise.resolve(null);
  }
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= maxBytes) return;
      chunks = [];
      request.off("data", take);
      drain(request);
      resolve(null);
    };
    request.on("data", take);
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", reject);
  });
}

export function drain(request: IncomingMessage): void {
  let drained = 0;
  request.on("data", (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > DRAIN_MAX_BYTES) request.destroy();
  });
  request.once("error", () => {});
}
