/**
 * Puts load on the local stack, whose table has DynamoDB's limits, while random calls to DynamoDB fail, before they reach the table or before the response reaches
 * the function. Compares every response with a model; at the end checks the table and the bucket for orphans.
 */
import { GROUPS } from "../../../functions/routes.ts";
import { startLocalStack } from "../../../infra/local/local-stack.ts";
import { PartitionLimits } from "../../helpers/stores/partition-limits.ts";
import { danglingReferences } from "../../helpers/stores/store-checker.ts";
import { type Fate, type StoreProxy, startStoreProxy } from "../../helpers/stores/store-proxy.ts";
import { ACTIONS } from "./actions.ts";
import { Caller } from "./caller.ts";
import { Shared } from "./shared.ts";
import { Tally } from "./tally.ts";
import { Worker } from "./worker.ts";

export interface LoadOptions {
  readonly connections: number;
  /** Ends the load after this many seconds. */
  readonly seconds?: number;
  /** Ends the load when every connection has used every route this many times, each in its own order. */
  readonly rounds?: number;
  /** Fraction of calls to DynamoDB that fail, from 0 to 1. */
  readonly drop: number;
  readonly seed: number;
  /** Environment variables of the functions. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface LoadResult {
  readonly tally: Tally;
  readonly seconds: number;
  readonly calls: number;
  readonly dropped: number;
  /** Calls that DynamoDB's limit of a partition key has refused. */
  readonly throttled: number;
  /** Routes that were not used. */
  readonly missing: readonly string[];
  readonly dangling: readonly string[];
}

export const ROUTES = GROUPS.flatMap((group) => Object.keys(group.routes));

export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { connections, drop, seed, environment } = options;
  let proxy: StoreProxy | undefined;
  const limits = new PartitionLimits();
  const counts = { calls: 0, dropped: 0, isDropping: false };
  const stack = await startLocalStack({
    inMemory: true,
    port: 0,
    quiet: true,
    ...(environment && { environment }),
    endpoints: async ({ dynamodb, s3 }) => {
      const decide = (): Fate => {
        if (!counts.isDropping) return "pass";
        counts.calls += 1;
        const drawn = Math.random();
        if (drawn >= drop) return "pass";
        counts.dropped += 1;
        return drawn < drop / 2 ? "cut-before" : "cut-after";
      };
      proxy = await startStoreProxy(dynamodb, limits.over({ decide }));
      return { dynamodb: proxy.url, s3 };
    },
  });
  try {
    const base = `${stack.url}/${stack.stage}`;
    const shared = await Shared.make(new Caller(base, new Tally()), new Tally());
    const tally = new Tally();
    shared.report(tally);
    const constants = new Map<string, Buffer>();
    const workers = Array.from(
      { length: connections },
      (_, number) => new Worker(base, shared, tally, { number, seed, constants }),
    );
    counts.isDropping = true;
    const begin = performance.now();
    const { seconds: most = Number.POSITIVE_INFINITY, rounds } = options;
    const hasTime = (): boolean => performance.now() - begin < most * 1000;
    await Promise.all(workers.map((worker) => useRoutes(worker, { rounds, hasTime }, tally)));
    const seconds = (performance.now() - begin) / 1000;
    const missing = tally.missing(ROUTES);
    const samples = tally.samples.length;
    counts.isDropping = false;
    for (const worker of workers) await worker.lab?.checkAll();
    await shared.check(workers[0]!.caller);
    tally.samples.length = samples;
    for (const worker of workers) worker.caller.close();
    const dangling = await danglingReferences(stack);
    const { throttled } = limits.take();
    return { tally, seconds, calls: counts.calls, dropped: counts.dropped, throttled, missing, dangling };
  } finally {
    await stack.stop();
    proxy?.close();
  }
}

export interface Use {
  /** Default: any number. */
  readonly rounds?: number | undefined;
  readonly hasTime: () => boolean;
}

/** Makes the worker's lab, then uses all routes again and again, each time in another order. */
export async function useRoutes(
  worker: Worker,
  { rounds = Number.POSITIVE_INFINITY, hasTime }: Use,
  tally: Tally,
): Promise<void> {
  const names = Object.keys(ACTIONS);
  try {
    await worker.makeLab();
    for (let round = 0; round < rounds && hasTime(); round++) {
      for (const name of shuffled(names, worker.random)) {
        if (!hasTime()) return;
        await ACTIONS[name]!(worker);
      }
    }
  } catch (error) {
    tally.complain(`a connection ended: ${(error as Error).stack}`);
  }
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const result = [...items];
  for (let index = result.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    [result[index], result[other]] = [result[other]!, result[index]!];
  }
  return result;
}
