import * as z from "zod/mini";
import { COMPUTE_ERRORS } from "../shared/edge/compute-errors.ts";
import { defineGroup } from "../shared/edge/route.ts";
import { namespace, namespaceCredentials, namespaceRequest } from "../shared/schemas/namespace.ts";
import {
  project,
  projectCreate,
  projectStats,
  projectsQuery,
  projectUpdate,
} from "../shared/schemas/project.ts";
import { RUN_BEGUN, RUN_HEADERS } from "../shared/schemas/run-headers.ts";

export const group = defineGroup({
  name: "projects",
  description: "Projects: each is a lab with its nodes, links and captures",
  routes: {
    listProjects: {
      method: "GET",
      path: "/projects",
      summary: "List projects",
      description: "Without `limit`, the whole list. An admin sees the projects of all users.",
      query: projectsQuery,
      responses: {
        200: {
          description: "The projects that the caller may see, oldest first",
          schema: z.array(project),
          headers: {
            Link: 'With `limit`, the next page: `<projects?limit=100&after=...>; rel="next"`; absent from the last one',
          },
        },
      },
      errors: [],
    },
    createProject: {
      method: "POST",
      path: "/projects",
      idempotent: true,
      summary: "Create a project",
      description: "If a project with this id exists, returns it unchanged.",
      body: { kind: "json", schema: projectCreate },
      responses: { 201: { description: "The project", schema: project } },
      errors: [
        "project.name-taken",
        "project.path-refused",
        "project.id-taken",
        "project.deleting",
        "quota.projects",
      ],
    },
    getProject: {
      method: "GET",
      path: "/projects/{project_id}",
      summary: "Get a project",
      responses: { 200: { description: "The project", schema: project } },
      errors: ["project.not-found"],
    },
    updateProject: {
      method: "PUT",
      path: "/projects/{project_id}",
      paced: true,
      summary: "Change a project",
      body: { kind: "json", schema: projectUpdate },
      responses: { 200: { description: "The project", schema: project } },
      errors: ["project.not-found", "project.name-taken", "project.path-refused", "project.not-owner"],
    },
    deleteProject: {
      method: "DELETE",
      path: "/projects/{project_id}",
      summary: "Delete a project and everything in it",
      description: "If a deletion was interrupted, another request continues it.",
      responses: { 204: { description: "Deleted" } },
      errors: ["project.not-found", ...COMPUTE_ERRORS, "compute.no-common-subnet"],
    },
    openProject: {
      method: "POST",
      path: "/projects/{project_id}/open",
      paced: true,
      outlasts: true,
      summary: "Open a project",
      description:
        "With `auto_start`, starts all nodes at the same time; if one of them cannot start, the project stays closed.",
      body: { kind: "ignored" },
      responses: {
        201: { description: "The project", schema: project, headers: RUN_HEADERS },
        202: RUN_BEGUN,
      },
      errors: [
        "project.not-found",
        ...COMPUTE_ERRORS,
        "compute.no-common-subnet",
        "quota.stored-bytes",
        "quota.user-stored-bytes",
        "node.no-linux-image",
        "run.too-many-guests",
        "run.too-much-memory",
        "run.too-much-state",
        "run.no-room",
        "run.guests-failed",
      ],
    },
    closeProject: {
      method: "POST",
      path: "/projects/{project_id}/close",
      summary: "Close a project and stop its nodes and captures",
      body: { kind: "ignored" },
      responses: { 204: { description: "Closed" } },
      errors: ["project.not-found", ...COMPUTE_ERRORS, "compute.no-common-subnet"],
    },
    putNamespace: {
      method: "PUT",
      path: "/namespaces/{namespace}",
      role: "admin",
      summary: "Make a namespace: a user with a generated password, who expires with their projects",
      description:
        "For a pull request, on a stack that stays. A name of a project that another user has is free in a namespace. A namespace that is there gets another " +
        "password and another end, and keeps its projects. Only stacks with `auth=basic` have namespaces.",
      body: { kind: "json", schema: namespaceRequest },
      responses: { 200: { description: "The namespace", schema: namespaceCredentials } },
      errors: ["namespace.no-passwords"],
    },
    getNamespace: {
      method: "GET",
      path: "/namespaces/{namespace}",
      role: "admin",
      summary: "Get a namespace",
      responses: { 200: { description: "The namespace", schema: namespace } },
      errors: ["namespace.not-found"],
    },
    deleteNamespace: {
      method: "DELETE",
      path: "/namespaces/{namespace}",
      role: "admin",
      summary: "Delete a namespace with its projects",
      description:
        "Its user is refused from then on. If a deletion was interrupted, another request continues it.",
      responses: { 204: { description: "Deleted" } },
      errors: ["namespace.not-found", ...COMPUTE_ERRORS, "compute.no-common-subnet"],
    },
    getProjectStats: {
      method: "GET",
      path: "/projects/{project_id}/stats",
      summary: "Count the resources in a project",
      responses: { 200: { description: "The counts", schema: projectStats } },
      errors: ["project.not-found"],
    },
  },
});
