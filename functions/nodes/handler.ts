import { bind } from "../api/bind.ts";
import { requestLedger } from "../store/idempotency.ts";
import { createNode } from "./create-node.ts";
import { deleteNode } from "./delete-node.ts";
import { getMacTable } from "./mac-table.ts";
import { getNode, listNodeLinks, listNodes } from "./read-node.ts";
import { group } from "./routes.ts";
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
    getMacTable,
  },
  { ledger: requestLedger },
);
