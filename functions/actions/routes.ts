import { COMPUTE_ERRORS } from "../shared/edge/compute-errors.ts";
import type { ErrorCode } from "../shared/edge/errors.ts";
import { defineGroup } from "../shared/edge/route.ts";
import { node, nodeDuplicate } from "../shared/schemas/node.ts";

const PROJECT = "/projects/{project_id}";
const NODE = `${PROJECT}/nodes/{node_id}` as const;

const onNode = ["project.not-found", "project.not-opened", "node.not-found"] as const satisfies ErrorCode[];
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
      description: "Always 409: no Dynamips router runs here.",
      responses: {},
      errors: [...onNode, "node.type-not-emulated"],
    },
    listIdlePcs: {
      method: "GET",
      path: `${NODE}/dynamips/idlepc_proposals`,
      summary: "List idle-PC values for a Dynamips router",
      description: "Always 409: no Dynamips router runs here.",
      responses: {},
      errors: [...onNode, "node.type-not-emulated"],
    },
    resizeDisk: {
      method: "POST",
      path: `${NODE}/resize_disk`,
      summary: "Resize a disk of a QEMU machine",
      description: "Always 409: no QEMU machine runs here.",
      body: ignored,
      responses: {},
      errors: [...onNode, "node.type-not-emulated"],
    },
  },
});
