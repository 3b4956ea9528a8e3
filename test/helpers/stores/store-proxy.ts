/** A proxy between the functions and a store, which decides the fate of each call. */
import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface StoreCall {
  readonly store: "dynamodb" | "s3";
  /** DynamoDB's operation, or method and path at S3. */
  readonly name: string;
  readonly changes: boolean;
  readonly body: Buffer;
}

/** A response in place of the store's. */
export interface CannedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** `before` and `after`: whether the call takes effect on the store. `hang`: the connection stays open without a response. */
export type Fate = "pass" | "cut-before" | "cut-after" | "hang-before" | "hang-after" | CannedAnswer;

export interface StoreProxy {
  readonly url: string;
  close(): void;
}

const READS = /\.(GetItem|BatchGetItem|Query|Scan|DescribeTable)$/;

/** @param decide called when a call has arrived completely. */
export async function startStoreProxy(
  target: string,
  decide: (call: StoreCall) => Fate | Promise<Fate>,
): Promise<StoreProxy> {
  const { hostname, port } = new URL(target);
  const server = createServer(async (incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const body = await readAll(incoming);
    const operation = String(headers["x-amz-target"] ?? "");
    const fate = await decide({
      store: operation ? "dynamodb" : "s3",
      name: operation.replace(/^.*\./, "") || `${method} ${path}`,
      changes: operation ? !READS.test(operation) : method !== "GET" && method !== "HEAD",
      body,
    });
    if (fate === "cut-before") return incoming.socket.destroy();
    if (fate === "hang-before") return;
    if (typeof fate === "object") {
      outgoing.writeHead(fate.status, { "content-type": fate.contentType });
      return outgoing.end(fate.body);
    }
    const forwarded = httpRequest({ hostname, port, method, path, headers }, async (response) => {
      const answer = await readAll(response);
      if (fate === "cut-after") return incoming.socket.destroy();
      if (fate === "hang-after") return;
      outgoing.writeHead(response.statusCode!, response.headers);
      outgoing.end(answer);
    });
    forwarded.on("error", () => outgoing.destroy());
    forwarded.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const readAll = async (stream: IncomingMessage): Promise<Buffer> => Buffer.concat(await stream.toArray());
