/** What the links of a project have carried. */
import type { Operation } from "../shared/edge/operation.ts";
import { countsOf, toLinkCounters } from "../shared/store/commit/count-parts.ts";
import { readStates } from "../shared/store/commit/lab-states.ts";
import { readCounters } from "../shared/store/commit/link-counters.ts";
import { readTopology } from "../shared/store/contents/read.ts";
import { existingProject } from "../shared/store/project/project.ts";
import { isReal } from "./refuse-real.ts";
import type { group } from "./routes.ts";

export const listCounters: Operation<typeof group.routes.listCounters> = async ({
  access,
  params: { project_id },
}) => {
  const { project, links } = await readTopology(access, project_id, "links");
  const [parts, states] = await Promise.all([
    readCounters(project_id),
    readStates(existingProject(project, project_id)),
  ]);
  const counted = links.filter((link) => !isReal(link));
  return {
    status: 200,
    body: counted.map((link) => toLinkCounters(link.link_id, countsOf(parts, states, link))),
  };
};
