/**
 * Uploaded symbols. An upload writes the bytes to a new object; then one transaction makes readers use it, and counts it; then the
 * old object is deleted. A reader that comes between the last two steps reads the item again. A deletion is the last two steps.
 */
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { DeleteTransaction } from "dynamodb-toolbox/entity/actions/transactDelete";
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import type { Access } from "../../edge/access.ts";
import { ObjectCache } from "../base/object-cache.ts";
import { discardObjects, putObject, readObject } from "../base/objects.ts";
import { table } from "../base/table.ts";
import { holdsAll, STALE, untilFresh } from "../base/transact.ts";
import { when } from "../base/when.ts";
import { countSymbol, refuseSymbol, symbolChanges } from "../limits/symbol-usage.ts";
import { ownerOfNew } from "../project/access.ts";

const SymbolEntity = new Entity({
  name: "symbol",
  table,
  timestamps: false,
  schema: item({
    symbol_id: string().key(),
    object_key: string(),
    content_type: string(),
    etag: string(),
    size_bytes: number(),
    /** Missing when the content does not state its size. */
    width: number().optional(),
    height: number().optional(),
    /** The user who uploaded it, for whom it counts; missing if the caller was anonymous, and in symbols of earlier releases. */
    owner: string().optional(),
  }),
  computeKey: ({ symbol_id }) => ({ pk: "SYMBOLS", sk: `SYMBOL#${symbol_id}` }),
});
export type SymbolItem = FormattedItem<typeof SymbolEntity>;

export async function getSymbol(symbolId: string): Promise<SymbolItem | undefined> {
  const { Item } = await SymbolEntity.build(GetItemCommand)
    .key({ symbol_id: symbolId })
    .options({ consistent: true })
    .send();
  return Item;
}

export async function listSymbols(): Promise<SymbolItem[]> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: "SYMBOLS" })
    .entities(SymbolEntity)
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
    .send();
  return Items ?? [];
}

/** A replaced symbol has another key, so an object never changes. */
const cache = new ObjectCache();

const SYMBOL_OBJECTS = "symbols/";

export const isSymbolKey = (key: string): boolean => key.startsWith(SYMBOL_OBJECTS);

/**
 * Stores or replaces a symbol for the caller.
 * @throws ApiError `quota.symbols`, `quota.symbol-bytes`, `quota.user-symbols`, `quota.user-symbol-bytes`; then nothing is stored.
 */
export async function putSymbol(
  access: Access,
  symbol: Omit<SymbolItem, "object_key" | "owner">,
  bytes: Uint8Array,
): Promise<void> {
  const object_key = SYMBOL_OBJECTS + crypto.randomUUID();
  const stored: SymbolItem = { ...symbol, object_key, owner: ownerOfNew(access) };
  await refuseSymbol(symbolChanges(await getSymbol(symbol.symbol_id), stored));
  await putObject(object_key, bytes, symbol.content_type);
  const old = await untilFresh(() => replaceSymbol(stored));
  if (old) await discardObjects([old.object_key]);
}

/** @returns the symbol that it replaced. When the symbol is refused, the sweeper deletes its object. */
async function replaceSymbol(symbol: SymbolItem): Promise<SymbolItem | undefined | typeof STALE> {
  const old = await getSymbol(symbol.symbol_id);
  // An earlier attempt was written, and its response was lost.
  if (old?.object_key === symbol.object_key) return undefined;
  const changes = symbolChanges(old, symbol);
  await refuseSymbol(changes);
  const put = SymbolEntity.build(PutTransaction).item(symbol).options(asRead(old));
  return (await holdsAll([put, ...changes.map(countSymbol)])) ? old : STALE;
}

const asRead = (old: SymbolItem | undefined) => when(SymbolEntity, { object_key: old?.object_key });

/** @returns false when there is no such symbol. */
export async function deleteSymbol(symbolId: string): Promise<boolean> {
  const deleted = await untilFresh(() => removeSymbol(symbolId));
  if (deleted) await discardObjects([deleted.object_key]);
  return deleted !== undefined;
}

/** @returns the symbol that it removed, or undefined when there is none. */
async function removeSymbol(symbol_id: string): Promise<SymbolItem | undefined | typeof STALE> {
  const old = await getSymbol(symbol_id);
  if (old === undefined) return undefined;
  const remove = SymbolEntity.build(DeleteTransaction).key({ symbol_id }).options(asRead(old));
  return (await holdsAll([remove, ...symbolChanges(old, undefined).map(countSymbol)])) ? old : STALE;
}

/**
 * @param wantsBytes decides from the item whether to read the bytes, too
 * @returns a symbol and its bytes, which belong together, or undefined when there is none.
 */
export async function readSymbol(
  symbolId: string,
  wantsBytes: (symbol: SymbolItem) => boolean = () => true,
): Promise<{ symbol: SymbolItem; bytes?: Uint8Array } | undefined> {
  // The object is gone, so an upload replaced the symbol meanwhile: the item then names another object.
  let goneKey: string | undefined;
  for (;;) {
    const symbol = await getSymbol(symbolId);
    if (symbol === undefined) return undefined;
    if (!wantsBytes(symbol)) return { symbol };
    if (symbol.object_key === goneKey) break;
    const bytes = await cache.get(symbol.object_key, (key) => readObject(key));
    if (bytes !== undefined) return { symbol, bytes };
    goneKey = symbol.object_key;
  }
  throw new Error(`The bytes of symbol ${symbolId} are missing`);
}
