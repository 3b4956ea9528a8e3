/** A proxy between the functions and a store, which counts calls and DynamoDB's consumed capacity. */
import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

interface Counts {
  calls: number;
  /** Read and write capacity units together. */
  capacityUnits: number;
  /** Write capacity units. */
  writeUnits: number;
  /** Requests that change something. */
  writes: number;
  /** Bytes of all responses. */
  bytes: number;
}

export interface CountingProxy {
  readonly url: string;
  /** The counts since the last call of `take`. */
  take(): Counts;
  close(): void;
}

const none = (): Counts => ({ calls: 0, capacityUnits: 0, writeUnits: 0, writes: 0, bytes: 0 });

const READING = /\.(GetItem|BatchGetItem|Query)$/;
const CONSUMING =
  /\.(GetItem|BatchGetItem|Query|PutItem|UpdateItem|DeleteItem|BatchWriteItem|TransactWriteItems)$/;

export async function startCountingProxy(target: string): Promise<CountingProxy> {
  let counts = none();
  const { hostname, port } = new URL(target);
  const server: Server = createServer(async (incoming, outgoing) => {
    counts.calls += 1;
    const operation = String(incoming.headers["x-amz-target"] ?? "");
    const counted = CONSUMING.test(operation);
    const isWrite = operation ? !READING.test(operation) : incoming.method !== "GET";
    if (isWrite) counts.writes += 1;
    const body = counted ? askForCapacity(await readAll(incoming)) : await readAll(incoming);
    const headers = { ...incoming.headers, "content-length": String(body.length) };
    const { method, url: path } = incoming;
    const forwarded = httpRequest({ hostname, port, method, path, headers }, async (response) => {
      const answer = await readAll(response);
      counts.bytes += answer.length;
      if (counted) {
        const units = capacityIn(answer);
        counts.capacityUnits += units;
        if (isWrite) counts.writeUnits += units;
      }
      outgoing.writeHead(response.statusCode!, response.headers);
      outgoing.end(answer);
    });
    forwarded.on("error", () => outgoing.destroy());
    forwarded.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => {
      const taken = counts;
      counts = none();
      return taken;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const askForCapacity = (body: Buffer): Buffer =>
  Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), ReturnConsumedCapacity: "TOTAL" }));

function capacityIn(answer: Buffer): number {
  const { ConsumedCapacity } = JSON.parse(answer.toString() || "{}");
  return [ConsumedCapacity ?? []].flat().reduce((sum: number, part) => sum + (part.CapacityUnits ?? 0), 0);
}

const readAll = async (stream: IncomingMessage): Promise<Buffer> => Buffer.concat(await stream.toArray());
