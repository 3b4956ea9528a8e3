import type { Operation } from "../shared/edge/operation.ts";
import { listProjects as readProjects } from "../shared/store/project/list-projects.ts";
import { toProject } from "../shared/store/project/whole-project.ts";
import type { group } from "./routes.ts";

export const listProjects: Operation<typeof group.routes.listProjects> = async ({ access }) => ({
  status: 200,
  body: (await readProjects(access)).map(toProject),
});
