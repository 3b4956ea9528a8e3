import { COMPUTE_ERRORS } from "../shared/edge/compute-errors.ts";
import { defineGroup } from "../shared/edge/route.ts";
import { PCAP_CONTENT_TYPE } from "../shared/schemas/capture-file.ts";

export const group = defineGroup({
  name: "follow",
  description: "Streams of running captures",
  routes: {
    streamPcap: {
      method: "GET",
      path: "/projects/{project_id}/links/{link_id}/pcap",
      summary: "Stream the running capture",
      description:
        "Sends all packets recorded so far, then new ones, until the capture stops or the client disconnects. The stream also " +
        "ends after 5 minutes, before it exceeds 200 MB, and if its user follows more captures than the limit (3 by default): " +
        "the oldest stream ends first. A new request starts again with the first packet.",
      responses: { 200: { description: "A pcap file", contentType: PCAP_CONTENT_TYPE } },
      errors: [
        "project.not-found",
        "project.not-opened",
        "link.not-found",
        "capture.not-running",
        "capture.not-found",
        "capture.lost",
        ...COMPUTE_ERRORS,
        "node.not-found",
        "stream.too-long",
      ],
    },
  },
});
