import { kindOf } from "@wirelab/engine/devices/find-kind";
import { failure, failureOf } from "../shared/edge/errors.ts";
import { newId } from "../shared/edge/idempotency.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { NODE_ERRORS } from "../shared/edge/own-errors/node.ts";
import { storeNew } from "../shared/node/store-new.ts";
import { isPlaceholder, STARTED_WHEN_CREATED } from "../shared/schemas/node.ts";
import { isOnCompute, type NodeItem, toNode } from "../shared/store/lab/node.ts";
import { copiedNode } from "./copied-node.ts";
import { duplicateRealNode } from "./duplicate-real-node.ts";
import { readNodeWithState } from "./read-node.ts";
import type { group } from "./routes.ts";

export const duplicateNode: Operation<typeof group.routes.duplicateNode> = async ({
  access,
  params: { project_id, node_id },
  body: place,
  origin,
  receipt,
}) => {
  const original = await readNodeWithState(access, project_id, node_id);
  const copyId = newId({ receipt }, "node");
  if (isOnCompute(original)) {
    return {
      status: 201,
      body: toNode(await duplicateRealNode(access, original, copyId, place), origin.host),
    };
  }
  refuseDuplicate(original);
  const { index, document } = original;
  const copy = await storeNew(access, project_id, copyId, original.name, async () => ({
    isNumbered: index !== undefined,
    console: document.console === null ? null : undefined,
    make: async (own, console) => {
      const status = STARTED_WHEN_CREATED.has(document.node_type) ? "started" : "stopped";
      const fresh = copiedNode(original, own, console, status, place);
      return { ...fresh, ...(await savedFiles(original, fresh)) };
    },
  }));
  return { status: 201, body: toNode(copy, origin.host) };
};

/** @throws ApiError `node.not-duplicable`, `node.running` */
function refuseDuplicate({ name, status, document: { node_type } }: NodeItem): void {
  if (isPlaceholder(node_type) || kindOf(node_type)?.isSingle)
    throw failureOf(NODE_ERRORS, "node.not-duplicable", { node_type });
  if (status !== "stopped" && !STARTED_WHEN_CREATED.has(node_type)) throw failure("node.running", { name });
}

/** Few nodes have files, and these need the engine. */
const savedFiles = async (original: NodeItem, copy: NodeItem): Promise<Pick<NodeItem, "state">> =>
  original.state === undefined ? {} : (await import("./saved-files.ts")).savedFiles(original, copy);
