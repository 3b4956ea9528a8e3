import * as z from "zod/mini";
import type { ErrorCode } from "../shared/edge/errors.ts";
import { defineGroup } from "../shared/edge/route.ts";
import {
  capture,
  PCAP_CONTENT_TYPE,
  PCAPNG_CONTENT_TYPE,
  packetPage,
  packetsQuery,
  pcapngQuery,
} from "../shared/schemas/capture.ts";

const CAPTURES = "/projects/{project_id}/links/{link_id}/captures";
const CAPTURE = `${CAPTURES}/{capture_id}` as const;

const onLink = ["project.not-found", "link.not-found"] as const satisfies ErrorCode[];
const onCapture = [...onLink, "capture.not-found"] as const satisfies ErrorCode[];
const readingCapture = [...onCapture, "capture.lost"] as const satisfies ErrorCode[];

export const group = defineGroup({
  name: "captures",
  description: "Captures of links: the one that runs, and those that were stopped, until they are deleted",
  routes: {
    listCaptures: {
      method: "GET",
      path: CAPTURES,
      summary: "List the captures of a link",
      responses: { 200: { description: "The captures, oldest first", schema: z.array(capture) } },
      errors: onLink,
    },
    getCapture: {
      method: "GET",
      path: CAPTURE,
      summary: "Get a capture",
      responses: { 200: { description: "The capture", schema: capture } },
      errors: onCapture,
    },
    deleteCapture: {
      method: "DELETE",
      path: CAPTURE,
      summary: "Delete a stopped capture",
      responses: { 204: { description: "Deleted" } },
      errors: [...onCapture, "capture.in-progress"],
    },
    downloadCapture: {
      method: "GET",
      path: `${CAPTURE}/pcap`,
      summary: "Download what a capture holds",
      description:
        "A stopped capture is a file in the bucket: the response redirects to a URL that is signed for 5 minutes, and S3 honours " +
        "`Range`. A running capture is sent at once, up to 200 MB.",
      responses: {
        200: { description: "A pcap file of a running capture", contentType: PCAP_CONTENT_TYPE },
        303: { description: "`Location` is where the pcap file of a stopped capture is" },
      },
      errors: [...readingCapture, "stream.too-long"],
    },
    listPackets: {
      method: "GET",
      path: `${CAPTURE}/packets`,
      summary: "List what a capture holds, packet by packet",
      description:
        "In the order of the file, decoded, those that match `filter`; of a capture that runs, what it has recorded so " +
        "far. The first 1,000,000 packets are looked at, for 20 seconds at most: when there are others, `more` is true.",
      query: packetsQuery,
      responses: { 200: { description: "The packets", schema: packetPage } },
      errors: readingCapture,
    },
    downloadPcapng: {
      method: "GET",
      path: "/projects/{project_id}/pcapng",
      summary: "Download captures of a project as one file",
      description:
        "An interface for each capture, named by the link's ends, and the packets of all of them in order of time. Without " +
        "`links` and `captures`: of every link that was captured the capture that runs, else the latest; a link without one " +
        "adds nothing. A capture whose own times go back keeps its order. A file of more than 200 MB is refused.",
      query: pcapngQuery,
      responses: { 200: { description: "A pcapng file", contentType: PCAPNG_CONTENT_TYPE } },
      errors: [...readingCapture, "stream.too-long"],
    },
  },
});
