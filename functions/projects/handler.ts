import { bind } from "../shared/edge/bind.ts";
import { requestLedger } from "../shared/store/base/idempotency.ts";
import { runPace } from "../shared/store/limits/pace.ts";
import { createProject } from "./create-project.ts";
import { getProject } from "./get-project.ts";
import { getProjectStats } from "./get-project-stats.ts";
import { listProjects } from "./list-projects.ts";
import { group } from "./routes.ts";
import { updateProject } from "./update-project.ts";

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
    openProject: async (request) => (await import("./open-close.ts")).openProject(request),
    closeProject: async (request) => (await import("./open-close.ts")).closeProject(request),
    getProjectStats,
  },
  { ledger: requestLedger, pace: runPace },
);
