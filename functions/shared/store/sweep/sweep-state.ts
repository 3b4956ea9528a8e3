/** The sweeper's progress; its next run continues from there. */
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { PutItemCommand } from "dynamodb-toolbox/entity/actions/put";
import { boolean } from "dynamodb-toolbox/schema/boolean";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { table } from "../base/table.ts";

const SweepEntity = new Entity({
  name: "sweep",
  table,
  timestamps: false,
  schema: item({
    id: string().key().const("STATE").default("STATE"),
    /** Key of the last object checked; missing when the next one is the bucket's first. */
    object: string().optional(),
    /** Position of the last project checked: where a page of the index ended. */
    project: string().optional(),
    /** When the last pass over the projects that looks for lost captures began: milliseconds since 1970. */
    checked_ms: number().optional(),
    /** True when the current pass looks for lost captures. */
    checks: boolean().optional(),
  }),
  computeKey: ({ id }) => ({ pk: "SWEEPER", sk: id }),
});

export type SweepState = Omit<FormattedItem<typeof SweepEntity>, "id">;

export async function readSweepState(): Promise<SweepState> {
  const { Item } = await SweepEntity.build(GetItemCommand).key({ id: "STATE" }).send();
  const { id: _id, ...state } = Item ?? {};
  return state;
}

export async function writeSweepState(state: SweepState): Promise<void> {
  await SweepEntity.build(PutItemCommand)
    .item({ id: "STATE", ...state })
    .send();
}
