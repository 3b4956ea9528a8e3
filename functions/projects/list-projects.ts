import type { Operation } from "../api/operation.ts";
import { listProjects as readProjects, toProject } from "../store/project.ts";
import type { group } from "./routes.ts";

export const listProjects: Operation<typeof group.routes.listProjects> = async () => ({
  status: 200,
  body: (await readProjects()).map(toProject),
});
