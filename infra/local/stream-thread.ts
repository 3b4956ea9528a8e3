/** Runs the reading of the streams in a thread of its own, so that no change of a table keeps the gateway waiting. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { FailureQueues } from "./failure-queues.ts";
import type { LambdaPool } from "./lambda-pool.ts";
import type { ClientSettings } from "./provision.ts";
import type { StreamChange } from "./stream-batch.ts";
import { deliverTo } from "./stream-deliveries.ts";
import type { StreamDefinition } from "./template/streams.ts";

/** What the thread gets: functions cannot be sent, so it compiles the patterns again. */
export interface StreamThreadSetup {
  readonly streams: readonly Omit<StreamDefinition, "matches">[];
  readonly settings: ClientSettings;
  readonly positionsFile: string | undefined;
  readonly databaseFile: string | undefined;
}

export type FromStreamThread =
  | { readonly kind: "report"; readonly line: string }
  | {
      readonly kind: "batch";
      readonly id: number;
      /** The place of the stream in the setup. */
      readonly stream: number;
      readonly shardId: string;
      readonly batch: readonly StreamChange[];
    };
export type ToStreamThread =
  | { readonly kind: "settled"; readonly id: number; readonly isSettled: boolean }
  | { readonly kind: "stop" };

export interface StreamThreadOptions {
  readonly settings: ClientSettings;
  readonly pool: Pick<LambdaPool, "invoke">;
  /** The file that keeps the positions; undefined if the tables do not outlive the process. */
  readonly positionsFile: string | undefined;
  /** The database of the embedded DynamoDB; undefined for another DynamoDB. */
  readonly databaseFile: string | undefined;
  readonly queues: FailureQueues;
  readonly report: (line: string) => void;
}

/** @returns a function that stops the streams; it resolves when no call is in progress, and the positions are stored. */
export function startStreams(
  streams: readonly StreamDefinition[],
  { settings, pool, positionsFile, databaseFile, queues, report }: StreamThreadOptions,
): () => Promise<void> {
  if (streams.length === 0) return async () => {};
  const stopping = new AbortController();
  const deliver = deliverTo({ pool, queues, stopping: stopping.signal, report });
  const setup: StreamThreadSetup = {
    streams: streams.map(({ matches: _, ...rest }) => rest),
    settings,
    positionsFile,
    databaseFile,
  };
  const thread = new Worker(new URL("./stream-reader.ts", import.meta.url), {
    workerData: setup,
    execArgv: [],
  });
  const ended = once(thread, "exit");
  const post = (message: ToStreamThread): void => thread.postMessage(message);
  thread.on("error", (error) => report(`The streams of the tables are not read any more: ${error.stack}`));
  thread.on("message", async (message: FromStreamThread) => {
    if (message.kind === "report") return report(message.line);
    const { id, stream, shardId, batch } = message;
    const isSettled = await deliver(streams[stream]!, shardId, batch);
    post({ kind: "settled", id, isSettled });
  });
  return async () => {
    stopping.abort();
    post({ kind: "stop" });
    await ended;
  };
}
