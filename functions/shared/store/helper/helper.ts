/**
 * The current step of the helper machine. The item is written before a step and after it, so a function that dies leaves a step that
 * the next call of `advance` repeats: functions/shared/machine/advance.ts.
 */
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { DeleteTransaction } from "dynamodb-toolbox/entity/actions/transactDelete";
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { boolean } from "dynamodb-toolbox/schema/boolean";
import { item } from "dynamodb-toolbox/schema/item";
import { list } from "dynamodb-toolbox/schema/list";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { ComputeEntity, type ComputeItem } from "../base/service.ts";
import { nowUs, table } from "../base/table.ts";
import { holdsAll } from "../base/transact.ts";
import { when } from "../base/when.ts";

const ID = "HELPER";

const HelperEntity = new Entity({
  name: "helper",
  table,
  timestamps: false,
  schema: item({
    id: string().key().const(ID),
    /**
     * off: nothing runs, nothing is needed. wanted: a start was asked for. starting: EC2 was asked. booting: the instance runs, and its
     * server is waited for. ready: compute `vm` is registered. stopping: EC2 is asked to stop it.
     */
    state: string().enum("off", "wanted", "starting", "booting", "ready", "stopping"),
    /** The settings that the state follows; a difference to them is a change that is still to be made. */
    enabled: boolean(),
    instance_id: string().optional(),
    address: string().optional(),
    /** Projects that have used the machine, and may be open. */
    projects: list(string()),
    /** The port at which compute `vm` is registered. */
    port: number().optional(),
    /** How often EC2 has ended the instance since the machine was last ready, or a request asked for it. */
    attempts: number(),
    /** When a request last needed the machine, or a project that uses it was last found open. */
    used_us: number(),
    /** Since when the state is what it is. */
    since_us: number(),
    /** Makes the launch of an instance happen once. */
    token: string(),
    /** Why the last step failed, in words. */
    error: string().optional(),
    revision: number(),
  }),
  computeKey: ({ id }) => ({ pk: "SERVICE", sk: id }),
});
export type Helper = Omit<FormattedItem<typeof HelperEntity>, "id">;

export const HELPER_OFF: Helper = {
  state: "off",
  enabled: false,
  projects: [],
  used_us: 0,
  since_us: 0,
  token: "",
  attempts: 0,
  revision: 0,
};

export async function readHelper(): Promise<Helper> {
  const { Item } = await HelperEntity.build(GetItemCommand)
    .key({ id: ID })
    .options({ consistent: true })
    .send();
  return Item ?? HELPER_OFF;
}

/** The id under which the helper machine is a compute: functions/shared/machine/config.ts. */
const VM = "vm";

export type VmCompute = Pick<ComputeItem, "name" | "protocol" | "host" | "port" | "user" | "has_password">;

/**
 * Writes a change of the item, and in the same transaction the compute `vm`: registered while the machine is ready, and else absent.
 * @returns the item, or undefined when another request has changed it since it was read.
 */
export async function writeHelper(
  before: Helper,
  changes: Partial<Helper>,
  vm?: VmCompute,
): Promise<Helper | undefined> {
  const { revision } = before;
  const moved = changes.state !== undefined && changes.state !== before.state;
  const after: Helper = {
    ...before,
    ...(moved && { since_us: nowUs() }),
    ...changes,
    revision: revision + 1,
  };
  const put = HelperEntity.build(PutTransaction)
    .item(after)
    .options(when(HelperEntity, { revision: revision || undefined }));
  return (await holdsAll([put, ...computeSteps(before, after, vm)])) ? after : undefined;
}

function computeSteps(before: Helper, after: Helper, vm: VmCompute | undefined) {
  if (after.state === "ready" && vm) {
    return [
      ComputeEntity.build(PutTransaction).item({
        ...vm,
        compute_id: VM,
        created_us: nowUs(),
        revision: after.revision,
      }),
    ];
  }
  if (before.state === "ready" && after.state !== "ready")
    return [ComputeEntity.build(DeleteTransaction).key({ compute_id: VM })];
  return [];
}
