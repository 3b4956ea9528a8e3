/** The proxy between the functions and a store. A test watches the calls, decides the fate of each, and may change what is sent. */
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from "node:http";
import type { AddressInfo } from "node:net";

export interface StoreCall {
  readonly store: "dynamodb" | "s3";
  /** DynamoDB's operation, or method and path at S3. */
  readonly name: string;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly changes: boolean;
  readonly body: Buffer;
}

interface StoreAnswer {
  readonly status: number;
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

export interface StoreWatch {
  /** Called when a call has arrived completely. Default: every call passes. */
  readonly decide?: (call: StoreCall) => Fate | Promise<Fate>;
  /** Returns the body that the store gets. */
  readonly rewrite?: (call: StoreCall) => Buffer;
  /** Called with the store's answer, before the caller gets it. */
  readonly answered?: (call: StoreCall, answer: StoreAnswer) => void;
}

export interface StoreProxy {
  readonly url: string;
  close(): void;
}

const READS = /\.(GetItem|BatchGetItem|Query|Scan|DescribeTable)$/;

export async function startStoreProxy(target: string, watch: StoreWatch): Promise<StoreProxy> {
  const { decide = () => "pass", rewrite = ({ body }) => body, answered = () => {} } = watch;
  const { hostname, port } = new URL(target);
  const server = createServer(async (incoming, outgoing) => {
    const call = describe(incoming, await readAll(incoming));
    const { method, path } = call;
    const fate = await decide(call);
    if (fate === "cut-before") {
      incoming.socket.destroy();
      return;
    }
    if (fate === "hang-before") return;
    if (typeof fate === "object") {
      outgoing.writeHead(fate.status, { "content-type": fate.contentType });
      outgoing.end(fate.body);
      return;
    }
    const sent = rewrite(call);
    const headers =
      sent === call.body ? call.headers : { ...call.headers, "content-length": String(sent.length) };
    const forwarded = httpRequest({ hostname, port, method, path, headers }, async (response) => {
      const body = await readAll(response);
      const status = response.statusCode!;
      answered(call, { status, body });
      if (fate === "cut-after") {
        incoming.socket.destroy();
        return;
      }
      if (fate === "hang-after") return;
      outgoing.writeHead(status, response.headers);
      outgoing.end(body);
    });
    forwarded.on("error", () => outgoing.destroy());
    forwarded.end(sent);
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

function describe({ method = "", url: path = "", headers }: IncomingMessage, body: Buffer): StoreCall {
  const operation = String(headers["x-amz-target"] ?? "");
  return {
    store: operation ? "dynamodb" : "s3",
    name: operation.replace(/^.*\./, "") || `${method} ${path}`,
    method,
    path,
    headers,
    changes: operation ? !READS.test(operation) : method !== "GET" && method !== "HEAD",
    body,
  };
}

const readAll = async (stream: IncomingMessage): Promise<Buffer> => Buffer.concat(await stream.toArray());
