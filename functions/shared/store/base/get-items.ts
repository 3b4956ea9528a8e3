/** Reads items by their keys, strongly consistent. */
import { BatchGetItemCommand } from "@aws-sdk/client-dynamodb";
import { itemDecoder } from "./decode-item.ts";
import { requiredEnv } from "./env.ts";
import { client } from "./table.ts";
import { untilProcessed } from "./transact.ts";

/** The parts of a dynamodb-toolbox entity that this module needs. */
interface StoredEntity {
  readonly schema: { readonly attributes: object };
  // biome-ignore lint/suspicious/noExplicitAny: each entity has a key of its own
  readonly computeKey?: ((key: any) => any) | undefined;
}

/** Identifies an item by the attributes of its key. */
export interface ItemKey {
  readonly entity: StoredEntity;
  readonly key: Readonly<Record<string, unknown>>;
}

const decoders = new WeakMap<StoredEntity, ReturnType<typeof itemDecoder>>();

function decoderOf(entity: StoredEntity): ReturnType<typeof itemDecoder> {
  let decode = decoders.get(entity);
  if (decode === undefined) {
    decode = itemDecoder(entity.schema);
    decoders.set(entity, decode);
  }
  return decode;
}

interface Key {
  readonly pk: { readonly S: string };
  readonly sk: { readonly S: string };
}

function keyOf({ entity, key }: ItemKey): { pk: { S: string }; sk: { S: string } } {
  const { pk, sk } = entity.computeKey!(key) as { pk: string; sk: string };
  return { pk: { S: pk }, sk: { S: sk } };
}

/**
 * Reads up to 100 different items in one call. If the table throttles some of them, reads all again.
 * @returns an item or undefined for each key, in the order of the keys.
 */
export async function getItems(wanted: readonly ItemKey[]): Promise<unknown[]> {
  const table = requiredEnv("TABLE_NAME");
  const keys = wanted.map(keyOf);
  const places = new Map(keys.map((key, place) => [placeName(key), place]));
  let items: unknown[] = [];
  await untilProcessed(async () => {
    const { Responses = {}, UnprocessedKeys = {} } = await client.send(
      new BatchGetItemCommand({ RequestItems: { [table]: { Keys: keys, ConsistentRead: true } } }),
    );
    items = new Array(keys.length).fill(undefined);
    for (const item of Responses[table] ?? []) {
      const place = places.get(placeName(item as unknown as Key))!;
      items[place] = decoderOf(wanted[place]!.entity)(item);
    }
    return Object.keys(UnprocessedKeys).length === 0;
  });
  return items;
}

const placeName = ({ pk, sk }: Key): string => JSON.stringify([pk.S, sk.S]);
