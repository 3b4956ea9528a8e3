import type { Operation } from "../api/operation.ts";
import { listProjects as readProjects } from "../store/list-projects.ts";
import { toProject } from "../store/whole-project.ts";
import type { group } from "./routes.ts";

export const listProjects: Operation<typeof group.routes.listProjects> = async () => ({
  status: 200,
  body: (await readProjects()).map(toProject),
});
