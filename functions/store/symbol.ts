/**
 * Uploaded symbols. The bytes go to a new object first; then one write of the item switches readers over; then the
 * old object is removed. A reader that is caught between the last two steps reads the item again.
 */
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { PutItemCommand } from "dynamodb-toolbox/entity/actions/put";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { deleteObjects, putObject, readObject } from "./objects.ts";
import { table } from "./table.ts";

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

/** Stores or replaces a symbol. */
export async function putSymbol(symbol: Omit<SymbolItem, "object_key">, bytes: Uint8Array): Promise<void> {
  const object_key = SYMBOL_OBJECTS + crypto.randomUUID();
  await putObject(object_key, bytes, symbol.content_type);
  const { Attributes: before } = await SymbolEntity.build(PutItemCommand)
    .item({ ...symbol, object_key })
    .options({ returnValues: "ALL_OLD" })
    .send();
  if (before) await deleteObjects([before.object_key]);
}

const READ_ATTEMPTS = 5;

/**
 * @param wantsBytes decides from the item whether to read the bytes, too
 * @returns a symbol and its bytes, which belong together, or undefined when there is none.
 */
export async function readSymbol(
  symbolId: string,
  wantsBytes: (symbol: SymbolItem) => boolean = () => true,
): Promise<{ symbol: SymbolItem; bytes?: Uint8Array } | undefined> {
  for (let attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
    const symbol = await getSymbol(symbolId);
    if (symbol === undefined) return undefined;
    if (!wantsBytes(symbol)) return { symbol };
    const bytes = await readObject(symbol.object_key);
    if (bytes !== undefined) return { symbol, bytes };
  }
  throw new Error(`The bytes of symbol ${symbolId} are missing`);
}
