import { failure } from "../shared/edge/errors.ts";
import { newId } from "../shared/edge/idempotency.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { addNode } from "../shared/node/add-node.ts";
import { toNode } from "../shared/store/lab/node.ts";
import { settingsOf } from "./node-settings.ts";
import { findTemplate } from "./read-templates.ts";
import type { group } from "./routes.ts";

/** A built-in template takes the compute of the request, another one has its own. */
export const createNodeFromTemplate: Operation<typeof group.routes.createNodeFromTemplate> = async ({
  access,
  params: { project_id, template_id },
  body,
  origin,
  receipt,
}) => {
  const { template } = await findTemplate(template_id);
  const compute_id = template.builtin ? body.compute_id : template.compute_id;
  if (compute_id == null) throw failure("compute.not-found", { compute_id: "None" });
  const node = await addNode(access, project_id, newId({ receipt }, "node"), {
    ...settingsOf(template),
    name: body.name ?? template.default_name_format.replaceAll("{name}", template.name),
    compute_id,
    template_id,
    x: body.x,
    y: body.y,
  });
  return { status: 201, body: toNode(node, origin.host) };
};
