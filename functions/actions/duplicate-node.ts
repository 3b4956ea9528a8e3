import { failure } from "../shared/edge/errors.ts";
import { newId } from "../shared/edge/idempotency.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { storeNew } from "../shared/node/store-new.ts";
import { isRecordType, STARTED_WHEN_CREATED } from "../shared/schemas/node.ts";
import { nowUs } from "../shared/store/base/table.ts";
import { isOnCompute, type NodeItem, toNode } from "../shared/store/lab/node.ts";
import { readNode } from "./read-node.ts";
import type { group } from "./routes.ts";

export const duplicateNode: Operation<typeof group.routes.duplicateNode> = async ({
  access,
  params: { project_id, node_id },
  body: { x, y, z = 0 },
  origin,
  receipt,
}) => {
  const original = await readNode(access, project_id, node_id);
  refuseDuplicate(original);
  const { index, document } = original;
  const copy = await storeNew(access, project_id, newId({ receipt }, "node"), original.name, async () => ({
    isNumbered: index !== undefined,
    console: document.console === null ? null : undefined,
    make: async (own, console) => {
      const fresh: NodeItem = {
        ...own,
        status: STARTED_WHEN_CREATED.has(document.node_type) ? "started" : "stopped",
        links: {},
        wiring: 0,
        revision: 1,
        created_us: nowUs(),
        document: {
          ...document,
          console,
          label: { ...document.label, text: own.name },
          locked: false,
          x,
          y,
          z,
        },
      };
      return { ...fresh, ...(await savedFiles(original, fresh)) };
    },
  }));
  return { status: 201, body: toNode(copy, origin.host) };
};

/** @throws ApiError `lab.on-computes`, `node.not-duplicable`, `node.running` */
function refuseDuplicate(node: NodeItem): void {
  const { name, status, document } = node;
  const { node_type } = document;
  if (isOnCompute(node)) throw failure("lab.on-computes", { name, what: "duplicate it" });
  if (isRecordType(node_type)) throw failure("node.not-duplicable", { node_type });
  if (status !== "stopped" && !STARTED_WHEN_CREATED.has(node_type)) throw failure("node.running", { name });
}

/** Loaded on first use: few nodes have files, and these need the engine. */
const savedFiles = async (original: NodeItem, copy: NodeItem): Promise<Pick<NodeItem, "state">> =>
  original.state === undefined ? {} : (await import("./saved-files.ts")).savedFiles(original, copy);
