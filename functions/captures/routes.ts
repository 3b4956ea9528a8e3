import * as z from "zod";
import type { ErrorCode } from "../api/errors.ts";
import { defineGroup } from "../api/route.ts";
import { capture, PCAP_CONTENT_TYPE } from "../api/schemas/capture.ts";

const CAPTURES = "/projects/{project_id}/links/{link_id}/captures";
const CAPTURE = `${CAPTURES}/{capture_id}` as const;

const onLink = ["project.not-found", "link.not-found"] as const satisfies ErrorCode[];
const onCapture = [...onLink, "capture.not-found"] as const satisfies ErrorCode[];

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
      responses: { 200: { description: "A pcap file", contentType: PCAP_CONTENT_TYPE } },
      errors: onCapture,
    },
  },
});
