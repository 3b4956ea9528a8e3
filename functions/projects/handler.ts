import { bind } from "../shared/edge/bind.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { withGuestRuns } from "../shared/run/with-guest-runs.ts";
import { requestLedger } from "../shared/store/idempotency/idempotency.ts";
import { runPace } from "../shared/store/limits/pace.ts";
import { createProject } from "./create-project.ts";
import { getProject } from "./get-project.ts";
import { getProjectStats } from "./get-project-stats.ts";
import { listProjects } from "./list-projects.ts";
import { group } from "./routes.ts";
import { updateProject } from "./update-project.ts";

const openProject: Operation<typeof group.routes.openProject> = async (request) =>
  (await import("./open-close.ts")).openProject(request);

/** Loaded on first use: a stack has a namespace for each pull request, or none. */
const loadNamespaces = () => import("./namespaces.ts");

export const handler = bind(
  group,
  {
    listProjects,
    createProject,
    getProject,
    updateProject,
    // Loaded on first use: a project is deleted only once.
    deleteProject: async (request) => (await import("./delete-project.ts")).deleteProject(request),
    // Loaded on first use, likewise: what runs and captures packets ends with its project.
    ...withGuestRuns({ openProject }),
    closeProject: async (request) => (await import("./open-close.ts")).closeProject(request),
    getProjectStats,
    putNamespace: async (request) => (await loadNamespaces()).putNamespace(request),
    getNamespace: async (request) => (await loadNamespaces()).showNamespace(request),
    deleteNamespace: async (request) => (await loadNamespaces()).deleteNamespace(request),
  },
  { ledger: requestLedger, pace: runPace },
);
