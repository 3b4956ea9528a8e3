import { bind } from "../shared/edge/bind.ts";
import { runPace } from "../shared/store/limits/pace.ts";
import { group } from "./routes.ts";
import { runLabFile } from "./run-lab-file.ts";

export const handler = bind(group, { runLabFile }, { pace: runPace });
