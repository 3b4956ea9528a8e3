/**
 * Numbers for IOU nodes: their `application_id`, from which IOU makes MAC addresses and names of sockets. Two nodes that run on one compute
 * must have different ones, and a compute leaves the choice to its controller.
 *
 * The numbers of a compute go round: a number is given again after all others.
 */
import { Entity } from "dynamodb-toolbox/entity";
import { $add, UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { table } from "./table.ts";

/** From 1 to 511: uBridge uses the number plus 512, and IOU takes up to 1,023. */
const IOU_NUMBERS = 511;

const IouNumberEntity = new Entity({
  name: "iou-number",
  table,
  timestamps: false,
  schema: item({
    compute_id: string().key(),
    /** How many numbers were given. */
    given: number(),
  }),
  computeKey: ({ compute_id }) => ({ pk: "SERVICE", sk: `IOU_NUMBER#${compute_id}` }),
});

export async function nextIouNumber(compute_id: string): Promise<number> {
  const { Attributes } = await IouNumberEntity.build(UpdateItemCommand)
    .item({ compute_id, given: $add(1) })
    .options({ returnValues: "UPDATED_NEW" })
    .send();
  return ((Attributes!.given! - 1) % IOU_NUMBERS) + 1;
}
