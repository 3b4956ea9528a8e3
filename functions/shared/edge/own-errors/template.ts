import { define, type Facts } from "../error-definition.ts";

export const TEMPLATE_ERRORS = {
  "template.not-found": define(
    404,
    (f: Facts<"template_id">) => `Template ID ${f.template_id} doesn't exist`,
  ),
  "template.id-taken": define(
    409,
    (f: Facts<"template_id">) => `Template ID ${f.template_id} already exists`,
  ),
  "template.builtin": define(
    409,
    (f: Facts<"template_id" | "done">) =>
      `Template ID ${f.template_id} is built in, so it cannot be ${f.done}`,
  ),
  "quota.templates": define(
    409,
    (f: Facts<"limit">) => `There are ${f.limit} templates, which is the quota; delete one first`,
  ),
} as const;
