/**
 * The throughput of a partition key, which the embedded DynamoDB does not limit: 1,000 write units and 3,000 read units a second. Its
 * other limits (400 KB in an item, 100 items and 4 MB in a transaction, 1 MB in a page) it has itself.
 *
 * A key may save the units of one second. A call is throttled as a whole while the units of one of its keys are used up; a call that
 * passes may overdraw them, and the calls behind it then wait. Source: "Best practices for designing and using partition keys" and "Burst
 * and adaptive capacity" in DynamoDB's developer guide. A real table may give a hot key more, after minutes.
 */
import { askForCapacity, capacityIn, consumes } from "./capacity.ts";
import type { CannedAnswer, StoreCall, StoreWatch } from "./store-proxy.ts";

const WRITES_PER_SECOND = 1_000;
const READS_PER_SECOND = 3_000;

/** What the calls have used since the last call of `take`. */
interface Used {
  calls: number;
  throttled: number;
  writeUnits: number;
  readUnits: number;
}

interface Allowance {
  atMs: number;
  writes: number;
  reads: number;
}

const none = (): Used => ({ calls: 0, throttled: 0, writeUnits: 0, readUnits: 0 });

export class PartitionLimits {
  readonly #nowMs: () => number;
  readonly #allowances = new Map<string, Allowance>();
  #used = none();

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  take(): Used {
    const used = this.#used;
    this.#used = none();
    return used;
  }

  /** Adds the limits to a proxy. A call that `watch` lets pass may still be throttled. */
  over(watch: StoreWatch = {}): StoreWatch {
    const { decide = () => "pass", rewrite = ({ body }) => body, answered } = watch;
    return {
      decide: async (call) => {
        const fate = await decide(call);
        return fate === "pass" && this.#isOver(call) ? this.#throttle(call) : fate;
      },
      rewrite: (call) => (consumes(call) ? askForCapacity(rewrite(call)) : rewrite(call)),
      answered: (call, answer) => {
        if (consumes(call)) this.#charge(call, capacityIn(answer.body));
        answered?.(call, answer);
      },
    };
  }

  #isOver(call: StoreCall): boolean {
    if (!consumes(call)) return false;
    return keysOf(call).some((key) => {
      const { writes, reads } = this.#allowanceOf(key);
      return (call.changes ? writes : reads) <= 0;
    });
  }

  #throttle(call: StoreCall): CannedAnswer {
    this.#used.throttled += 1;
    return throttled(call);
  }

  #charge(call: StoreCall, units: number): void {
    this.#used.calls += 1;
    this.#used[call.changes ? "writeUnits" : "readUnits"] += units;
    const keys = keysOf(call);
    for (const key of keys) {
      this.#allowanceOf(key)[call.changes ? "writes" : "reads"] -= units / keys.length;
    }
  }

  #allowanceOf(key: string): Allowance {
    const atMs = this.#nowMs();
    const before = this.#allowances.get(key);
    const seconds = before === undefined ? 1 : (atMs - before.atMs) / 1000;
    const { writes = 0, reads = 0 } = before ?? {};
    const allowance = {
      atMs,
      writes: Math.min(WRITES_PER_SECOND, writes + seconds * WRITES_PER_SECOND),
      reads: Math.min(READS_PER_SECOND, reads + seconds * READS_PER_SECOND),
    };
    this.#allowances.set(key, allowance);
    return allowance;
  }
}

interface Key {
  readonly pk: { readonly S: string };
}
interface Keyed {
  readonly Key?: Key;
  readonly Item?: Key;
}
interface Request extends Keyed {
  readonly IndexName?: string;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeValues?: Readonly<Record<string, { readonly S?: string }>>;
  readonly TransactItems?: readonly Readonly<Record<string, Keyed>>[];
  readonly RequestItems?: Readonly<
    Record<string, { readonly Keys: readonly Key[] } | readonly Readonly<Record<string, Keyed>>[]>
  >;
}

/** Returns the partition key of each item that a call names, or the one that a query reads. An index has partitions of its own. */
function keysOf({ body }: StoreCall): string[] {
  const request = JSON.parse(body.toString()) as Request;
  if (request.TransactItems) return request.TransactItems.map(keyOfStep);
  if (request.RequestItems) {
    return Object.values(request.RequestItems).flatMap((wanted) =>
      "Keys" in wanted ? wanted.Keys.map(({ pk }) => pk.S) : wanted.map(keyOfStep),
    );
  }
  const key = request.Key ?? request.Item;
  if (key) return [key.pk.S];
  // The condition on the partition key comes first.
  const [name = ""] = /:\w+/.exec(request.KeyConditionExpression ?? "") ?? [];
  return [`${request.IndexName ?? ""} ${request.ExpressionAttributeValues?.[name]?.S}`.trim()];
}

function keyOfStep(step: Readonly<Record<string, Keyed>>): string {
  const { Key, Item } = Object.values(step)[0]!;
  return (Key ?? Item)!.pk.S;
}

/** A transaction is cancelled with a reason for each of its items; other calls fail with an exception. */
export function throttled(call: StoreCall): CannedAnswer {
  const error = (name: string, more: object) => ({
    status: 400,
    contentType: "application/x-amz-json-1.0",
    body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, ...more }),
  });
  if (call.name !== "TransactWriteItems")
    return error("ProvisionedThroughputExceededException", { message: "Throughput exceeds the limit" });
  const { TransactItems } = JSON.parse(call.body.toString()) as Request;
  return error("TransactionCanceledException", {
    Message: "Transaction cancelled",
    CancellationReasons: TransactItems!.map(() => ({ Code: "ThrottlingError" })),
  });
}
