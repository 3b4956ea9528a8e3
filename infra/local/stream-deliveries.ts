/** Delivers the changes of tables to functions: the part of the streams that runs in the gateway's thread, which has the functions. */
import { setTimeout as sleep } from "node:timers/promises";
import type { FailureQueues } from "./failure-queues.ts";
import type { LambdaPool } from "./lambda-pool.ts";
import { settleBatch } from "./stream-batch.ts";
import type { Deliver } from "./table-streams.ts";

const RETRY_MS = 500;

export interface DeliveryOptions {
  readonly pool: Pick<LambdaPool, "invoke">;
  readonly queues: FailureQueues;
  readonly stopping: AbortSignal;
  readonly report: (line: string) => void;
}

export function deliverTo({ pool, queues, stopping, report }: DeliveryOptions): Deliver {
  /** The last complaint about a function: a failure is reported once while it lasts. */
  const complaints = new Map<string, string>();
  return async (stream, shardId, batch) => {
    const { functionId, tableName } = stream;
    const settled = await settleBatch(batch, {
      stream,
      shardId,
      pool,
      stopping,
      queues,
      pause: () => sleep(RETRY_MS, undefined, { signal: stopping }).catch(() => undefined),
      complain(failure) {
        if (complaints.get(functionId) !== failure)
          report(`${functionId} is called again with changes of ${tableName}: ${failure}`);
        complaints.set(functionId, failure);
      },
    });
    complaints.delete(functionId);
    return settled;
  };
}
