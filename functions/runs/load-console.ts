import type { Operation } from "../shared/edge/operation.ts";
import type { group } from "./routes.ts";

/** Loaded on first use: most runs have no console. */
export const runConsole: Operation<typeof group.routes.runConsole> = async (request) =>
  (await import("./console.ts")).runConsole(request);
