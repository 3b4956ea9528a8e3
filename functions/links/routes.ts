import * as z from "zod/mini";
import { COMPUTE_ERRORS } from "../shared/edge/compute-errors.ts";
import type { ErrorCode } from "../shared/edge/errors.ts";
import { defineGroup } from "../shared/edge/route.ts";
import { captureRequest } from "../shared/schemas/capture.ts";
import { PCAP_CONTENT_TYPE } from "../shared/schemas/capture-file.ts";
import {
  filterDescriptor,
  impairments,
  link,
  linkCounters,
  linkCreate,
  linkImpairments,
  linkUpdate,
} from "../shared/schemas/link.ts";
import { replayQuery, replayReport } from "../shared/schemas/replay.ts";

const LINKS = "/projects/{project_id}/links";
const LINK = `${LINKS}/{link_id}` as const;

/** A function gets at most 6 MB, and binary bodies reach it in base64. */
const REPLAY_MAX_BYTES = 4_194_304;

const inProject = ["project.not-found", "project.not-opened"] as const satisfies ErrorCode[];
const onCompute = [...COMPUTE_ERRORS, "compute.no-common-subnet"] as const satisfies ErrorCode[];
const onLink = [...inProject, "link.not-found"] as const satisfies ErrorCode[];

export const group = defineGroup({
  name: "links",
  description: "Links: each joins two ports, can filter packets, and can be captured",
  routes: {
    listLinks: {
      method: "GET",
      path: LINKS,
      summary: "List the links of a project",
      responses: { 200: { description: "The links, oldest first", schema: z.array(link) } },
      errors: ["project.not-found"],
    },
    createLink: {
      method: "POST",
      path: LINKS,
      idempotent: true,
      summary: "Create a link",
      body: { kind: "json", schema: linkCreate },
      responses: { 201: { description: "The link", schema: link } },
      errors: [
        ...inProject,
        "node.not-found",
        "link.id-taken",
        "link.port-not-found",
        "link.port-in-use",
        "link.same-node",
        "link.type-mismatch",
        "link.real-and-virtual",
        ...onCompute,
        "quota.links",
      ],
    },
    listCounters: {
      method: "GET",
      path: `${LINKS}/counters`,
      summary: "List what the links of a project have carried",
      description:
        "For each direction, the packets and bytes of all runs, console calls and replays since the link was created. The event " +
        "`links.counters` has those that changed. Links between nodes of registered computes are not counted.",
      responses: { 200: { description: "By link, oldest first", schema: z.array(linkCounters) } },
      errors: ["project.not-found"],
    },
    listImpairments: {
      method: "GET",
      path: `${LINKS}/impairments`,
      summary: "List the impairments of the links of a project",
      description: "The event `links.impairments` has each change of them.",
      responses: {
        200: { description: "The links that have any, oldest first", schema: z.array(linkImpairments) },
      },
      errors: ["project.not-found"],
    },
    getLink: {
      method: "GET",
      path: LINK,
      summary: "Get a link",
      responses: { 200: { description: "The link", schema: link } },
      errors: onLink,
    },
    updateLink: {
      method: "PUT",
      path: LINK,
      summary: "Change filters, suspension, style or labels of a link",
      description: "`filters` replaces the whole set. In `nodes`, only labels can change.",
      body: { kind: "json", schema: linkUpdate },
      responses: { 201: { description: "The link", schema: link } },
      errors: [...onLink, ...onCompute, "node.not-found"],
    },
    deleteLink: {
      method: "DELETE",
      path: LINK,
      summary: "Delete a link and its captures",
      responses: { 204: { description: "Deleted" } },
      errors: [...onLink, ...onCompute],
    },
    listAvailableFilters: {
      method: "GET",
      path: `${LINK}/available_filters`,
      summary: "List the filters available for a link",
      responses: {
        200: { description: "The filters and their parameters", schema: z.array(filterDescriptor) },
      },
      errors: onLink,
    },
    getImpairments: {
      method: "GET",
      path: `${LINK}/impairments`,
      summary: "Get the impairments of a link",
      responses: { 200: { description: "As they were sent; empty without any", schema: impairments } },
      errors: onLink,
    },
    putImpairments: {
      method: "PUT",
      path: `${LINK}/impairments`,
      summary: "Set the impairments of a link",
      description:
        "They act after the link's filters: delay, loss, duplicates, corruption, reordering, rate and queue, for both directions or for " +
        "each. Replaces the whole set; a schedule begins at the lab's present time. docs/impairments.md lists the parameters.",
      body: { kind: "json", schema: impairments },
      responses: { 200: { description: "The impairments", schema: impairments } },
      errors: [...onLink, "link.real"],
    },
    deleteImpairments: {
      method: "DELETE",
      path: `${LINK}/impairments`,
      summary: "Remove the impairments of a link, and the packets that they hold",
      responses: { 204: { description: "Removed" } },
      errors: onLink,
    },
    startCapture: {
      method: "POST",
      path: `${LINK}/start_capture`,
      idempotent: true,
      summary: "Start a packet capture",
      description:
        "Has no effect on a link that joins no nodes. On a link between nodes of computes, a running node of it records. If a capture is running, returns it; another name, data link type or " +
        "option is then an error.",
      body: { kind: "json", schema: captureRequest },
      responses: { 201: { description: "The link", schema: link } },
      errors: [
        ...onLink,
        ...COMPUTE_ERRORS,
        "link.real",
        "capture.no-running-node",
        "capture.running",
        "capture.link-type",
        "quota.captures",
      ],
    },
    stopCapture: {
      method: "POST",
      path: `${LINK}/stop_capture`,
      summary: "Stop the packet capture",
      description:
        "The file of a capture on a compute is fetched from there. If that fails, the capture is stopped, the file stays there, " +
        "and the next request fetches it.",
      body: { kind: "ignored" },
      responses: { 201: { description: "The link", schema: link } },
      errors: [...onLink, ...COMPUTE_ERRORS, "quota.stored-bytes", "quota.user-stored-bytes"],
    },
    replay: {
      method: "POST",
      path: `${LINK}/replay`,
      paced: true,
      idempotent: true,
      summary: "Send the packets of a capture file through the link",
      description:
        "Accepts pcap (microseconds or nanoseconds, either byte order) and pcapng. Every packet enters at its own offset " +
        "from the first, in virtual time. The response is a pcap of the arrived packets, with counts in the headers " +
        "`X-Packets-In`, `-Delivered`, `-Dropped` and `-Corrupted`; with `Accept: application/json` it is a report. " +
        "If the file ends in the middle of a packet, the packets before it are sent; `X-Cut-Off` reports the position.",
      query: replayQuery,
      body: { kind: "raw", maxBytes: REPLAY_MAX_BYTES, contentType: PCAP_CONTENT_TYPE },
      responses: {
        200: {
          description: "The arrived packets, or the report",
          contentType: PCAP_CONTENT_TYPE,
          schema: replayReport,
        },
      },
      errors: [
        ...onLink,
        "link.real",
        "lab.clock",
        "lab.clock-over",
        "replay.not-a-capture",
        "replay.no-peer",
        "replay.not-an-end",
        "replay.link-type",
        "replay.bpf-link-type",
        "quota.stored-bytes",
        "quota.user-stored-bytes",
      ],
    },
  },
});
