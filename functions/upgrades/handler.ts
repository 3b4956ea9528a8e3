/** Answers requests for the paths of WebSockets that ask for no WebSocket. */
import type { Access } from "../shared/edge/access.ts";
import { bind } from "../shared/edge/bind.ts";
import { failure } from "../shared/edge/errors.ts";
import { existingProject, getProject } from "../shared/store/project/project.ts";
import { group } from "./routes.ts";

const refuse = (): never => {
  throw failure("request.no-upgrade");
};

interface InProject {
  readonly access: Access;
  readonly params: { readonly project_id: string };
}

/** An unknown project is reported before the missing upgrade, as by all routes of a project. */
async function refuseInProject({ access, params }: InProject): Promise<never> {
  existingProject(await getProject(access, params.project_id), params.project_id);
  return refuse();
}

export const handler = bind(group, {
  followServiceSocket: async () => refuse(),
  followProjectSocket: refuseInProject,
  openConsoleSocket: refuseInProject,
});
