import { bind } from "../shared/edge/bind.ts";
import { requestLedger } from "../shared/store/idempotency/idempotency.ts";
import { getTemplate, listTemplates } from "./read-templates.ts";
import { group } from "./routes.ts";
import { createNodeFromTemplate } from "./use-template.ts";
import { createTemplate, deleteTemplate, duplicateTemplate, updateTemplate } from "./write-templates.ts";

export const handler = bind(
  group,
  {
    listTemplates,
    createTemplate,
    getTemplate,
    updateTemplate,
    deleteTemplate,
    duplicateTemplate,
    createNodeFromTemplate,
  },
  { ledger: requestLedger },
);
