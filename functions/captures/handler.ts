import { bind } from "../shared/edge/bind.ts";
import { deleteCapture } from "./delete-capture.ts";
import { downloadCapture, getCapture, listCaptures } from "./read-captures.ts";
import { group } from "./routes.ts";

export const handler = bind(group, {
  listCaptures,
  getCapture,
  deleteCapture,
  downloadCapture,
  // Loaded on first use: the code that reads packets is large, and most requests are about whole captures.
  listPackets: async (request) => (await import("./list-packets.ts")).listPackets(request),
  downloadPcapng: async (request) => (await import("./pcapng.ts")).downloadPcapng(request),
});
