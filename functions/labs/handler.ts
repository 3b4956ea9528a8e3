import { bind } from "../shared/edge/bind.ts";
import { load } from "../shared/edge/load.ts";
import { runPace } from "../shared/store/limits/pace.ts";
import { cancelSweep } from "./cancel-sweep.ts";
import { getLabRun } from "./get-lab-run.ts";
import { getSweep } from "./get-sweep.ts";
import { group } from "./routes.ts";

export const handler = bind(
  group,
  {
    getLabRun,
    getSweep,
    cancelSweep,
    ...load(() => import("./run-lab-file.ts"), ["runLabFile"]),
    ...load(() => import("./start-sweep.ts"), ["startSweep"]),
  },
  { pace: runPace },
);
