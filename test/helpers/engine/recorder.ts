/** A proxy between the functions and a store, which records each call with its function: the SDK's user agent identifies it. */
import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface RecordedCall {
  /** `NAME` of `AWS_SDK_UA_APP_ID=NAME/PTEnv/` in the caller's environment; empty for callers without. */
  readonly caller: string;
  readonly method: string;
  readonly url: URL;
  /** DynamoDB's action; empty for S3. */
  readonly operation: string;
  readonly body: string;
  /** Status of the response. */
  status: number;
}

export interface Recorder {
  readonly url: string;
  readonly calls: readonly RecordedCall[];
  close(): void;
}

export async function startRecorder(target: string): Promise<Recorder> {
  const { hostname, port } = new URL(target);
  const calls: RecordedCall[] = [];
  const server: Server = createServer(async (incoming, outgoing) => {
    const body = await readAll(incoming);
    const { method = "", url = "", headers } = incoming;
    const call: RecordedCall = {
      caller: /\bapp\/(\S+?)-PTEnv-/.exec(String(headers["user-agent"]))?.[1] ?? "",
      method,
      url: new URL(url, target),
      operation: String(headers["x-amz-target"] ?? "").replace(/^.*\./, ""),
      body: body.toString(),
      status: 0,
    };
    calls.push(call);
    const forwarded = httpRequest({ hostname, port, method, path: url, headers }, (response) => {
      call.status = response.statusCode!;
      outgoing.writeHead(call.status, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    forwarded.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const readAll = async (stream: IncomingMessage): Promise<Buffer> => Buffer.concat(await stream.toArray());
