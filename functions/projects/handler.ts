import { bind } from "../shared/edge/bind.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { withGuestRuns } from "../shared/run/with-guest-runs.ts";
import { requestLedger } from "../shared/store/base/idempotency.ts";
import { runPace } from "../shared/store/limits/pace.ts";
import { createProject } from "./create-project.ts";
import { getProject } from "./get-project.ts";
import { getProjectStats } from "./get-project-stats.ts";
import { listProjects } from "./list-projects.ts";
import { group } from "./routes.ts";
import { updateProject } from "./update-project.ts";

const openProject: Operation<typeof group.routes.openProject> = async (request) =>
  (await import("./open-close.ts")).openProject(request);

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
  },
  { ledger: requestLedger, pace: runPace },
);
