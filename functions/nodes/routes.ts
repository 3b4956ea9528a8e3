import * as z from "zod/mini";
import { COMPUTE_ERRORS } from "../shared/edge/compute-errors.ts";
import type { ErrorCode } from "../shared/edge/errors.ts";
import { defineGroup } from "../shared/edge/route.ts";
import { link } from "../shared/schemas/link.ts";
import { macTableEntry, node, nodeCreate, nodeUpdate, startup } from "../shared/schemas/node.ts";
import { nodeState } from "../shared/schemas/node-state.ts";

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
        "A taken name is changed to a free one (`PC1` to `PC2`); the lowest free number replaces `{0}` in a name. " +
        "If a node with this id exists, returns it unchanged.",
      body: { kind: "json", schema: nodeCreate },
      responses: { 201: { description: "The node", schema: node } },
      errors: [
        ...inProject,
        ...COMPUTE_ERRORS,
        "node.type-not-runnable",
        "node.port-repeated",
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
      description: "Read-only fields are accepted if they have their current values.",
      body: { kind: "json", schema: nodeUpdate },
      responses: one,
      errors: [
        ...onNode,
        ...COMPUTE_ERRORS,
        "node.port-in-use",
        "node.port-moved",
        "node.port-repeated",
        "node.must-be-stopped",
      ],
    },
    deleteNode: {
      method: "DELETE",
      path: NODE,
      summary: "Delete a node and the links on it",
      responses: { 204: { description: "Deleted" } },
      errors: [...onNode, ...COMPUTE_ERRORS, "node.locked"],
    },
    getMacTable: {
      method: "GET",
      path: `${NODE}/mac_table`,
      summary: "Read the MAC table of a switch, or of a router's switched ports",
      responses: {
        200: { description: "The learned entries that have not expired", schema: z.array(macTableEntry) },
      },
      errors: [...onNode, "node.no-mac-table", "lab.clock", "lab.clock-over"],
    },
    getNodeState: {
      method: "GET",
      path: `${NODE}/state`,
      summary: "Read what a switch or a router knows",
      description:
        "A switch: roles and states of the spanning tree, bundles, neighbours by LLDP, groups of IGMP and MLD snooping, the mirror, and packets that storm " +
        "control dropped. A router: its segments of VXLAN, with the addresses that they have learned. What the node does not have is null or an empty list.",
      responses: { 200: { description: "The state at the lab's clock", schema: nodeState } },
      errors: [...onNode, "node.no-state", "lab.clock", "lab.clock-over"],
    },
    getStartup: {
      method: "GET",
      path: `${NODE}/startup`,
      summary: "Read the output of a node's start-up script",
      description:
        "The output since the node was started. If a run ends before the script, the next run resumes it.",
      responses: { 200: { description: "The transcript, and the remaining lines", schema: startup } },
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
