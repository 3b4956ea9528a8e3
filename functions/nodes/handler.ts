import { bind } from "../shared/edge/bind.ts";
import { load } from "../shared/edge/load.ts";
import { requestLedger } from "../shared/store/idempotency/idempotency.ts";
import { getNode, listNodeLinks, listNodes } from "./read-node.ts";
import { group } from "./routes.ts";
import { getStartup } from "./startup.ts";

export const handler = bind(
  group,
  {
    listNodes,
    getNode,
    listNodeLinks,
    getStartup,
    ...load(() => import("./create-node.ts"), ["createNode"]),
    ...load(() => import("./update-node.ts"), ["updateNode"]),
    ...load(() => import("./delete-node.ts"), ["deleteNode"]),
    ...load(() => import("./mac-table.ts"), ["getMacTable"]),
    ...load(() => import("./node-state.ts"), ["getNodeState"]),
  },
  { ledger: requestLedger },
);
