/** Settings of the whole service: registered computes and the helper virtual machine. */
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { DeleteItemCommand } from "dynamodb-toolbox/entity/actions/delete";
import { PutItemCommand } from "dynamodb-toolbox/entity/actions/put";
import { boolean } from "dynamodb-toolbox/schema/boolean";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import type { Compute } from "../../schemas/compute.ts";
import { SIMVM_DEFAULTS, type SimVm } from "../../schemas/simvm.ts";
import { document } from "./document.ts";
import { nowUs, table } from "./table.ts";
import { holds } from "./transact.ts";
import { when } from "./when.ts";

export const ComputeEntity = new Entity({
  name: "compute",
  table,
  timestamps: false,
  schema: item({
    compute_id: string().key(),
    name: string(),
    protocol: string().enum("http", "https"),
    host: string(),
    port: number(),
    user: string().optional(),
    /** A secret has the password: compute-password.ts. */
    has_password: boolean().optional(),
    created_us: number(),
    revision: number(),
  }),
  computeKey: ({ compute_id }) => ({ pk: "SERVICE", sk: `COMPUTE#${compute_id}` }),
});
export type ComputeItem = FormattedItem<typeof ComputeEntity>;

/** The service never connects to registered computes, so it knows nothing of them except their address. */
export const toCompute = ({ compute_id, name, protocol, host, port, user }: ComputeItem): Compute => ({
  capabilities: { node_types: [], version: null },
  compute_id,
  connected: false,
  cpu_usage_percent: null,
  host,
  last_error: null,
  memory_usage_percent: null,
  name,
  port,
  protocol,
  user: user ?? null,
});

const SimVmEntity = new Entity({
  name: "simvm",
  table,
  timestamps: false,
  schema: item({
    id: string().key().const("SIMVM"),
    settings: document<Partial<SimVm>>(),
    revision: number(),
  }),
  computeKey: ({ id }) => ({ pk: "SERVICE", sk: id }),
});

export interface Service {
  /** Registered computes, oldest first, without the built-in one. */
  readonly computes: readonly ComputeItem[];
  readonly simvm: SimVm;
  /** Zero until settings are stored. */
  readonly simvmRevision: number;
}

/** Reads everything in one Query, because there are few computes. */
export async function readService(): Promise<Service> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: "SERVICE" })
    .entities(ComputeEntity, SimVmEntity)
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
    .send();
  const computes: ComputeItem[] = [];
  let simvm = SIMVM_DEFAULTS;
  let simvmRevision = 0;
  for (const stored of Items ?? []) {
    if ("compute_id" in stored) computes.push(stored);
    else {
      simvm = { ...SIMVM_DEFAULTS, ...stored.settings };
      simvmRevision = stored.revision;
    }
  }
  return { computes: computes.sort((a, b) => a.created_us - b.created_us), simvm, simvmRevision };
}

/** @returns false when another request stored settings since revision `read`. */
export function writeSimVm(settings: SimVm, read: number): Promise<boolean> {
  return holds(
    SimVmEntity.build(PutItemCommand)
      .item({ settings, revision: read + 1 })
      .options(when(SimVmEntity, { revision: read || undefined })),
  );
}

/** @returns the compute, or undefined when its id is taken. */
export async function createCompute(
  compute: Omit<ComputeItem, "created_us" | "revision">,
): Promise<ComputeItem | undefined> {
  const stored = { ...compute, created_us: nowUs(), revision: 1 };
  const put = ComputeEntity.build(PutItemCommand)
    .item(stored)
    .options(when(ComputeEntity, { compute_id: undefined }));
  return (await holds(put)) ? stored : undefined;
}

/** @returns false when another request changed the compute since it was read. */
export function replaceCompute(before: ComputeItem, after: ComputeItem): Promise<boolean> {
  return holds(
    ComputeEntity.build(PutItemCommand)
      .item({ ...after, revision: before.revision + 1 })
      .options(when(ComputeEntity, { revision: before.revision })),
  );
}

/** Has no condition that the compute exists: when the response to a deletion is lost, the SDK repeats it and would not find the compute. */
export const deleteCompute = (computeId: string): Promise<boolean> =>
  holds(ComputeEntity.build(DeleteItemCommand).key({ compute_id: computeId }));
