/**
 * Uploaded symbols. The bytes go to a new object first; then one transaction switches readers over, and counts; then the old
 * object is removed. A reader that is caught between the last two steps reads the item again.
 */
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { discardObjects, putObject, readObject } from "./objects.ts";
import { countSymbol, refuseSymbol } from "./symbol-usage.ts";
import { table } from "./table.ts";
import { STALE, transact, untilFresh } from "./transact.ts";

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
    /** Missing when the content does not tell its size. */
    width: number().optional(),
    height: number().optional(),
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

const SYMBOL_OBJECTS = "symbols/";

export const isSymbolKey = (key: string): boolean => key.startsWith(SYMBOL_OBJECTS);

/** Stores or replaces a symbol. @throws ApiError `quota.symbols`, `quota.symbol-bytes`; then nothing is stored. */
export async function putSymbol(symbol: Omit<SymbolItem, "object_key">, bytes: Uint8Array): Promise<void> {
  await refuseSymbol(growth(symbol, await getSymbol(symbol.symbol_id)));
  const object_key = SYMBOL_OBJECTS + crypto.randomUUID();
  await putObject(object_key, bytes, symbol.content_type);
  const old = await untilFresh(() => replaceSymbol({ ...symbol, object_key }));
  if (old) await discardObjects([old.object_key]);
}

/** @returns the symbol that it replaced. An object whose symbol is refused here is left to the sweeper. */
async function replaceSymbol(symbol: SymbolItem): Promise<SymbolItem | undefined | typeof STALE> {
  const old = await getSymbol(symbol.symbol_id);
  // Written before, and the answer lost.
  if (old?.object_key === symbol.object_key) return undefined;
  const grown = growth(symbol, old);
  await refuseSymbol(grown);
  const condition = old
    ? { attr: "object_key" as const, eq: old.object_key }
    : { attr: "object_key" as const, exists: false as const };
  const put = SymbolEntity.build(PutTransaction).item(symbol).options({ condition });
  const refused = await transact([put, ...countSymbol(grown)]);
  return refused.length === 0 ? old : STALE;
}

const growth = (symbol: { size_bytes: number }, old: SymbolItem | undefined) => ({
  symbol_count: old ? 0 : 1,
  symbol_bytes: symbol.size_bytes - (old?.size_bytes ?? 0),
});

/**
 * @param wantsBytes decides from the item whether to read the bytes, too
 * @returns a symbol and its bytes, which belong together, or undefined when there is none.
 */
export async function readSymbol(
  symbolId: string,
  wantsBytes: (symbol: SymbolItem) => boolean = () => true,
): Promise<{ symbol: SymbolItem; bytes?: Uint8Array } | undefined> {
  // An object that is gone belongs to a symbol that was replaced in between: the item then names another object.
  let goneKey: string | undefined;
  for (;;) {
    const symbol = await getSymbol(symbolId);
    if (symbol === undefined) return undefined;
    if (!wantsBytes(symbol)) return { symbol };
    if (symbol.object_key === goneKey) break;
    const bytes = await readObject(symbol.object_key);
    if (bytes !== undefined) return { symbol, bytes };
    goneKey = symbol.object_key;
  }
  throw new Error(`The bytes of symbol ${symbolId} are missing`);
}
