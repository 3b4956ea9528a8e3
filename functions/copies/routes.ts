import { defineGroup } from "../shared/edge/route.ts";
import { project, projectDuplicate, projectLoad } from "../shared/schemas/project.ts";

export const group = defineGroup({
  name: "copies",
  description: "Copies of projects",
  routes: {
    duplicateProject: {
      method: "POST",
      path: "/projects/{project_id}/duplicate",
      idempotent: true,
      paced: true,
      summary: "Duplicate a project",
      description:
        "The copy is closed, belongs to the caller, and has ids of its own. It has the nodes, links, drawings, files and snapshots of the " +
        "project as they are at one moment, and no captures. When the name is taken, `-1`, `-2`, ... is appended.",
      body: { kind: "json", schema: projectDuplicate },
      responses: { 201: { description: "The copy", schema: project } },
      errors: [
        "project.not-found",
        "lab.on-computes",
        "project.name-taken",
        "project.path-refused",
        "quota.projects",
        "quota.nodes",
        "quota.links",
        "quota.drawings",
        "quota.files",
        "quota.snapshots",
        "quota.stored-bytes",
        "quota.user-stored-bytes",
      ],
    },
    loadProject: {
      method: "POST",
      path: "/projects/load",
      summary: "Load a project from a file of the server",
      description: "Is refused: clients have no files on a service. Import the project instead.",
      body: { kind: "json", schema: projectLoad },
      responses: {},
      errors: ["server.not-local"],
    },
  },
});
