import * as z from "zod/mini";
import type { ErrorCode } from "../shared/edge/errors.ts";
import { defineGroup } from "../shared/edge/route.ts";
import { deletion, deletionCreate, undoneDeletion } from "../shared/schemas/deletion.ts";
import { project } from "../shared/schemas/project.ts";
import { snapshot, snapshotCreate } from "../shared/schemas/snapshot.ts";

const SNAPSHOTS = "/projects/{project_id}/snapshots";
const DELETIONS = "/projects/{project_id}/deletions";
const SNAPSHOT = `${SNAPSHOTS}/{snapshot_id}` as const;

const onBytes = ["quota.stored-bytes", "quota.user-stored-bytes"] as const satisfies ErrorCode[];

export const group = defineGroup({
  name: "snapshots",
  description:
    "Snapshots of projects: the whole lab with its state; deletions of parts, which can be undone for an hour",
  routes: {
    listSnapshots: {
      method: "GET",
      path: SNAPSHOTS,
      summary: "List the snapshots of a project",
      responses: { 200: { description: "The snapshots, oldest first", schema: z.array(snapshot) } },
      errors: ["project.not-found"],
    },
    createSnapshot: {
      method: "POST",
      path: SNAPSHOTS,
      idempotent: true,
      paced: true,
      summary: "Take a snapshot of a project",
      description:
        "Keeps the topology, the state of nodes and links, filters, drawings, files and the settings of the canvas, as they are at one " +
        "moment. Nodes may run. Captures are not part of it.",
      body: { kind: "json", schema: snapshotCreate },
      responses: { 201: { description: "The snapshot", schema: snapshot } },
      errors: [
        "project.not-found",
        "project.not-opened",
        "snapshot.name-taken",
        "lab.on-computes",
        "quota.snapshots",
        ...onBytes,
      ],
    },
    deleteSnapshot: {
      method: "DELETE",
      path: SNAPSHOT,
      summary: "Delete a snapshot",
      responses: { 204: { description: "Deleted" } },
      errors: ["project.not-found", "snapshot.not-found"],
    },
    restoreSnapshot: {
      method: "POST",
      path: `${SNAPSHOT}/restore`,
      idempotent: true,
      paced: true,
      summary: "Put a project back to a snapshot",
      description:
        "Opens the project. Replaces the lab at once: other requests find it as it was before, or as the snapshot has it. Nodes that ran " +
        "when the snapshot was taken run again, in the state of that moment. Captures that run are stopped; those of links that the " +
        "snapshot does not have are deleted.",
      body: { kind: "ignored" },
      responses: { 201: { description: "The project", schema: project } },
      errors: [
        "project.not-found",
        "snapshot.not-found",
        "lab.on-computes",
        "quota.nodes",
        "quota.links",
        "quota.drawings",
        "quota.files",
        ...onBytes,
      ],
    },
    listDeletions: {
      method: "GET",
      path: DELETIONS,
      summary: "List the deletions that can be undone",
      responses: { 200: { description: "The deletions, oldest first", schema: z.array(deletion) } },
      errors: ["project.not-found"],
    },
    deleteParts: {
      method: "POST",
      path: DELETIONS,
      idempotent: true,
      summary: "Delete nodes, links and drawings, so that this can be undone",
      description:
        "Deletes all at once, with the links on the nodes. For an hour the parts can be brought back as they were: files, state, impairments, " +
        "captures. Until the hour is over, the bytes of captures stay counted. Ignores ids that do not exist.",
      body: { kind: "json", schema: deletionCreate },
      responses: { 201: { description: "The deletion", schema: deletion } },
      errors: [
        "project.not-found",
        "project.not-opened",
        "node.locked",
        "drawing.locked",
        "lab.on-computes",
        "deletion.nothing-there",
        "deletion.too-large",
      ],
    },
    undoDeletion: {
      method: "POST",
      path: `${DELETIONS}/{deletion_id}/undo`,
      idempotent: true,
      summary: "Bring deleted parts back",
      description:
        "Brings all parts back, with their ids, or changes nothing if something has taken their place.",
      body: { kind: "ignored" },
      responses: { 201: { description: "The parts", schema: undoneDeletion } },
      errors: [
        "project.not-found",
        "project.not-opened",
        "deletion.not-found",
        "deletion.in-the-way",
        "quota.nodes",
        "quota.links",
        "quota.drawings",
        "quota.captures",
      ],
    },
  },
});
