/**
 * Counters with a limit, each an item of its own. A write adds to a counter's figures on condition that they fit: of two requests that
 * race for the last place one is refused. A missing figure is 0.
 */
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { $add, UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { table } from "../base/table.ts";
import { holds, type Transaction } from "../base/transact.ts";
import { when } from "../base/when.ts";
import { fits, type Quota, quota } from "./quota.ts";

const CounterEntity = new Entity({
  name: "counter",
  table,
  timestamps: false,
  schema: item({
    pk: string().key(),
    sk: string().key(),
    project_count: number().optional(),
    symbol_count: number().optional(),
    symbol_bytes: number().optional(),
    bytes: number().optional(),
    runs: number().optional(),
    /** When bytes were last added or counted, in milliseconds since 1970. */
    changed_ms: number().optional(),
    /** The table's time to live: seconds since 1970. */
    expires_s: number().optional(),
  }),
});

type Item = FormattedItem<typeof CounterEntity>;
/** Where a counter is stored: base/table.ts. */
export type Counter = Pick<Item, "pk" | "sk">;
export type Figures = Partial<Omit<Item, keyof Counter>>;
type Figure = keyof Figures;
type Limits = Readonly<Partial<Record<Figure, Quota>>>;

const adding = (counter: Counter, added: Figures) =>
  ({
    ...counter,
    ...Object.fromEntries(Object.entries(added).map(([figure, amount]) => [figure, $add(amount)])),
  }) as Counter & Partial<Record<Figure, ReturnType<typeof $add<number>>>>;

const ifRoom = (added: Figures, limits: Limits) =>
  when(
    CounterEntity,
    ...(Object.entries(limits) as [Figure, Quota][]).flatMap(([figure, name]) =>
      fits(figure, quota(name), added[figure] ?? 0),
    ),
  );

/** Returns a step that adds to the counter; it succeeds if there is room. Negative amounts subtract. */
export const countStep = (counter: Counter, added: Figures, limits: Limits = {}): Transaction =>
  CounterEntity.build(UpdateTransaction).item(adding(counter, added)).options(ifRoom(added, limits));

/** Adds to the counter. @param others figures that are set. @returns whether there was room. */
export const count = (
  counter: Counter,
  added: Figures,
  limits: Limits = {},
  others: Figures = {},
): Promise<boolean> =>
  holds(
    CounterEntity.build(UpdateItemCommand)
      .item({ ...adding(counter, added), ...others })
      .options(ifRoom(added, limits)),
  );

/** Sets figures of a counter. @returns false when `bytes` have changed since they were read. */
export const recount = (counter: Counter, { bytes }: Figures, figures: Figures): Promise<boolean> =>
  holds(
    CounterEntity.build(UpdateItemCommand)
      .item({ ...counter, ...figures })
      .options(when(CounterEntity, { bytes })),
  );

export async function readCounter(counter: Counter): Promise<Figures> {
  const { Item } = await CounterEntity.build(GetItemCommand)
    .key(counter)
    .options({ consistent: true })
    .send();
  return Item ?? {};
}
