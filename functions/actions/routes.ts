import * as z from "zod/mini";
import { COMPUTE_ERRORS } from "../shared/edge/compute-errors.ts";
import type { ErrorCode } from "../shared/edge/errors.ts";
import { defineGroup } from "../shared/edge/route.ts";
import { diskResize, node, nodeDuplicate } from "../shared/schemas/node.ts";

const PROJECT = "/projects/{project_id}";
const NODE = `${PROJECT}/nodes/{node_id}` as const;

const onNode = ["project.not-found", "project.not-opened", "node.not-found"] as const satisfies ErrorCode[];
/** A node that is not on a registered compute is 409. */
const ON_EMULATOR = [...onNode, ...COMPUTE_ERRORS, "node.type-not-emulated"] as const satisfies ErrorCode[];
const ON_COMPUTES = "Only for a node on a registered compute: the service itself runs no such nodes.";
const ignored = { kind: "ignored" } as const;

export const group = defineGroup({
  name: "actions",
  description: "Actions on nodes beside power and typing",
  routes: {
    duplicateNode: {
      method: "POST",
      path: `${NODE}/duplicate`,
      idempotent: true,
      summary: "Duplicate a node",
      description:
        "The copy has the settings, the label and the saved files of the node; its name, its console and its MAC addresses are new, " +
        "and no link is on it. A PC or router must be stopped. The compute of a node that has one copies the node's files and disks.",
      body: { kind: "json", schema: nodeDuplicate },
      responses: { 201: { description: "The new node", schema: node } },
      errors: [...onNode, ...COMPUTE_ERRORS, "node.not-duplicable", "node.running", "quota.nodes"],
    },
    resetConsole: {
      method: "POST",
      path: `${NODE}/console/reset`,
      summary: "Reset a node's console",
      description: "A console needs no reset: each request and each connection has one of its own.",
      body: ignored,
      responses: { 204: { description: "Done" } },
      errors: onNode,
    },
    resetAllConsoles: {
      method: "POST",
      path: `${PROJECT}/nodes/console/reset`,
      summary: "Reset the consoles of all nodes",
      description: "A console needs no reset: each request and each connection has one of its own.",
      body: ignored,
      responses: { 204: { description: "Done" } },
      errors: ["project.not-found", "project.not-opened"],
    },
    findIdlePc: {
      method: "GET",
      path: `${NODE}/dynamips/auto_idlepc`,
      summary: "Find an idle-PC value of a Dynamips router",
      description: `${ON_COMPUTES} The compute tries values, which takes up to minutes.`,
      responses: { 200: { description: "The compute's answer, with `idlepc`", schema: z.unknown() } },
      errors: ON_EMULATOR,
    },
    listIdlePcs: {
      method: "GET",
      path: `${NODE}/dynamips/idlepc_proposals`,
      summary: "List idle-PC values for a Dynamips router",
      description: `${ON_COMPUTES} The router must run.`,
      responses: { 200: { description: "The compute's answer: the values", schema: z.unknown() } },
      errors: ON_EMULATOR,
    },
    resizeDisk: {
      method: "POST",
      path: `${NODE}/resize_disk`,
      summary: "Resize a disk of a QEMU machine",
      description: `${ON_COMPUTES} The compute makes the disk larger by so many megabytes.`,
      body: { kind: "json", schema: diskResize },
      responses: { 201: { description: "The disk is larger" } },
      errors: ON_EMULATOR,
    },
  },
});
