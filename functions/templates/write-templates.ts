/** Creates, changes, duplicates and deletes templates. */
import { kindOf } from "@wirelab/engine/devices/find-kind";
import { failureOf, invalidRequest } from "../shared/edge/errors.ts";
import { newId } from "../shared/edge/idempotency.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { TEMPLATE_ERRORS } from "../shared/edge/own-errors/template.ts";
import { CATEGORIES, type Template, type TemplateCreate } from "../shared/schemas/template.ts";
import { nowUs } from "../shared/store/base/table.ts";
import { STALE, untilFresh } from "../shared/store/base/transact.ts";
import { quota } from "../shared/store/limits/quota.ts";
import {
  readTemplate,
  deleteTemplate as removeTemplate,
  createTemplate as storeTemplate,
  writeTemplate,
} from "../shared/store/template/template.ts";
import { builtinTemplate } from "./builtin.ts";
import { DEFAULTS, platformDefaults, REQUIRED } from "./defaults.ts";
import { refuseInvalidSettings } from "./node-settings.ts";
import { findTemplate } from "./read-templates.ts";
import type { group } from "./routes.ts";

export const createTemplate: Operation<typeof group.routes.createTemplate> = async ({ body, receipt }) => {
  const created_by = receipt && newId({ receipt }, "template");
  const template = makeTemplate(body, body.template_id ?? created_by ?? crypto.randomUUID());
  refuseIncomplete(template);
  await refuseInvalidSettings(template);
  return { status: 201, body: await store(template, created_by) };
};

function makeTemplate({ category, ...given }: TemplateCreate, template_id: string): Template {
  const kind = kindOf(given.template_type);
  const image = kind?.image;
  const template_type = image === undefined ? given.template_type : "docker";
  return {
    ...DEFAULTS[template_type],
    ...platformDefaults(given.platform),
    ...(image !== undefined && { image, symbol: kind?.symbol, category: kind?.template.category }),
    ...(category !== undefined && { category: categoryOf(category) }),
    ...given,
    template_id,
    template_type,
    builtin: false,
  } as Template;
}

const categoryOf = (given: NonNullable<TemplateCreate["category"]>): Template["category"] =>
  typeof given === "number" ? CATEGORIES[given]! : given;

function refuseIncomplete(template: Template): void {
  const missing = (REQUIRED[template.template_type] ?? []).filter((key) => !template[key]);
  if (template.platform === "c3600" && !template.chassis) missing.push("chassis");
  if (missing.length === 0) return;
  throw invalidRequest(missing.map((key) => ({ path: `body.${key}`, message: "is missing" })));
}

/** @param created_by differs between requests; undefined without a key. */
async function store(document: Template, created_by: string | undefined): Promise<Template> {
  const { template_id } = document;
  const isTaken = builtinTemplate(template_id) !== undefined;
  const item = { template_id, document, created_us: nowUs(), created_by, revision: 1 };
  const outcome = isTaken ? "id" : await storeTemplate(item);
  if (outcome === "id") {
    const existing = created_by && (await readTemplate(template_id));
    // The client repeats the request that created the template, because it did not receive the response.
    if (existing && existing.created_by === created_by) return existing.document;
    throw failureOf(TEMPLATE_ERRORS, "template.id-taken", { template_id });
  }
  if (outcome === "full")
    throw failureOf(TEMPLATE_ERRORS, "quota.templates", { limit: quota("quota_templates") });
  return document;
}

export const updateTemplate: Operation<typeof group.routes.updateTemplate> = async ({ params, body }) => {
  const { template_id } = params;
  const { category, ...given } = body;
  const template = await untilFresh(async () => {
    const { template: before, stored } = await findTemplate(template_id);
    const { template_type, compute_id, builtin } = before;
    const after: Template = {
      ...before,
      ...(given as Partial<Template>),
      ...(category !== undefined && { category: categoryOf(category) }),
      ...{ template_id, template_type, compute_id, builtin },
    };
    refuseIncomplete(after);
    await refuseInvalidSettings(after);
    const item = {
      template_id,
      document: after,
      created_us: stored?.created_us ?? nowUs(),
      created_by: stored?.created_by,
      revision: (stored?.revision ?? 0) + 1,
    };
    return (await writeTemplate(stored, item)) ? after : STALE;
  });
  return { status: 200, body: template };
};

export const duplicateTemplate: Operation<typeof group.routes.duplicateTemplate> = async ({
  params: { template_id },
  receipt,
}) => {
  const { template } = await findTemplate(template_id);
  if (template.builtin)
    throw failureOf(TEMPLATE_ERRORS, "template.builtin", { template_id, done: "duplicated" });
  const created_by = receipt && newId({ receipt }, "template");
  const copy = { ...template, template_id: created_by ?? crypto.randomUUID() };
  return { status: 201, body: await store(copy, created_by) };
};

export const deleteTemplate: Operation<typeof group.routes.deleteTemplate> = async ({
  params: { template_id },
}) => {
  await untilFresh(async () => {
    const { template } = await findTemplate(template_id);
    if (template.builtin)
      throw failureOf(TEMPLATE_ERRORS, "template.builtin", { template_id, done: "deleted" });
    return (await removeTemplate(template_id)) || STALE;
  });
  return { status: 204 };
};
