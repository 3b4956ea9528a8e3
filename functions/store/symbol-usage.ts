/** How many symbols there are and what they hold: one item, written with them. Symbols are common to all users. */
import { Entity } from "dynamodb-toolbox/entity";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { $add } from "dynamodb-toolbox/entity/actions/update";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { failure } from "../api/errors.ts";
import { quota } from "./quota.ts";
import { table } from "./table.ts";
import type { Transaction } from "./transact.ts";

/** What there is, or what is added to it. */
export interface SymbolUsage {
  readonly symbol_count: number;
  readonly symbol_bytes: number;
}

const SymbolUsageEntity = new Entity({
  name: "symbol-usage",
  table,
  timestamps: false,
  schema: item({
    what: string().key(),
    symbol_count: number().optional(),
    symbol_bytes: number().optional(),
  }),
  computeKey: ({ what }) => ({ pk: "SYMBOLS", sk: `USAGE#${what}` }),
});

const KEY = { what: "SYMBOLS" };
const REFUSALS = { symbol_count: "quota.symbols", symbol_bytes: "quota.symbol-bytes" } as const;

const grown = (added: SymbolUsage) =>
  (Object.entries(added) as [keyof SymbolUsage, number][]).filter(([, amount]) => amount > 0);

/** @throws ApiError `quota.symbols`, `quota.symbol-bytes` when there is no room for what is to be added. */
export async function refuseSymbol(added: SymbolUsage): Promise<void> {
  if (grown(added).length === 0) return;
  const { Item } = await SymbolUsageEntity.build(GetItemCommand)
    .key(KEY)
    .options({ consistent: true })
    .send();
  for (const [name, amount] of grown(added)) {
    const [limit, count] = [quota(name), Item?.[name] ?? 0];
    if (count + amount > limit) throw failure(REFUSALS[name], { limit, count, amount });
  }
}

/** The step that counts, while there is room; none when nothing changes. */
export function countSymbol(added: SymbolUsage): Transaction[] {
  const { symbol_count, symbol_bytes } = added;
  if (symbol_count === 0 && symbol_bytes === 0) return [];
  const room = grown(added).map(([attr, amount]) => ({
    or: [
      { attr, exists: false as const },
      { attr, lte: quota(attr) - amount },
    ],
  }));
  const update = SymbolUsageEntity.build(UpdateTransaction).item({
    ...KEY,
    symbol_count: $add(symbol_count),
    symbol_bytes: $add(symbol_bytes),
  });
  return [room.length > 0 ? update.options({ condition: { and: room } as never }) : update];
}
