/**
 * What is remembered of attempts to come in: failures of late, by user name and by source address, and the addresses
 * where a user has come in from. All of it expires.
 *
 * Failures are counted under whatever name was given, whether there is such a user or not.
 */
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { PutItemCommand } from "dynamodb-toolbox/entity/actions/put";
import { $add, UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { table } from "./table.ts";
import { holds, STALE, untilFresh } from "./transact.ts";

/** Whose failures: `USER#<name>` or `SOURCE#<address>`. */
export type Culprit = `USER#${string}` | `SOURCE#${string}`;

const FailuresEntity = new Entity({
  name: "sign-in-failures",
  table,
  timestamps: false,
  schema: item({
    culprit: string().key(),
    failures: number(),
    /** Milliseconds since 1970. */
    last_ms: number(),
    /** The table's time to live: seconds since 1970. What has expired may still be there for days. */
    expires_s: number(),
  }),
  computeKey: ({ culprit }) => ({ pk: `FAILURES#${culprit}`, sk: "FAILURES" }),
});

const KnownSourceEntity = new Entity({
  name: "known-source",
  table,
  timestamps: false,
  schema: item({ user: string().key(), source: string().key(), expires_s: number() }),
  computeKey: ({ user, source }) => ({ pk: `KNOWN_SOURCES#${user}`, sk: source }),
});

export type Failures = Pick<FormattedItem<typeof FailuresEntity>, "failures" | "last_ms">;

const NONE: Failures = { failures: 0, last_ms: 0 };
const inSeconds = (epochMs: number): number => Math.floor(epochMs / 1000);

export async function failuresOf(culprit: Culprit, nowMs: number): Promise<Failures> {
  const { Item } = await FailuresEntity.build(GetItemCommand)
    .key({ culprit })
    .options({ consistent: true })
    .send();
  return Item === undefined || Item.expires_s <= inSeconds(nowMs) ? NONE : Item;
}

/**
 * Counts one more, however many are counted at the same moment; what has expired counts from one.
 * @param keptSeconds how long after its last failure a culprit's are forgotten.
 */
export function countFailure(culprit: Culprit, nowMs: number, keptSeconds: number): Promise<true> {
  const seconds = inSeconds(nowMs);
  const last = { last_ms: nowMs, expires_s: seconds + keptSeconds };
  const isCounting = { attr: "expires_s", gt: seconds } as const;
  const hasExpired = { attr: "expires_s", lte: seconds } as const;
  return untilFresh(async () => {
    const add = FailuresEntity.build(UpdateItemCommand)
      .item({ culprit, failures: $add(1), ...last })
      .options({ condition: isCounting });
    if (await holds(add)) return true;
    const begin = FailuresEntity.build(PutItemCommand)
      .item({ culprit, failures: 1, ...last })
      .options({ condition: { or: [{ attr: "expires_s", exists: false }, hasExpired] } });
    return (await holds(begin)) || STALE;
  });
}

/** Has the user come in from there of late? */
export async function isKnownSource(user: string, source: string, nowMs: number): Promise<boolean> {
  const { Item } = await KnownSourceEntity.build(GetItemCommand)
    .key({ user, source })
    .options({ consistent: true })
    .send();
  return Item !== undefined && Item.expires_s > inSeconds(nowMs);
}

export async function rememberSource(
  user: string,
  source: string,
  nowMs: number,
  keptSeconds: number,
): Promise<void> {
  await KnownSourceEntity.build(PutItemCommand)
    .item({ user, source, expires_s: inSeconds(nowMs) + keptSeconds })
    .send();
}
