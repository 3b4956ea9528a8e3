import { bind } from "../api/bind.ts";
import { requestLedger } from "../store/idempotency.ts";
import { createNode } from "./create-node.ts";
import { deleteNode } from "./delete-node.ts";
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
    deleteNode,
    listNodeLinks,
    // It makes a switch of the item, with the engine.
    getMacTable: async (request) => (await import("./mac-table.ts")).getMacTable(request),
    getStartup,
  },
  { ledger: requestLedger },
);
