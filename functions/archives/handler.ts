import { bind } from "../shared/edge/bind.ts";
import { runPace } from "../shared/store/limits/pace.ts";
import { group } from "./routes.ts";

// Loaded on first use, because both need the engine, for the files of devices.
export const handler = bind(
  group,
  {
    exportProject: async (request) => (await import("./export-project.ts")).exportProject(request),
    importProject: async (request) => (await import("./import-project.ts")).importProject(request),
  },
  { pace: runPace },
);
