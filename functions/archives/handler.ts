import { bind } from "../shared/edge/bind.ts";
import { group } from "./routes.ts";

export const handler = bind(group, {
  // Loaded on first use, because it needs the engine for the files of devices.
  exportProject: async (request) => (await import("./export-project.ts")).exportProject(request),
});
