/**
 * Reads the changes of tables for functions, as Lambda does for an event source mapping of a DynamoDB stream: shard by shard in their
 * order, each batch until its function succeeds or the batch is given up (stream-batch.ts). The position is kept after each batch, so a
 * batch whose call was interrupted is repeated after a restart. stream-thread.ts runs this beside the gateway's thread.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { ClientSettings } from "./provision.ts";
import type { StreamChange } from "./stream-batch.ts";
import { DONE, StreamPositions } from "./stream-positions.ts";
import type { StreamTrimmer } from "./stream-trim.ts";
import { type Shard, type StreamRecord, StreamsClient } from "./streams-client.ts";
import type { StreamDefinition } from "./template/streams.ts";

/** The pause between two reads grows while nothing changes. A read has up to a thousand changes. */
const SHORTEST_PAUSE_MS = 40;
const LONGEST_PAUSE_MS = 250;
const RETRY_MS = 500;
const TRIM_EVERY_MS = 5_000;

/** Calls the function until the batch is settled. @returns false when the stream was stopped before. */
export type Deliver = (
  stream: StreamDefinition,
  shardId: string,
  batch: readonly StreamChange[],
) => Promise<boolean>;

export interface StreamOptions {
  readonly settings: ClientSettings;
  readonly deliver: Deliver;
  /** The file that keeps the positions; undefined if the tables do not outlive the process. */
  readonly positionsFile: string | undefined;
  readonly trimmer?: StreamTrimmer | undefined;
  readonly report: (line: string) => void;
}

/** @returns a function that stops the streams; it resolves when no batch is being delivered. */
export function followStreams(
  streams: readonly StreamDefinition[],
  options: StreamOptions,
): () => Promise<void> {
  const { settings, positionsFile } = options;
  const config = {
    endpoint: settings.endpoint,
    region: settings.region,
    credentials: { ...settings.credentials },
  };
  const clients = { tables: new DynamoDBClient(config), streams: new StreamsClient(settings) };
  const stopping = new AbortController();
  const positions = new StreamPositions(positionsFile);
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
    positions.store();
    clients.tables.destroy();
  };
}

interface FollowerOptions extends StreamOptions {
  readonly clients: { readonly tables: DynamoDBClient; readonly streams: StreamsClient };
  readonly positions: StreamPositions;
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
        // Also while there are changes: they come together, and each read costs the same.
        await this.#sleep(pauseMs);
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
    const left = shards.filter(({ ShardId }) => this.#positionOf(ShardId) !== DONE);
    const leftIds = new Set(left.map(({ ShardId }) => ShardId));
    for (const { ShardId, ParentShardId } of left) {
      if (ParentShardId === undefined || !leftIds.has(ParentShardId))
        this.#iterators.set(ShardId, await this.#iteratorOf(ShardId));
    }
  }

  async #listShards(): Promise<Shard[]> {
    const shards: Shard[] = [];
    let ExclusiveStartShardId: string | undefined;
    do {
      const { StreamDescription } = await this.#options.clients.streams.call(
        "DescribeStream",
        { StreamArn: this.#arn, ExclusiveStartShardId },
        this.#options.stopping,
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
    const from =
      SequenceNumber === undefined
        ? { ShardIteratorType: "TRIM_HORIZON" }
        : { ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber };
    const { ShardIterator } = await this.#options.clients.streams.call(
      "GetShardIterator",
      { StreamArn: this.#arn, ShardId, ...from },
      this.#options.stopping,
    );
    return ShardIterator;
  }

  /** @returns whether there was anything to read. */
  async #readShards(): Promise<boolean> {
    let hasRead = false;
    for (const [shardId, ShardIterator] of this.#iterators) {
      const { Records = [], NextShardIterator } = await this.#options.clients.streams.call(
        "GetRecords",
        { ShardIterator },
        this.#options.stopping,
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
      if (matches.some((isMatch) => isMatch(record))) batch.push(toChange(record, this.#arn));
      const isLast = index === records.length - 1;
      if (batch.length < batchSize && !isLast) continue;
      if (batch.length > 0 && !(await this.#deliver(batch, shardId))) return;
      batch = [];
      this.#advance(shardId, record.dynamodb!.SequenceNumber!);
    }
  }

  /** @returns false when the stream was stopped before the batch was settled. */
  #deliver(batch: readonly StreamChange[], shardId: string): Promise<boolean> {
    return this.#options.deliver(this.#stream, shardId, batch);
  }

  #advance(shardId: string, sequenceNumber: string): void {
    const { positions, trimmer } = this.#options;
    positions.set(this.#key(shardId), sequenceNumber);
    if (Date.now() - this.#trimmedMs < TRIM_EVERY_MS) return;
    this.#trimmedMs = Date.now();
    // All functions of the table read the same records.
    const handled = positions.lowest(
      this.#options.functionIds.map((functionId) => this.#key(shardId, functionId)),
    );
    // After a kill, the reading begins at the stored position, which must be there.
    positions.store();
    if (handled !== undefined) trimmer?.trim(this.#stream.tableName, handled);
  }
}

/** Returns a record as Lambda passes it to a function: with the time in whole seconds. */
export const toChange = ({ dynamodb, ...record }: StreamRecord, eventSourceARN: string): StreamChange => ({
  ...record,
  eventSourceARN,
  dynamodb: {
    ...dynamodb,
    ApproximateCreationDateTime: Math.floor(dynamodb?.ApproximateCreationDateTime ?? 0),
  },
});
