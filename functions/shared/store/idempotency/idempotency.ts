/** Stores requests with idempotency keys and their responses, so that each is executed once. See api/idempotency.ts. */
import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { DeleteItemCommand } from "dynamodb-toolbox/entity/actions/delete";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { PutItemCommand } from "dynamodb-toolbox/entity/actions/put";
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { binary } from "dynamodb-toolbox/schema/binary";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import type { Begun, KeptAnswer, Receipt, RequestLedger } from "../../edge/idempotency.ts";
import { optionalDocument } from "../base/document.ts";
import { table } from "../base/table.ts";
import { holds, STALE, type Transaction, untilFresh } from "../base/transact.ts";
import { when } from "../base/when.ts";
import { mayKeep } from "./kept-answers.ts";

type Head = Omit<KeptAnswer, "body">;

const RequestEntity = new Entity({
  name: "request",
  table,
  timestamps: false,
  schema: item({
    id: string().key(),
    fingerprint: string(),
    origin: string(),
    holder: string(),
    /** The holder may store the response until then, in milliseconds since 1970; an executed request may have none yet. */
    held_until_ms: number(),
    state: string().enum("begun", "done"),
    head: optionalDocument<Head>(),
    body: binary().optional(),
    /** The table's time to live: seconds since 1970. */
    expires_s: number(),
  }),
  computeKey: ({ id }) => ({ pk: `IDEMPOTENCY#${id}`, sk: "REQUEST" }),
});
type RequestItem = FormattedItem<typeof RequestEntity>;

const KEPT_SECONDS = 86_400;

/** Compressed size; an item holds 400 KB. */
const BODY_MAX_BYTES = 262_144;

/** Each user has their own keys. The table stores neither the user nor the key. */
const idOf = (user: string, key: string): string =>
  createHash("sha256")
    .update(JSON.stringify([user, key]))
    .digest("hex");

const heldBy = ({ holder }: Pick<Receipt, "holder">) => when(RequestEntity, { holder, state: "begun" });

function begin(user: string, key: string, fingerprint: string, holdMs: number): Promise<Begun> {
  const receipt = { id: idOf(user, key), holder: crypto.randomUUID(), origin: crypto.randomUUID(), user };
  const begun = untilFresh<Begun>(async () => {
    const nowMs = Date.now();
    const nowS = Math.floor(nowMs / 1000);
    const held_until_ms = nowMs + holdMs;
    const { id, holder, origin } = receipt;
    const fresh = {
      id,
      holder,
      origin,
      fingerprint,
      held_until_ms,
      state: "begun",
      expires_s: nowS + KEPT_SECONDS,
    } as const;
    // The table may remove an expired item days later.
    const free = when(RequestEntity, {
      or: [{ fingerprint: undefined }, { attr: "expires_s", lt: nowS }],
    });
    const put = RequestEntity.build(PutItemCommand).item(fresh).options(free);
    if (await holds(put)) return { state: "begun", receipt };
    const known = await read(receipt.id);
    if (known === undefined) return STALE;
    if (known.holder === receipt.holder)
      return { state: "begun", receipt: { ...receipt, origin: known.origin } };
    if (known.fingerprint !== fingerprint) return { state: "other-request" };
    if (known.state === "done" && known.head && known.body) return answered(known.head, known.body);
    if (known.held_until_ms > nowMs) return { state: "in-progress" };
    if (known.state === "done") return { state: "carried-out" };
    // The condition failed: another call holds the request, or this call took it and its response was lost. Reading decides.
    return (await takeOver(known, receipt.holder, held_until_ms))
      ? { state: "begun", receipt: { ...receipt, origin: known.origin } }
      : STALE;
  });
  // The write may have succeeded although the call failed: release the key, so that no client waits for a request that does not run.
  return begun.catch(async (error: unknown) => {
    await handBack(receipt).catch(() => undefined);
    throw error;
  });
}

async function read(id: string): Promise<RequestItem | undefined> {
  const { Item } = await RequestEntity.build(GetItemCommand).key({ id }).options({ consistent: true }).send();
  return Item;
}

const answered = (head: Head, body: Uint8Array): Begun => ({
  state: "answered",
  answer: { ...head, body: gunzipSync(body) },
});

const takeOver = (known: RequestItem, holder: string, held_until_ms: number): Promise<boolean> =>
  holds(
    RequestEntity.build(UpdateItemCommand)
      .item({ id: known.id, holder, held_until_ms })
      .options(heldBy(known)),
  );

async function keep({ id, holder, user }: Receipt, { body, ...head }: KeptAnswer): Promise<void> {
  const packed = gzipSync(body);
  const isKept = packed.length <= BODY_MAX_BYTES && (await mayKeep(user, packed.length));
  const answer = isKept ? { head, body: packed } : {};
  await holds(
    RequestEntity.build(UpdateItemCommand)
      .item({ id, state: "done", held_until_ms: 0, ...answer })
      .options(when(RequestEntity, { holder })),
  );
}

async function release(receipt: Receipt): Promise<void> {
  await holds(RequestEntity.build(DeleteItemCommand).key({ id: receipt.id }).options(heldBy(receipt)));
}

async function handBack({ id, holder }: Receipt): Promise<void> {
  await holds(
    RequestEntity.build(UpdateItemCommand)
      .item({ id, held_until_ms: 0 })
      .options(when(RequestEntity, { holder })),
  );
}

export const requestLedger: RequestLedger = { begin, keep, release, handBack };

/** Returns the step that marks the request as executed in the transaction that executes it. It succeeds once, for the holder of the receipt. */
export const carriedOut = (receipt: Receipt | undefined): Transaction[] =>
  receipt === undefined
    ? []
    : [
        RequestEntity.build(UpdateTransaction)
          .item({ id: receipt.id, state: "done" })
          .options(heldBy(receipt)),
      ];
