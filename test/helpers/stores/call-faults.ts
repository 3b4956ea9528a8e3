/** Faults for single calls to the stores: the chosen call of a request gets one, all others pass. */
import { throttled } from "./partition-limits.ts";
import type { CannedAnswer, Fate, StoreCall } from "./store-proxy.ts";

/** FAULTS=full: each call gets each fault. Otherwise the suites choose among them. */
export const allFaults = process.env.FAULTS === "full";

export type Fault = (call: StoreCall) => Fate | Promise<Fate>;

export class CallPlan {
  /** Calls since the plan was last set. */
  calls: StoreCall[] = [];
  #index = Number.POSITIVE_INFINITY;
  #fault: Fault = () => "pass";

  strike(index: number, fault: Fault): void {
    this.calls = [];
    this.#index = index;
    this.#fault = fault;
  }

  clear(): void {
    this.strike(Number.POSITIVE_INFINITY, () => "pass");
  }

  /** Reports whether the planned call has been made. */
  get struck(): boolean {
    return this.calls.length > this.#index;
  }

  readonly decide = (call: StoreCall): Fate | Promise<Fate> => {
    const index = this.calls.push(call) - 1;
    return index === this.#index ? this.#fault(call) : "pass";
  };
}

const tableError = (status: number, name: string, more: object = {}): CannedAnswer => ({
  status,
  contentType: "application/x-amz-json-1.0",
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: "injected", ...more }),
});

const bucketError = (status: number, code: string): CannedAnswer => ({
  status,
  contentType: "application/xml",
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>injected</Message></Error>`,
});

interface TransactItem {
  readonly [kind: string]: { readonly ConditionExpression?: string };
}
const itemsOf = ({ body }: StoreCall): TransactItem[] => JSON.parse(body.toString()).TransactItems;

/** A transaction is cancelled for the reason of one of its items. */
function cancelled(call: StoreCall, code: string, at = 0): CannedAnswer {
  const reasons = itemsOf(call).map((_item, index) => ({ Code: index === at ? code : "None" }));
  return tableError(400, "TransactionCanceledException", { CancellationReasons: reasons });
}

const isTransaction = ({ name }: StoreCall): boolean => name === "TransactWriteItems";

export const throttle: Fault = (call) => {
  if (call.store === "s3") return bucketError(503, "SlowDown");
  return throttled(call);
};

/** Another transaction is in progress on the same item. Plain reads still succeed. */
export const conflict: Fault = (call) => {
  if (conditionsOf(call).length === 0) return "pass";
  if (isTransaction(call)) return cancelled(call, "TransactionConflict");
  return tableError(400, "TransactionConflictException");
};

/** The number of conditions of a call that can fail. */
export function conditionsOf(call: StoreCall): number[] {
  if (call.store === "s3" || !call.changes || call.name === "BatchWriteItem") return [];
  if (!isTransaction(call)) return JSON.parse(call.body.toString()).ConditionExpression ? [0] : [];
  return itemsOf(call).flatMap((item, index) =>
    Object.values(item).some(({ ConditionExpression }) => ConditionExpression) ? [index] : [],
  );
}

/** Makes condition number `nth` (from 0) fail. */
export const refuse =
  (nth: number): Fault =>
  (call) => {
    const at = conditionsOf(call)[nth];
    if (at === undefined) return "pass";
    if (isTransaction(call)) return cancelled(call, "ConditionalCheckFailed", at);
    return tableError(400, "ConditionalCheckFailedException");
  };
