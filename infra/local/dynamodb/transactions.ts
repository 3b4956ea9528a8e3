/** TransactWriteItems. */
import { createHash } from "node:crypto";
import { type Item, sizeOfItem } from "./attribute.ts";
import { consumed, totalOf, writeUnits } from "./capacity.ts";
import type { Database } from "./database.ts";
import { DynamoDbError, invalid } from "./dynamodb-error.ts";
import { type ItemRequest, type ItemWrite, prepareWrite, store, WRITE_KINDS } from "./item-writes.ts";
import { checkParameters, PARTS } from "./parameters.ts";

interface TransactWrite {
  readonly TransactItems: readonly Readonly<Record<string, ItemRequest>>[];
  readonly ClientRequestToken?: string;
  readonly ReturnConsumedCapacity?: string;
}

interface Reason {
  readonly Code: string;
  readonly Message?: string;
  readonly Item?: Item;
}

const TOKEN_MS = 10 * 60_000;

/** Requests of the last minutes by their tokens. */
const known = new Map<string, { readonly digest: string; readonly untilMs: number }>();

export function transactWriteItems(database: Database, request: TransactWrite): object {
  const { TransactItems = [], ClientRequestToken: token } = request;
  const { transactionItems, transactionBytes } = database.limits;
  if (TransactItems.length === 0 || TransactItems.length > transactionItems)
    throw invalid(
      `1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have length ${
        TransactItems.length === 0
          ? "greater than or equal to 1"
          : `less than or equal to ${transactionItems}`
      }`,
    );
  const writes = TransactItems.map((each) => {
    const [kind, ...others] = WRITE_KINDS.filter((name) => each[name] !== undefined);
    const part = kind && each[kind];
    if (part === undefined || others.length > 0)
      throw invalid("TransactItems can only contain one of Check, Put, Update or Delete");
    checkParameters(kind!, PARTS[kind!], part);
    return prepareWrite(database, kind!, part);
  });
  if (token !== undefined && isRepeated(token, TransactItems)) return {};
  const places = writes.map(({ table, key }) => JSON.stringify([table.name, key.pk, key.sk]));
  if (new Set(places).size !== places.length)
    throw invalid("Transaction request cannot include multiple operations on one item");
  const planned = plan(database, writes);
  const bytes = planned.reduce((sum, { before, after }) => sum + sizeOfItem(after ?? before ?? {}), 0);
  if (bytes > transactionBytes)
    throw invalid(
      `Collection size of items exceeded, which can also be caused by the aggregate size of the items in the transaction exceeding the ${transactionBytes / 1024 / 1024}MB limit`,
    );
  for (const { write, before, after } of planned) store(database, write, before, after);
  if (token !== undefined) {
    known.set(token, { digest: digestOf(TransactItems), untilMs: Date.now() + TOKEN_MS });
    // A full disk may undo the transaction: its repetition must run.
    database.onRollback(() => known.delete(token));
  }
  const { ReturnConsumedCapacity: asked = "NONE" } = request;
  return asked === "NONE" ? {} : { ConsumedCapacity: capacityOf(asked, planned) };
}

interface Planned {
  readonly write: ItemWrite;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

function plan(database: Database, writes: readonly ItemWrite[]): readonly Planned[] {
  const planned: Planned[] = [];
  const reasons = writes.map((write): Reason => {
    const before = database.get(write.table, write.key);
    try {
      write.check(before);
      planned.push({ write, before, after: write.after(before) });
      return { Code: "None" };
    } catch (error) {
      if (!(error instanceof DynamoDbError)) throw error;
      if (error.type !== "ConditionalCheckFailedException")
        return { Code: "ValidationError", Message: error.message };
      return { Code: "ConditionalCheckFailed", Message: error.message, ...error.fields };
    }
  });
  if (planned.length === writes.length) return planned;
  const codes = reasons.map(({ Code }) => Code).join(", ");
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  throw new DynamoDbError("TransactionCanceledException", message, {
    Message: message,
    CancellationReasons: reasons,
  });
}

function isRepeated(token: string, items: TransactWrite["TransactItems"]): boolean {
  const nowMs = Date.now();
  for (const [each, { untilMs }] of known) if (untilMs < nowMs) known.delete(each);
  const earlier = known.get(token);
  if (earlier === undefined) return false;
  if (earlier.digest === digestOf(items)) return true;
  throw new DynamoDbError(
    "IdempotentParameterMismatchException",
    "An error occurred (IdempotentParameterMismatchException)",
  );
}

const digestOf = (items: TransactWrite["TransactItems"]): string =>
  createHash("sha256").update(JSON.stringify(items)).digest("hex");

function capacityOf(asked: string, planned: readonly Planned[]): object[] {
  return [...Map.groupBy(planned, ({ write }) => write.table.name)].map(([name, own]) => {
    const units = own.map(({ write, before, after }) => writeUnits(write.table, before, after, 2));
    const capacity = consumed(asked, name, units);
    return { ...capacity, WriteCapacityUnits: totalOf(units) };
  });
}
