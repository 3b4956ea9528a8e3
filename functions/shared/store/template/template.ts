/** Templates, and how many there are. All users have the same ones. */
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { PutItemCommand } from "dynamodb-toolbox/entity/actions/put";
import { DeleteTransaction } from "dynamodb-toolbox/entity/actions/transactDelete";
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { $add } from "dynamodb-toolbox/entity/actions/update";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import type { Template } from "../../schemas/template.ts";
import { document, storable } from "../base/document.ts";
import { table } from "../base/table.ts";
import { holds, holdsAll, type Transaction, transact } from "../base/transact.ts";
import { quota } from "../limits/quota.ts";

const PARTITION = "TEMPLATES";
const FIRST = "TEMPLATE#";

export const TemplateEntity = new Entity({
  name: "template",
  table,
  timestamps: false,
  schema: item({
    template_id: string().key(),
    document: document<Template>(),
    created_us: number(),
    /** An id derived from the key of the request that created it. */
    created_by: string().optional(),
    /** Counts changes. */
    revision: number(),
  }),
  computeKey: ({ template_id }) => ({ pk: PARTITION, sk: `${FIRST}${template_id}` }),
});
export type TemplateItem = FormattedItem<typeof TemplateEntity>;

const CountEntity = new Entity({
  name: "template-count",
  table,
  timestamps: false,
  schema: item({ what: string().key(), template_count: number().optional() }),
  computeKey: ({ what }) => ({ pk: PARTITION, sk: `USAGE#${what}` }),
});

/** Returns a step that counts; an added template must fit the quota. */
function count(added: 1 | -1): Transaction {
  const step = CountEntity.build(UpdateTransaction).item({
    what: "TEMPLATES",
    template_count: $add(added),
  });
  if (added < 0) return step;
  const attr = "template_count";
  const limit = quota("quota_templates");
  const fits = { attr, lt: limit } as const;
  return step.options({ condition: limit > 0 ? { or: [{ attr, exists: false }, fits] } : fits });
}

/** Reads the stored templates, oldest first: those of clients, and the built-in ones that were changed. */
export async function readTemplates(): Promise<readonly TemplateItem[]> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: PARTITION, range: { beginsWith: FIRST } })
    .entities(TemplateEntity)
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
    .send();
  return (Items ?? []).toSorted((a, b) => a.created_us - b.created_us);
}

export async function readTemplate(template_id: string): Promise<TemplateItem | undefined> {
  const { Item } = await TemplateEntity.build(GetItemCommand)
    .key({ template_id })
    .options({ consistent: true })
    .send();
  return Item;
}

/** Creates a template. @returns `id` when there is one with this id, `full` when the quota is reached. */
export async function createTemplate(template: TemplateItem): Promise<"created" | "id" | "full"> {
  storable("template", template.document);
  const refused = await transact({
    count: count(1),
    template: TemplateEntity.build(PutTransaction)
      .item(template)
      .options({ condition: { attr: "template_id", exists: false } }),
  });
  if (refused.size === 0) return "created";
  return refused.has("template") ? "id" : "full";
}

/**
 * Stores a changed template. A built-in one is stored when it is changed first, and is not counted.
 * @returns false when another request changed or deleted it since it was read.
 */
export function writeTemplate(before: TemplateItem | undefined, after: TemplateItem): Promise<boolean> {
  storable("template", after.document);
  const condition = before
    ? ({ attr: "revision", eq: before.revision } as const)
    : ({ attr: "template_id", exists: false } as const);
  return holds(TemplateEntity.build(PutItemCommand).item(after).options({ condition }));
}

/** @returns false when another request deleted it since it was read. */
export function deleteTemplate(template_id: string): Promise<boolean> {
  return holdsAll([
    count(-1),
    TemplateEntity.build(DeleteTransaction)
      .key({ template_id })
      .options({ condition: { attr: "template_id", exists: true } }),
  ]);
}
