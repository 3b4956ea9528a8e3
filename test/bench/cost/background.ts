/** Measures functions that no request calls: the publisher, and the pings of WebSockets. They run in this process. */
import { randomUUID } from "node:crypto";
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { ACCESS } from "../../../infra/access.ts";
import type { Usage } from "./bill.ts";
import type { Meter } from "./meter.ts";

const CALLS = 50;

/** Lets the store of this process use the meter's stack. Call it before the store is loaded. */
export function useStoresOf({ stack, storeUrls }: Meter): void {
  Object.assign(process.env, {
    AWS_REGION: stack.region,
    AWS_ACCESS_KEY_ID: stack.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: stack.credentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: storeUrls.dynamodb,
    AWS_ENDPOINT_URL_S3: storeUrls.s3,
    TABLE_NAME: stack.tableName,
    BUCKET_NAME: stack.bucketName,
    SOCKETS_ENDPOINT: stack.url,
  });
}

/** Returns the usage of one call of a function of this name. */
async function measureCalls(meter: Meter, name: string, call: () => Promise<unknown>): Promise<Usage> {
  // The first call loads what the others use.
  await call();
  const begin = performance.now();
  const { usage } = await meter.measure(async () => {
    for (let count = 0; count < CALLS; count++) await call();
  });
  const seconds = (performance.now() - begin) / 1000 / CALLS;
  const { readUnits, writeUnits } = usage;
  return {
    requests: 0,
    invocations: 1,
    gbSeconds: (seconds * ACCESS[name]!.memoryMb) / 1024,
    readUnits: readUnits / CALLS,
    writeUnits: writeUnits / CALLS,
    puts: 0,
    gets: 0,
    logBytes: 0,
    sentBytes: 0,
  };
}

interface Published {
  /** Usage of a change that is an event, while a client follows the project. */
  readonly followed: Usage;
  /** Usage of the same change while no client follows. */
  readonly unfollowed: Usage;
  /** Usage of a change that is none, such as the state of a device after a run. */
  readonly quiet: Usage;
}

/** @param projectId of a project with the node. */
export async function measurePublisher(meter: Meter, projectId: string, nodeId: string): Promise<Published> {
  const { handler } = await import("../../../functions/publisher/handler.ts");
  const { stack } = meter;
  const client = new DynamoDBClient({
    endpoint: stack.dynamodbEndpoint,
    region: stack.region,
    credentials: { ...stack.credentials },
  });
  const Key = { pk: { S: `PROJECT#${projectId}` }, sk: { S: `NODE#${nodeId}` } };
  const { Item } = await client.send(new GetItemCommand({ TableName: stack.tableName, Key }));
  client.destroy();
  if (Item === undefined) throw new Error(`no node ${nodeId}`);
  const publish = (change: object) => () => {
    const dynamodb = {
      OldImage: Item,
      NewImage: { ...Item, ...change },
      SequenceNumber: randomUUID(),
      ApproximateCreationDateTime: Math.floor(Date.now() / 1000),
    };
    return handler({ Records: [{ eventName: "MODIFY", dynamodb }] } as never);
  };
  const { openStream } = await import("../../../functions/shared/store/events/read-events.ts");
  const unfollowed = await measureCalls(meter, "publisher", publish({ name: { S: "Renamed" } }));
  await openStream(projectId);
  return {
    unfollowed,
    followed: await measureCalls(meter, "publisher", publish({ name: { S: "Renamed" } })),
    quiet: await measureCalls(meter, "publisher", publish({ revision: { N: "999" } })),
  };
}

/** Returns the usage of one round of pings while no WebSocket is open. */
export async function measurePings(meter: Meter): Promise<Usage> {
  const { handler } = await import("../../../functions/sockets/handler.ts");
  const context = { awsRequestId: "ping" } as never;
  return measureCalls(meter, "sockets", () => handler({ source: "aws.events" } as never, context));
}
