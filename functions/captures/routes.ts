import * as z from "zod/mini";
import { COMPUTE_ERRORS } from "../shared/edge/compute-errors.ts";
import type { ErrorCode } from "../shared/edge/errors.ts";
import { defineGroup } from "../shared/edge/route.ts";
import { capture } from "../shared/schemas/capture.ts";
import { PCAP_CONTENT_TYPE, PCAPNG_CONTENT_TYPE } from "../shared/schemas/capture-file.ts";
import { packetPage, packetsQuery, pcapngQuery } from "../shared/schemas/packet.ts";

const CAPTURES = "/projects/{project_id}/links/{link_id}/captures";
const CAPTURE = `${CAPTURES}/{capture_id}` as const;

const onLink = ["project.not-found", "link.not-found"] as const satisfies ErrorCode[];
const onCapture = [...onLink, "capture.not-found"] as const satisfies ErrorCode[];
const readingCapture = [...onCapture, "capture.lost", ...COMPUTE_ERRORS] as const satisfies ErrorCode[];

export const group = defineGroup({
  name: "captures",
  description: "Captures of links: the running one, and the stopped ones until they are deleted",
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
      summary: "Download a capture",
      description:
        "A stopped capture is a file in the bucket: the response redirects to a signed URL, which is valid for 5 minutes; S3 " +
        "honours `Range`. A running capture is returned directly, up to 200 MB.",
      responses: {
        200: { description: "A pcap file of a running capture", contentType: PCAP_CONTENT_TYPE },
        303: { description: "`Location` is the URL of a stopped capture's pcap file" },
      },
      errors: [...readingCapture, "stream.too-long"],
    },
    listPackets: {
      method: "GET",
      path: `${CAPTURE}/packets`,
      summary: "List the packets of a capture",
      description:
        "Returns the decoded packets that match `filter`, in the order of the file; for a running capture, those recorded so " +
        "far. Reads at most 1,000,000 packets, for at most 20 seconds; if packets remain unread, `more` is true.",
      query: packetsQuery,
      responses: { 200: { description: "The packets", schema: packetPage } },
      errors: readingCapture,
    },
    downloadPcapng: {
      method: "GET",
      path: "/projects/{project_id}/pcapng",
      summary: "Download captures of a project as one file",
      description:
        "The file has an interface for each capture, named after the link's ends, and all packets in order of time. Without " +
        "`links` and `captures`, it has each link's running capture, else its latest one; links without captures are omitted. " +
        "A capture whose own times go back keeps its order. A file of more than 200 MB is rejected.",
      query: pcapngQuery,
      responses: { 200: { description: "A pcapng file", contentType: PCAPNG_CONTENT_TYPE } },
      errors: [...readingCapture, "stream.too-long"],
    },
  },
});
