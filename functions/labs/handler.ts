import { bind } from "../shared/edge/bind.ts";
import { runPace } from "../shared/store/limits/pace.ts";
import { cancelSweep } from "./cancel-sweep.ts";
import { getLabRun } from "./get-lab-run.ts";
import { getSweep } from "./get-sweep.ts";
import { group } from "./routes.ts";
import { runLabFile } from "./run-lab-file.ts";
import { startSweep } from "./start-sweep.ts";

export const handler = bind(
  group,
  { runLabFile, getLabRun, startSweep, getSweep, cancelSweep },
  { pace: runPace },
);
