/** TransactWriteItems. */
import { createHash } from "node:crypto";
import type { Item } from "./attribute.ts";
import { writeUnits } from "./capacity.ts";
import type { Database } from "./database.ts";
import { DynamoDbError, invalid } from "./dynamodb-error.ts";
import { type ItemRequest, type ItemWrite, prepareWrite, store, WRITE_KINDS } from "./item-writes.ts";

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

const MOST_ITEMS = 100;
const TOKEN_MS = 10 * 60_000;

/** Requests of the last minutes by their tokens. */
const known = new Map<string, { readonly digest: string; readonly untilMs: number }>();

export function transactWriteItems(database: Database, request: TransactWrite): object {
  const { TransactItems = [], ClientRequestToken: token } = request;
  if (TransactItems.length === 0 || TransactItems.length > MOST_ITEMS)
    throw invalid(
      `1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have length ${
        TransactItems.length === 0 ? "greater than or equal to 1" : `less than or equal to ${MOST_ITEMS}`
      }`,
    );
  const writes = TransactItems.map((each) => {
    const kind = WRITE_KINDS.find((name) => each[name] !== undefined);
    if (kind === undefined)
      throw invalid("TransactItems can only contain one of Check, Put, Update or Delete");
    return prepareWrite(database, kind, each[kind]!);
  });
  const places = writes.map(({ table, key }) => JSON.stringify([table.name, key.pk, key.sk]));
  if (new Set(places).size !== places.length)
    throw invalid("Transaction request cannot include multiple operations on one item");
  if (token !== undefined && isRepeated(token, TransactItems)) return {};
  const planned = plan(database, writes);
  for (const { write, before, after } of planned) store(database, write, before, after);
  if (token !== undefined)
    known.set(token, { digest: digestOf(TransactItems), untilMs: Date.now() + TOKEN_MS });
  const { ReturnConsumedCapacity: asked = "NONE" } = request;
  return asked === "NONE" ? {} : { ConsumedCapacity: capacityOf(planned) };
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

function capacityOf(planned: readonly Planned[]): object[] {
  return [...Map.groupBy(planned, ({ write }) => write.table.name)].map(([TableName, own]) => {
    const units = own.reduce((sum, { before, after }) => sum + 2 * writeUnits(before, after), 0);
    return { TableName, CapacityUnits: units, WriteCapacityUnits: units };
  });
}
