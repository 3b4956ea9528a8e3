import { bind } from "../shared/edge/bind.ts";
import { load } from "../shared/edge/load.ts";
import { withGuestRuns } from "../shared/run/with-guest-runs.ts";
import { requestLedger } from "../shared/store/idempotency/idempotency.ts";
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
    getProjectStats,
    ...load(() => import("./delete-project.ts"), ["deleteProject"]),
    ...load(() => import("./open-close.ts"), ["closeProject"]),
    ...withGuestRuns(load(() => import("./open-close.ts"), ["openProject"])),
    ...load(() => import("./namespaces.ts"), ["putNamespace", "getNamespace", "deleteNamespace"]),
  },
  { ledger: requestLedger, pace: runPace },
);
