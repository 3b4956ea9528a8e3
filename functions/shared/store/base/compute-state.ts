/** What registered computes answered last, kept for some seconds, so that a list of computes does not call all of them each time. */
import { Entity } from "dynamodb-toolbox/entity";
import { PutItemCommand } from "dynamodb-toolbox/entity/actions/put";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import type { Compute } from "../../schemas/compute.ts";
import { document } from "./document.ts";
import { table } from "./table.ts";
import { holds } from "./transact.ts";

/** The fields of a compute that it reports itself. */
export type ComputeState = Pick<
  Compute,
  "capabilities" | "connected" | "cpu_usage_percent" | "last_error" | "memory_usage_percent"
>;

const PREFIX = "COMPUTE_STATE#";
const PARTITION = "SERVICE";

const StateEntity = new Entity({
  name: "compute-state",
  table,
  timestamps: false,
  schema: item({
    compute_id: string().key(),
    /** The revision of the compute's item: another address is another machine. */
    revision: number(),
    state: document<ComputeState>(),
    /** Milliseconds since 1970. */
    checked_ms: number(),
    /** The table's time to live: seconds since 1970. */
    expires_s: number(),
  }),
  computeKey: ({ compute_id }) => ({ pk: PARTITION, sk: `${PREFIX}${compute_id}` }),
});

export interface CheckedState {
  readonly compute_id: string;
  readonly revision: number;
  readonly state: ComputeState;
  readonly checked_ms: number;
}

/** A state is shown for seconds; the item of a deleted compute expires. */
const KEPT_SECONDS = 3_600;

export async function readComputeStates(): Promise<Map<string, CheckedState>> {
  const { Items = [] } = await table
    .build(QueryCommand)
    .query({ partition: PARTITION, range: { beginsWith: PREFIX } })
    .entities(StateEntity)
    .options({ maxPages: Number.POSITIVE_INFINITY })
    .send();
  return new Map(Items.map((each) => [each.compute_id, each]));
}

export async function putComputeState(checked: CheckedState): Promise<void> {
  const expires_s = Math.ceil(checked.checked_ms / 1000) + KEPT_SECONDS;
  await holds(StateEntity.build(PutItemCommand).item({ ...checked, expires_s }));
}
