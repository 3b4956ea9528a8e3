/** Reads templates: the built-in ones first, each as it was changed. */
import { failureOf } from "../shared/edge/errors.ts";
import { entityTag, isNamed } from "../shared/edge/http/entity-tag.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { TEMPLATE_ERRORS } from "../shared/edge/own-errors/template.ts";
import type { Template } from "../shared/schemas/template.ts";
import {
  readTemplate as readStored,
  readTemplates,
  type TemplateItem,
} from "../shared/store/template/template.ts";
import { BUILTIN, builtinTemplate } from "./builtin.ts";
import type { group } from "./routes.ts";

interface FoundTemplate {
  readonly template: Template;
  /** Undefined for a built-in template that was not changed. */
  readonly stored: TemplateItem | undefined;
}

/** @throws ApiError `template.not-found` */
export async function findTemplate(template_id: string): Promise<FoundTemplate> {
  const stored = await readStored(template_id);
  const template = stored?.document ?? builtinTemplate(template_id);
  if (template === undefined) throw failureOf(TEMPLATE_ERRORS, "template.not-found", { template_id });
  return { template, stored };
}

export const listTemplates: Operation<typeof group.routes.listTemplates> = async () => {
  const stored = (await readTemplates()).map(({ document }) => document);
  const changed = new Map(stored.map((template) => [template.template_id, template]));
  const builtin = BUILTIN.map((template) => changed.get(template.template_id) ?? template);
  return { status: 200, body: [...builtin, ...stored.filter((template) => !template.builtin)] };
};

export const getTemplate: Operation<typeof group.routes.getTemplate> = async ({ params, headers }) => {
  const { template } = await findTemplate(params.template_id);
  const etag = entityTag(new TextEncoder().encode(JSON.stringify(template)));
  if (isNamed(etag, headers["if-none-match"])) return { status: 304, headers: { etag } };
  return { status: 200, body: template, headers: { etag } };
};
