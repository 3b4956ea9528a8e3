import * as z from "zod/mini";
import type { ErrorCode } from "../shared/edge/errors.ts";
import { defineGroup } from "../shared/edge/route.ts";
import { link } from "../shared/schemas/link.ts";
import { macTableEntry, node, nodeCreate, nodeUpdate, startup } from "../shared/schemas/node.ts";

const NODES = "/projects/{project_id}/nodes";
const NODE = `${NODES}/{node_id}` as const;

const one = { 200: { description: "The node", schema: node } } as const;
const inProject = ["project.not-found", "project.not-opened"] as const satisfies ErrorCode[];
const onNode = [...inProject, "node.not-found"] as const satisfies ErrorCode[];

export const group = defineGroup({
  name: "nodes",
  description: "Nodes: simulated PCs, switches, hubs and routers, with ports that links join",
  routes: {
    listNodes: {
      method: "GET",
      path: NODES,
      summary: "List the nodes of a project",
      responses: { 200: { description: "The nodes, oldest first", schema: z.array(node) } },
      errors: ["project.not-found"],
    },
    createNode: {
      method: "POST",
      path: NODES,
      idempotent: true,
      summary: "Create a node",
      description:
        "A taken name is changed to a free one (`PC1` to `PC2`); `{0}` in a name stands for the lowest free number. " +
        "With the id of an existing node, that node is answered unchanged.",
      body: { kind: "json", schema: nodeCreate },
      responses: { 201: { description: "The node", schema: node } },
      errors: [
        ...inProject,
        "compute.not-found",
        "compute.not-connected",
        "node.type-not-runnable",
        "quota.nodes",
      ],
    },
    getNode: {
      method: "GET",
      path: NODE,
      summary: "Get a node",
      responses: one,
      errors: onNode,
    },
    updateNode: {
      method: "PUT",
      path: NODE,
      summary: "Change a node",
      description: "Read-only fields may be sent as long as they have their present values.",
      body: { kind: "json", schema: nodeUpdate },
      responses: one,
      errors: [...onNode, "node.port-in-use", "node.must-be-stopped"],
    },
    deleteNode: {
      method: "DELETE",
      path: NODE,
      summary: "Delete a node and the links on it",
      responses: { 204: { description: "Deleted" } },
      errors: [...onNode, "node.locked"],
    },
    getMacTable: {
      method: "GET",
      path: `${NODE}/mac_table`,
      summary: "Read the MAC table of a switch",
      responses: {
        200: { description: "What it has learned and not yet forgotten", schema: z.array(macTableEntry) },
      },
      errors: [...onNode, "node.no-mac-table", "lab.clock", "lab.clock-over"],
    },
    getStartup: {
      method: "GET",
      path: `${NODE}/startup`,
      summary: "Read what a node printed while it ran its start-up script",
      description: "Since it was started; a script that a run has cut off goes on in the next one.",
      responses: { 200: { description: "The transcript, and the lines still to run", schema: startup } },
      errors: onNode,
    },
    listNodeLinks: {
      method: "GET",
      path: `${NODE}/links`,
      summary: "List the links on a node",
      responses: { 200: { description: "The links", schema: z.array(link) } },
      errors: onNode,
    },
  },
});
