import type { Operation } from "../shared/edge/operation.ts";
import { listProjects as readProjects } from "../shared/store/contents/list-projects.ts";
import { toProject } from "../shared/store/project/whole-project.ts";
import type { group } from "./routes.ts";

export const listProjects: Operation<typeof group.routes.listProjects> = async ({ access, query }) => {
  const { projects, next } = await readProjects(access, query);
  return { status: 200, body: projects.map(toProject), headers: linkTo(query.limit, next) };
};

/** Returns the link to the next page (RFC 8288). It is relative, because a proxy may have another address and path. */
const linkTo = (limit: number | undefined, next: string | undefined): Record<string, string> =>
  next === undefined ? {} : { link: `<projects?limit=${limit}&after=${next}>; rel="next"` };
