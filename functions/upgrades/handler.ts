/** Answers requests for the paths of WebSockets that ask for no WebSocket. */
import { bind } from "../shared/edge/bind.ts";
import { failure } from "../shared/edge/errors.ts";
import { existingProject, getProject } from "../shared/store/project/project.ts";
import { group } from "./routes.ts";

const refuse = (): never => {
  throw failure("request.no-upgrade");
};

/** An unknown project is reported before the missing upgrade, as by all routes of a project. */
async function refuseInProject({
  params,
}: {
  readonly params: { readonly project_id: string };
}): Promise<never> {
  existingProject(await getProject(params.project_id), params.project_id);
  return refuse();
}

export const handler = bind(group, {
  followServiceSocket: async () => refuse(),
  followProjectSocket: refuseInProject,
  openConsoleSocket: refuseInProject,
});
