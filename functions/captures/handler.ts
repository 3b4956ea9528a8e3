import { bind } from "../api/bind.ts";
import { deleteCapture } from "./delete-capture.ts";
import { listPackets } from "./list-packets.ts";
import { downloadPcapng } from "./pcapng.ts";
import { downloadCapture, getCapture, listCaptures } from "./read-captures.ts";
import { group } from "./routes.ts";

export const handler = bind(group, {
  listCaptures,
  getCapture,
  deleteCapture,
  downloadCapture,
  listPackets,
  downloadPcapng,
});
