/** Serves the S3 of the local service: object-store.ts over HTTP. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { EmbeddedServer } from "../embedded-server.ts";
import { DISK, type Files } from "./files.ts";
import { ObjectStore } from "./object-store.ts";
import { operationOf, type S3Response, type Stores } from "./operations.ts";
import { S3Error } from "./s3-error.ts";
import { readRequest, type S3Request } from "./s3-request.ts";
import { document, element } from "./s3-xml.ts";
import { Uploads } from "./uploads.ts";

export interface S3Server extends EmbeddedServer {
  /** Resolves when every object that was stored before the start has been checked. */
  readonly checked: Promise<void>;
}

/**
 * @param folder that this process alone uses.
 * @param report receives a line for each damaged file, and for each request that fails by a fault of the disk.
 */
export async function startS3(
  host: string,
  folder: string,
  report: (line: string) => void = console.error,
  files: Files = DISK,
): Promise<S3Server> {
  const store = new ObjectStore(folder, report, files);
  await store.open();
  const stores = { store, uploads: new Uploads(store, files) };
  /** Requests in progress. */
  const running = new Set<Promise<void>>();
  const server = createServer((incoming, response) => {
    const answering = answer(incoming, response, stores, report).finally(() => running.delete(answering));
    running.add(answering);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  let isStopped = false;
  const checked = store
    .check(() => isStopped)
    .catch((error: Error) => report(`S3: the objects in ${folder} could not be checked: ${error.message}`));
  return {
    endpoint: `http://${host}:${(server.address() as AddressInfo).port}`,
    checked,
    async stop() {
      isStopped = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await Promise.all([checked, ...running]);
    },
  };
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  stores: Stores,
  report: (line: string) => void,
): Promise<void> {
  const requestId = randomUUID();
  response.setHeader("x-amz-request-id", requestId);
  try {
    await send(await perform(readRequest(incoming), stores), response);
  } catch (error) {
    if (incoming.socket.destroyed) return;
    if (!(error instanceof S3Error))
      report(`S3: ${incoming.method} ${incoming.url} failed: ${(error as Error).message}`);
    if (response.headersSent) return void response.destroy();
    const { code, status, message } = error instanceof S3Error ? error : new S3Error("InternalError");
    const fields = { Code: code, Message: message, Resource: incoming.url ?? "", RequestId: requestId };
    const xml = document(
      "Error",
      Object.entries(fields).map(([name, value]) => element(name, value)),
    );
    const hasBody = incoming.method !== "HEAD" && code !== "NotModified";
    // A client that still sends its body would not read an answer after which the connection is closed at once.
    incoming.resume();
    await send({ status, ...(hasBody && { xml }) }, response).catch(() => response.destroy());
  }
}

async function perform(request: S3Request, stores: Stores): Promise<S3Response> {
  const { method, bucket, key } = request;
  const operation = operationOf(request);
  const makesBucket = method === "PUT" && key === "";
  if (!makesBucket && !stores.store.hasBucket(bucket)) throw new S3Error("NoSuchBucket", bucket);
  return operation(request, stores);
}

async function send(
  { status, headers = {}, xml, body, close }: S3Response,
  response: ServerResponse,
): Promise<void> {
  try {
    if (body === undefined) {
      const type = xml === undefined ? {} : { "content-type": "application/xml" };
      response.writeHead(status, {
        ...(status !== 304 && { "content-length": Buffer.byteLength(xml ?? "") }),
        ...type,
        ...headers,
      });
      response.end(xml);
      return;
    }
    response.writeHead(status, headers);
    await pipeline(Readable.from(body), response);
  } finally {
    await close?.();
  }
}
