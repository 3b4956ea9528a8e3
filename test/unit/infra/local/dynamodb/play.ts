/** Plays the same requests on several DynamoDBs, each on a new table, and notes the answers, the items and the changes. */
import { isDeepStrictEqual } from "node:util";
import { expireItems } from "../../../../../infra/local/expiry.ts";
import { EMBEDDED_CREDENTIALS } from "../../../../../infra/local/s3/s3-request.ts";
import { type Answer, call, normal } from "./call.ts";
import { type Request, secondOf, TABLE } from "./request.ts";

/** A request, or a reading at the end, and its answer. */
type Step = readonly [what: string, answer: unknown];

// biome-ignore lint/suspicious/noExplicitAny: requests and answers of all operations
type Json = any;
type Run = (endpoint: string, request: Json) => Promise<Answer>;

/** What is no single operation of DynamoDB. */
const OWN: Readonly<Record<string, Run>> = {
  // Other sequences have tables of their own at the same time.
  async ListTables(endpoint, { TableName }) {
    const { json } = await call(endpoint, "ListTables", {});
    const own = json.TableNames.filter((name: string) => [TableName, secondOf(TableName)].includes(name));
    return { status: 200, json: { TableNames: own } };
  },
  Expire: expire,
  ReadStream: readStream,
  DescribeStream: (endpoint, { TableName }) =>
    onStream(endpoint, TableName, async (StreamArn) => {
      const answer = await call(endpoint, "DescribeStream", { StreamArn });
      // Dynoxide leaves out the key schema, which DynamoDB has.
      const { StreamStatus, StreamViewType, Shards } = answer.json.StreamDescription;
      return { status: 200, json: { StreamStatus, StreamViewType, shards: Shards.length } };
    }),
};

let count = 0;

/** @returns the steps of each endpoint. */
export async function play(
  endpoints: readonly string[],
  requests: readonly Request[],
): Promise<readonly (readonly Step[])[]> {
  const TableName = `table-${++count}`;
  const all = (operation: string, request: object): Promise<Answer[]> =>
    Promise.all(
      endpoints.map((endpoint) => {
        const run = OWN[operation];
        return run === undefined ? call(endpoint, operation, request) : run(endpoint, request);
      }),
    );
  const seen: Step[][] = endpoints.map(() => []);
  const note = (what: string, answers: readonly Answer[]) => {
    for (const [index, answer] of answers.entries()) seen[index]!.push([what, normal(answer)]);
  };
  await all("CreateTable", { ...TABLE, TableName });
  for (const { operation, body } of requests) {
    const request = body(TableName);
    const what = `${operation} ${JSON.stringify(request)}`;
    note(what, await all(operation, request));
  }
  note("Scan", await all("Scan", { TableName }));
  for (const IndexName of ["by-group", "by-number", "by-sort"])
    note(IndexName, await all("Scan", { TableName, IndexName }));
  note("stream", await all("ReadStream", { TableName, from: "TRIM_HORIZON", after: 0 }));
  for (const name of [TableName, secondOf(TableName)]) await all("DeleteTable", { TableName: name });
  return seen;
}

async function expire(endpoint: string, { TableName, AttributeName, nowS }: Json): Promise<Answer> {
  const settings = { endpoint, region: "us-east-1", credentials: EMBEDDED_CREDENTIALS };
  const properties = {
    KeySchema: TABLE.KeySchema,
    TimeToLiveSpecification: { AttributeName, Enabled: true },
  };
  await expireItems(settings, [{ name: TableName, properties }], nowS);
  return { status: 200, json: {} };
}

async function onStream(
  endpoint: string,
  TableName: string,
  run: (arn: string) => Promise<Answer>,
): Promise<Answer> {
  const { json } = await call(endpoint, "DescribeTable", { TableName });
  return run(json.Table.LatestStreamArn);
}

/** Reads the stream to its end from an iterator of the type `from`; its number, if it takes one, is `after` records behind the first one. */
function readStream(endpoint: string, { TableName, from, after, Limit }: Json): Promise<Answer> {
  return onStream(endpoint, TableName, async (StreamArn) => {
    const ask = async (operation: string, body: object): Promise<Json> =>
      (await call(endpoint, operation, body)).json;
    const { StreamDescription } = await ask("DescribeStream", { StreamArn });
    const { ShardId } = StreamDescription.Shards[0];
    const shard = { StreamArn, ShardId };
    const readAll = async (place: object): Promise<StreamRecord[]> => {
      const records: StreamRecord[] = [];
      let { ShardIterator } = await ask("GetShardIterator", { ...shard, ...place });
      for (;;) {
        const { Records, NextShardIterator } = await ask("GetRecords", {
          ShardIterator,
          ...(Limit && { Limit }),
        });
        if (Records.length === 0) return records;
        records.push(...Records);
        ShardIterator = NextShardIterator;
      }
    };
    const all = changesOf(await readAll({ ShardIteratorType: "TRIM_HORIZON" }));
    const SequenceNumber = all[after]?.number;
    const needsNumber = String(from).endsWith("_NUMBER");
    if (needsNumber && SequenceNumber === undefined) return { status: 200, json: {} };
    const place = { ShardIteratorType: from, ...(needsNumber && { SequenceNumber }) };
    const changes = changesOf(await readAll(place)).map(({ change }) => change);
    return { status: 200, json: { changes } };
  });
}

interface StreamRecord {
  readonly eventName: string;
  readonly dynamodb: {
    readonly SequenceNumber: string;
    readonly Keys: object;
    readonly NewImage?: object;
    readonly OldImage?: object;
  };
}

function changesOf(records: readonly StreamRecord[]) {
  return records.flatMap(({ eventName, dynamodb: { SequenceNumber, Keys, NewImage, OldImage } }) =>
    // Dynoxide also has writes that change nothing, which DynamoDB leaves out.
    NewImage && OldImage && isDeepStrictEqual(NewImage, OldImage)
      ? []
      : [{ number: SequenceNumber, change: { eventName, Keys, NewImage, OldImage } }],
  );
}
