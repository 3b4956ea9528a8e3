import { bind } from "../shared/edge/bind.ts";
import { load } from "../shared/edge/load.ts";
import { runPace } from "../shared/store/limits/pace.ts";
import { group } from "./routes.ts";

export const handler = bind(
  group,
  {
    ...load(() => import("./export-project.ts"), ["exportProject"]),
    ...load(() => import("./import-project.ts"), ["importProject"]),
  },
  { pace: runPace },
);
