import { bind } from "../shared/edge/bind.ts";
import { load } from "../shared/edge/load.ts";
import { deleteCapture } from "./delete-capture.ts";
import { downloadCapture, getCapture, listCaptures } from "./read-captures.ts";
import { group } from "./routes.ts";

export const handler = bind(group, {
  listCaptures,
  getCapture,
  deleteCapture,
  downloadCapture,
  ...load(() => import("./list-packets.ts"), ["listPackets"]),
  ...load(() => import("./pcapng.ts"), ["downloadPcapng"]),
});
