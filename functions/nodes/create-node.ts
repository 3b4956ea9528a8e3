import { newId } from "../shared/edge/idempotency.ts";
import { LOCAL_COMPUTE } from "../shared/edge/local-compute.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { addNode } from "../shared/node/add-node.ts";
import { toNode } from "../shared/store/lab/node.ts";
import { refuseRepeatedPorts } from "./port-identity.ts";
import type { group } from "./routes.ts";

export const createNode: Operation<typeof group.routes.createNode> = async ({
  access,
  params,
  body,
  origin,
  receipt,
}) => {
  if (body.compute_id === LOCAL_COMPUTE.id) refuseRepeatedPorts(body.properties);
  const node = await addNode(access, params.project_id, body.node_id ?? newId({ receipt }, "node"), body);
  return { status: 201, body: toNode(node, origin.host) };
};
