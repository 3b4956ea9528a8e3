import type { Operation } from "../shared/edge/operation.ts";
import { readItems } from "../shared/store/contents/read.ts";
import { openedProject } from "../shared/store/project/project.ts";
import { readNode } from "./read-node.ts";
import type { group } from "./routes.ts";

export const resetConsole: Operation<typeof group.routes.resetConsole> = async ({ access, params }) => {
  await readNode(access, params.project_id, params.node_id);
  return { status: 204 };
};

export const resetAllConsoles: Operation<typeof group.routes.resetAllConsoles> = async ({
  access,
  params: { project_id },
}) => {
  openedProject((await readItems(access, project_id, {})).project, project_id);
  return { status: 204 };
};
