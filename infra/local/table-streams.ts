/**
 * Calls functions with the changes of tables, as Lambda does for an event source mapping of a DynamoDB stream: shard by shard in their
 * order, each batch until its function succeeds or the batch is given up (stream-batch.ts). The position is stored after each batch, so a
 * batch whose call was interrupted is repeated after a restart.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type Shard,
  type _Record as StreamRecord,
} from "@aws-sdk/client-dynamodb-streams";
import type { FailureQueues } from "./failure-queues.ts";
import type { LambdaPool } from "./lambda-pool.ts";
import type { ClientSettings } from "./provision.ts";
import { type StreamChange, settleBatch } from "./stream-batch.ts";
import type { StreamRepairs } from "./stream-repairs.ts";
import type { StreamDefinition } from "./template/streams.ts";

/** The pause between two reads grows while nothing changes. */
const SHORTEST_PAUSE_MS = 40;
const LONGEST_PAUSE_MS = 250;
const RETRY_MS = 500;
const TRIM_EVERY_MS = 5_000;

export interface StreamOptions {
  readonly settings: ClientSettings;
  readonly pool: LambdaPool;
  /** The file that keeps the positions; undefined if the tables do not outlive the process. */
  readonly positionsFile: string | undefined;
  readonly repairs?: StreamRepairs | undefined;
  readonly queues: FailureQueues;
  readonly report: (line: string) => void;
}

/** @returns a function that stops the streams; it resolves when no call is in progress. */
export function startStreams(
  streams: readonly StreamDefinition[],
  options: StreamOptions,
): () => Promise<void> {
  const { settings, positionsFile } = options;
  const config = {
    endpoint: settings.endpoint,
    region: settings.region,
    credentials: { ...settings.credentials },
  };
  const clients = { tables: new DynamoDBClient(config), streams: new DynamoDBStreamsClient(config) };
  const stopping = new AbortController();
  const positions = new Positions(positionsFile);
  const running = streams.map((stream) => {
    const functionIds = streams
      .filter(({ tableName }) => tableName === stream.tableName)
      .map(({ functionId }) => functionId);
    return new Follower(stream, {
      ...options,
      clients,
      positions,
      functionIds,
      stopping: stopping.signal,
    }).run();
  });
  return async () => {
    stopping.abort();
    await Promise.all(running);
    clients.tables.destroy();
    clients.streams.destroy();
  };
}

/** The last sequence number that a function has handled, or `done` for a shard that has ended, by function, stream and shard. */
class Positions {
  readonly #file: string | undefined;
  readonly #byShard: Record<string, string>;

  constructor(file: string | undefined) {
    this.#file = file;
    this.#byShard = file === undefined ? {} : readPositions(file);
  }

  get(shard: string): string | undefined {
    return this.#byShard[shard];
  }

  /** Returns the lowest of the positions; undefined while one of them is missing. */
  lowest(shards: readonly string[]): string | undefined {
    const all = shards.map((shard) => this.#byShard[shard]);
    if (all.includes(undefined)) return undefined;
    const left = all.filter((position) => position !== DONE) as string[];
    return left.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))[0];
  }

  set(shard: string, position: string): void {
    this.#byShard[shard] = position;
    if (this.#file === undefined) return;
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.#byShard));
    renameSync(`${this.#file}.new`, this.#file);
  }
}

/** Without positions all changes in the stream are read again, which the functions accept. */
function readPositions(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
  } catch {
    return {};
  }
}

const DONE = "done";

interface FollowerOptions extends StreamOptions {
  readonly clients: { readonly tables: DynamoDBClient; readonly streams: DynamoDBStreamsClient };
  readonly positions: Positions;
  /** All functions that read the stream of this table. */
  readonly functionIds: readonly string[];
  readonly stopping: AbortSignal;
}

class Follower {
  readonly #stream: StreamDefinition;
  readonly #options: FollowerOptions;
  /** Iterators of the shards that are being read. */
  readonly #iterators = new Map<string, string>();
  #arn = "";
  #trimmedMs = 0;
  #complaint = "";

  constructor(stream: StreamDefinition, options: FollowerOptions) {
    this.#stream = stream;
    this.#options = options;
  }

  async run(): Promise<void> {
    const { stopping } = this.#options;
    let pauseMs = SHORTEST_PAUSE_MS;
    while (!stopping.aborted) {
      try {
        if (this.#iterators.size === 0) await this.#openShards();
        const isIdle = !(await this.#readShards());
        this.#complaint = "";
        pauseMs = isIdle ? Math.min(pauseMs * 1.2, LONGEST_PAUSE_MS) : SHORTEST_PAUSE_MS;
        if (isIdle) await this.#sleep(pauseMs);
      } catch (error) {
        if (stopping.aborted) return;
        this.#complain(`The stream of ${this.#stream.tableName} is read again: ${(error as Error).message}`);
        this.#iterators.clear();
        await this.#sleep(RETRY_MS);
      }
    }
  }

  #sleep(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.#options.stopping }).catch(() => undefined);
  }

  /** Reports a failure once while it lasts. */
  #complain(complaint: string): void {
    if (complaint !== this.#complaint) this.#options.report(complaint);
    this.#complaint = complaint;
  }

  /** Opens the shards whose parents have been read. */
  async #openShards(): Promise<void> {
    const { clients, stopping } = this.#options;
    const { Table } = await clients.tables.send(
      new DescribeTableCommand({ TableName: this.#stream.tableName }),
      { abortSignal: stopping },
    );
    this.#arn = Table?.LatestStreamArn ?? "";
    const shards = await this.#listShards();
    const left = shards.filter(({ ShardId }) => this.#positionOf(ShardId!) !== DONE);
    const leftIds = new Set(left.map(({ ShardId }) => ShardId));
    for (const { ShardId, ParentShardId } of left) {
      if (!leftIds.has(ParentShardId)) this.#iterators.set(ShardId!, await this.#iteratorOf(ShardId!));
    }
  }

  async #listShards(): Promise<Shard[]> {
    const shards: Shard[] = [];
    let ExclusiveStartShardId: string | undefined;
    do {
      const { StreamDescription } = await this.#options.clients.streams.send(
        new DescribeStreamCommand({ StreamArn: this.#arn, ExclusiveStartShardId }),
      );
      shards.push(...(StreamDescription?.Shards ?? []));
      ExclusiveStartShardId = StreamDescription?.LastEvaluatedShardId;
    } while (ExclusiveStartShardId !== undefined);
    return shards;
  }

  #key(shardId: string, functionId = this.#stream.functionId): string {
    return `${functionId} ${this.#arn} ${shardId}`;
  }

  #positionOf(shardId: string): string | undefined {
    return this.#options.positions.get(this.#key(shardId));
  }

  async #iteratorOf(ShardId: string): Promise<string> {
    const SequenceNumber = this.#positionOf(ShardId);
    const { ShardIterator } = await this.#options.clients.streams.send(
      new GetShardIteratorCommand({
        StreamArn: this.#arn,
        ShardId,
        ...(SequenceNumber === undefined
          ? { ShardIteratorType: "TRIM_HORIZON" }
          : { ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber }),
      }),
    );
    return ShardIterator!;
  }

  /** @returns whether there was anything to read. */
  async #readShards(): Promise<boolean> {
    let hasRead = false;
    for (const [shardId, ShardIterator] of this.#iterators) {
      const { Records = [], NextShardIterator } = await this.#options.clients.streams.send(
        new GetRecordsCommand({ ShardIterator }),
        { abortSignal: this.#options.stopping },
      );
      if (Records.length > 0) {
        hasRead = true;
        await this.#handle(shardId, Records);
        if (this.#options.stopping.aborted) return true;
      }
      if (NextShardIterator) this.#iterators.set(shardId, NextShardIterator);
      else {
        this.#iterators.delete(shardId);
        this.#options.positions.set(this.#key(shardId), DONE);
      }
    }
    return hasRead;
  }

  async #handle(shardId: string, records: readonly StreamRecord[]): Promise<void> {
    const { matches, batchSize } = this.#stream;
    let batch: StreamChange[] = [];
    for (const [index, record] of records.entries()) {
      const change = toChange(record, this.#arn);
      if (matches.some((isMatch) => isMatch(change))) batch.push(change);
      const isLast = index === records.length - 1;
      if (batch.length < batchSize && !isLast) continue;
      if (batch.length > 0 && !(await this.#deliver(batch, shardId))) return;
      batch = [];
      this.#advance(shardId, record.dynamodb!.SequenceNumber!);
    }
  }

  /** @returns false when the stream was stopped before the batch was settled. */
  #deliver(batch: readonly StreamChange[], shardId: string): Promise<boolean> {
    const { pool, stopping, queues } = this.#options;
    const { functionId, tableName } = this.#stream;
    return settleBatch(batch, {
      stream: this.#stream,
      shardId,
      pool,
      stopping,
      queues,
      pause: () => this.#sleep(RETRY_MS),
      complain: (failure) =>
        this.#complain(`${functionId} is called again with changes of ${tableName}: ${failure}`),
    });
  }

  #advance(shardId: string, sequenceNumber: string): void {
    const { positions, repairs } = this.#options;
    positions.set(this.#key(shardId), sequenceNumber);
    if (Date.now() - this.#trimmedMs < TRIM_EVERY_MS) return;
    this.#trimmedMs = Date.now();
    // All functions of the table read the same records.
    const handled = positions.lowest(
      this.#options.functionIds.map((functionId) => this.#key(shardId, functionId)),
    );
    if (handled !== undefined) repairs?.trim(this.#stream.tableName, handled);
  }
}

/** Returns a record as Lambda passes it to a function: with the time in seconds, and bytes in base64. */
export function toChange({ dynamodb, ...record }: StreamRecord, eventSourceARN: string): StreamChange {
  const change = {
    ...record,
    eventSourceARN,
    dynamodb: {
      ...dynamodb,
      ApproximateCreationDateTime: Math.floor((dynamodb?.ApproximateCreationDateTime?.getTime() ?? 0) / 1000),
    },
  };
  return JSON.parse(
    JSON.stringify(change, (_key, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value,
    ),
  );
}
