/** What happens to a batch of a table's stream whose function fails. */
import { beforeEach, expect, test, vi } from "vitest";
import { type BatchOptions, type StreamChange, settleBatch } from "../../../../infra/local/stream-batch.ts";
import type { StreamDefinition } from "../../../../infra/local/template/streams.ts";

const NOW_S = Math.floor(Date.now() / 1000);
const changeOf = (number: number, ageS = 0): StreamChange => ({
  eventSourceARN: "arn:stream",
  dynamodb: { SequenceNumber: String(number), ApproximateCreationDateTime: NOW_S - ageS },
});
const STREAM: StreamDefinition = {
  functionId: "Publisher",
  tableName: "table",
  batchSize: 100,
  patterns: [],
  matches: [],
  reportsFailures: true,
  bisects: true,
  retries: 2,
  maxAgeMs: 3_600_000,
  failureQueueId: "Failures",
};

let calls: number[][];
let messages: [string, Record<string, unknown>][];
const stopping = new AbortController();

beforeEach(() => {
  calls = [];
  messages = [];
});

/** @param answer the number of the first change that the function reports; it may throw. */
function settle(
  numbers: readonly (number | StreamChange)[],
  answer: (numbers: number[]) => number | string | undefined,
  stream: Partial<StreamDefinition> = {},
  options: Partial<BatchOptions> = {},
): Promise<boolean> {
  const invoke = vi.fn(async (_function: string, _request: string, event: string) => {
    const { Records } = JSON.parse(event) as { Records: StreamChange[] };
    const batch = Records.map(({ dynamodb }) => Number(dynamodb.SequenceNumber));
    calls.push(batch);
    const failed = answer(batch);
    const batchItemFailures = failed === undefined ? [] : [{ itemIdentifier: String(failed) }];
    return { kind: "buffered" as const, payload: JSON.stringify({ batchItemFailures }) };
  });
  return settleBatch(
    numbers.map((each) => (typeof each === "number" ? changeOf(each) : each)),
    {
      stream: { ...STREAM, ...stream },
      shardId: "shard-1",
      pool: { invoke },
      stopping: stopping.signal,
      queues: { send: (queue, message) => void messages.push([queue, message as Record<string, unknown>]) },
      pause: async () => {},
      complain: () => {},
      ...options,
    },
  );
}

/** Throws while the batch has this change. */
const poisonedBy = (number: number) => (batch: number[]) => {
  if (batch.includes(number)) throw new Error("it failed");
  return undefined;
};

test("a function that reports nothing has handled the batch", async () => {
  expect(await settle([1, 2, 3], () => undefined)).toBe(true);
  expect(calls).toEqual([[1, 2, 3]]);
});

test("the changes from the first reported one on are the next batch", async () => {
  let isBusy = true;
  const answer = () => {
    const failed = isBusy ? 2 : undefined;
    isBusy = false;
    return failed;
  };
  await settle([1, 2, 3], answer);
  expect(calls).toEqual([
    [1, 2, 3],
    [2, 3],
  ]);
  expect(messages).toEqual([]);
});

test("a batch that fails is halved until the bad change is alone; it is given up, and all others are handled in order", async () => {
  await settle([1, 2, 3, 4], poisonedBy(3));
  expect(calls).toEqual([[1, 2, 3, 4], [1, 2], [3, 4], [3], [3], [3], [4]]);
  expect(messages).toMatchObject([
    [
      "Failures",
      {
        requestContext: {
          functionArn: "Publisher",
          condition: "RetryAttemptsExhausted",
          approximateInvokeCount: 3,
        },
        DDBStreamBatchInfo: {
          shardId: "shard-1",
          startSequenceNumber: "3",
          endSequenceNumber: "3",
          batchSize: 1,
          streamArn: "arn:stream",
        },
      },
    ],
  ]);
});

test("the first change of a batch, reported, is a failure of the batch, and so is one that is not in it", async () => {
  await settle([1, 2], () => 1, { retries: 0 });
  expect(calls).toEqual([[1, 2], [1], [2]]);
  expect(messages).toHaveLength(2);
  calls = [];
  await settle([1, 2], () => "none", { retries: 0 });
  expect(calls).toEqual([[1, 2], [1], [2]]);
});

test("without halves, the whole batch is repeated and given up", async () => {
  await settle([1, 2], poisonedBy(1), { bisects: false, retries: 1 });
  expect(calls).toEqual([
    [1, 2],
    [1, 2],
  ]);
  expect(messages).toMatchObject([
    ["Failures", { DDBStreamBatchInfo: { batchSize: 2, endSequenceNumber: "2" } }],
  ]);
});

test("without a limit, a batch is repeated until it succeeds", async () => {
  await settle(
    [1],
    (batch) => {
      if (calls.length < 20) throw new Error("it failed");
      return void batch;
    },
    { retries: undefined },
  );
  expect(calls).toHaveLength(20);
  expect(messages).toEqual([]);
});

test("a change that is too old is given up without a call, the others are handled", async () => {
  await settle([changeOf(1, 7_200), changeOf(2, 7_200), 3], () => undefined);
  expect(calls).toEqual([[3]]);
  expect(messages).toMatchObject([
    [
      "Failures",
      { requestContext: { condition: "RecordAgeExceeded" }, DDBStreamBatchInfo: { batchSize: 2 } },
    ],
  ]);
});

test("a mapping that does not ask for reports ignores them", async () => {
  await settle([1, 2], () => 2, { reportsFailures: false });
  expect(calls).toEqual([[1, 2]]);
});

test("a stream that is stopped settles nothing more", async () => {
  const stop = new AbortController();
  const answer = () => {
    stop.abort();
    return 2;
  };
  expect(await settle([1, 2], answer, {}, { stopping: stop.signal })).toBe(false);
  expect(calls).toEqual([[1, 2]]);
});
