/** Our DynamoDB against Dynoxide: the same requests have the same answers, and leave the same items and the same changes. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startDynamoDb } from "../../../../../infra/local/dynamodb/start.ts";
import { type EmbeddedServer, startDynoxide } from "../../../../../infra/local/dynoxide.ts";
import { type Answer, call, normal } from "./call.ts";
import { type Request, sequence, TABLE } from "./requests.ts";

const isHere = `${process.platform}-${process.arch}` === "linux-x64";
const RUNS = 60;

describe.skipIf(!isHere)("the DynamoDB of other machines and Dynoxide (skipped but on linux-x64)", () => {
  let servers: readonly EmbeddedServer[] = [];
  beforeAll(async () => {
    servers = await Promise.all([
      startDynamoDb("127.0.0.1", undefined, (message) => console.error(message)),
      startDynoxide("127.0.0.1", undefined, () => {}),
    ]);
  });
  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  const both = (operation: string, body: object): Promise<Answer[]> =>
    Promise.all(servers.map(({ endpoint }) => call(endpoint, operation, body)));

  let count = 0;
  /** Runs the requests on a new table of each, and returns what each answered. */
  async function play(requests: readonly Request[]): Promise<[unknown[], unknown[]]> {
    const TableName = `table-${++count}`;
    const seen: [unknown[], unknown[]] = [[], []];
    /** @param what is shown when the answers differ. */
    const note = (what: string, answers: readonly Answer[]) => {
      for (const [index, answer] of answers.entries()) seen[index]!.push([what, normal(answer)]);
    };
    await both("CreateTable", { ...TABLE, TableName });
    for (const { operation, body } of requests) {
      const request = body(TableName);
      note(`${operation} ${JSON.stringify(request)}`, await both(operation, request));
    }
    note("Scan", await both("Scan", { TableName }));
    for (const IndexName of ["by-group", "by-number"])
      note(IndexName, await both("Scan", { TableName, IndexName }));
    note("stream", await Promise.all(servers.map(({ endpoint }) => changesOf(endpoint, TableName))));
    await both("DeleteTable", { TableName });
    return seen;
  }

  test("answer sequences of requests alike", async () => {
    await fc.assert(
      fc.asyncProperty(sequence, async (requests) => {
        const [own, other] = await play(requests);
        expect(own).toEqual(other);
      }),
      // Dynoxide differs from DynamoDB in rare ways that have no names yet, so the sequences are the same each time.
      { numRuns: RUNS, seed: 1 },
    );
  }, 600_000);
});

interface StreamRecord {
  readonly eventName: string;
  readonly dynamodb: { readonly Keys: object; readonly NewImage?: object; readonly OldImage?: object };
}

async function changesOf(endpoint: string, TableName: string): Promise<Answer> {
  // biome-ignore lint/suspicious/noExplicitAny: answers of DynamoDB
  const ask = async (operation: string, body: object): Promise<any> =>
    (await call(endpoint, operation, body)).json;
  const { Table } = await ask("DescribeTable", { TableName });
  const StreamArn = Table.LatestStreamArn;
  const { StreamDescription } = await ask("DescribeStream", { StreamArn });
  const { ShardId } = StreamDescription.Shards[0];
  const from = { StreamArn, ShardId, ShardIteratorType: "TRIM_HORIZON" };
  const { ShardIterator } = await ask("GetShardIterator", from);
  const { Records } = await ask("GetRecords", { ShardIterator });
  const changes = Records.flatMap(({ eventName, dynamodb: { Keys, NewImage, OldImage } }: StreamRecord) =>
    // Dynoxide also has writes that change nothing, which DynamoDB leaves out.
    NewImage && OldImage && isDeepStrictEqual(NewImage, OldImage)
      ? []
      : [{ eventName, Keys, NewImage, OldImage }],
  );
  return { status: 200, json: { changes } };
}
