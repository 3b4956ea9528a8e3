import { bind } from "../shared/edge/bind.ts";
import { requestLedger } from "../shared/store/base/idempotency.ts";
import { createNode } from "./create-node.ts";
import { getNode, listNodeLinks, listNodes } from "./read-node.ts";
import { group } from "./routes.ts";
import { getStartup } from "./startup.ts";
import { updateNode } from "./update-node.ts";

export const handler = bind(
  group,
  {
    listNodes,
    createNode,
    getNode,
    updateNode,
    // Loaded on first use, because it is rare and the function's start is not.
    deleteNode: async (request) => (await import("./delete-node.ts")).deleteNode(request),
    listNodeLinks,
    // Loaded on first use, because it needs the engine to build a switch from the item.
    getMacTable: async (request) => (await import("./mac-table.ts")).getMacTable(request),
    getStartup,
  },
  { ledger: requestLedger },
);
