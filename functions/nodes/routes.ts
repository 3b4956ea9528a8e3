import * as z from "zod";
import type { ErrorCode } from "../api/errors.ts";
import { defineGroup } from "../api/route.ts";
import { link } from "../api/schemas/link.ts";
import { node, nodeCreate, nodeUpdate } from "../api/schemas/node.ts";

const NODES = "/projects/{project_id}/nodes";
const NODE = `${NODES}/{node_id}` as const;

const one = { 200: { description: "The node", schema: node } } as const;
const all = { 204: { description: "Done for every node" } } as const;
const ignored = { kind: "ignored" } as const;
const inProject = ["project.not-found", "project.not-opened"] as const satisfies ErrorCode[];
const onNode = [...inProject, "node.not-found"] as const satisfies ErrorCode[];

export const group = defineGroup({
  name: "nodes",
  description: "Nodes: simulated PCs, switches and hubs, with ports that links join",
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
      summary: "Create a node",
      description:
        "A taken name is changed to a free one (`PC1` to `PC2`); `{0}` in a name stands for the lowest free number. " +
        "With the id of an existing node, that node is answered unchanged.",
      body: { kind: "json", schema: nodeCreate },
      responses: { 201: { description: "The node", schema: node } },
      errors: [...inProject, "compute.not-found", "compute.not-connected", "node.type-not-runnable"],
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
      errors: [...onNode, "node.port-in-use"],
    },
    deleteNode: {
      method: "DELETE",
      path: NODE,
      summary: "Delete a node and the links on it",
      responses: { 204: { description: "Deleted" } },
      errors: [...onNode, "node.locked"],
    },
    startNode: {
      method: "POST",
      path: `${NODE}/start`,
      summary: "Start a node",
      body: ignored,
      responses: one,
      errors: onNode,
    },
    stopNode: {
      method: "POST",
      path: `${NODE}/stop`,
      summary: "Stop a node",
      body: ignored,
      responses: one,
      errors: onNode,
    },
    suspendNode: {
      method: "POST",
      path: `${NODE}/suspend`,
      summary: "Suspend a started node",
      body: ignored,
      responses: one,
      errors: onNode,
    },
    reloadNode: {
      method: "POST",
      path: `${NODE}/reload`,
      summary: "Stop a node and start it again",
      body: ignored,
      responses: one,
      errors: onNode,
    },
    startAllNodes: {
      method: "POST",
      path: `${NODES}/start`,
      summary: "Start all nodes",
      body: ignored,
      responses: all,
      errors: inProject,
    },
    stopAllNodes: {
      method: "POST",
      path: `${NODES}/stop`,
      summary: "Stop all nodes",
      body: ignored,
      responses: all,
      errors: inProject,
    },
    suspendAllNodes: {
      method: "POST",
      path: `${NODES}/suspend`,
      summary: "Suspend all started nodes",
      body: ignored,
      responses: all,
      errors: inProject,
    },
    reloadAllNodes: {
      method: "POST",
      path: `${NODES}/reload`,
      summary: "Stop all nodes and start them again",
      body: ignored,
      responses: all,
      errors: inProject,
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
