import { bind } from "../shared/edge/bind.ts";
import { requestLedger } from "../shared/store/idempotency/idempotency.ts";
import { getNode, listNodeLinks, listNodes } from "./read-node.ts";
import { group } from "./routes.ts";
import { getStartup } from "./startup.ts";

export const handler = bind(
  group,
  {
    listNodes,
    // Loaded on first use: the rules that make a node are large, and most requests read.
    createNode: async (request) => (await import("./create-node.ts")).createNode(request),
    getNode,
    updateNode: async (request) => (await import("./update-node.ts")).updateNode(request),
    // Loaded on first use, because it is rare and the function's start is not.
    deleteNode: async (request) => (await import("./delete-node.ts")).deleteNode(request),
    listNodeLinks,
    // Loaded on first use, because it needs the engine to build a switch from the item.
    getMacTable: async (request) => (await import("./mac-table.ts")).getMacTable(request),
    getNodeState: async (request) => (await import("./node-state.ts")).getNodeState(request),
    getStartup,
  },
  { ledger: requestLedger },
);
