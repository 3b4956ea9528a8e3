/** Reads a whole lab as it is at one moment. */
import type { Access } from "../edge/access.ts";
import { failure } from "../edge/errors.ts";
import { STALE, untilFresh } from "../store/base/transact.ts";
import { readWholeProject } from "../store/contents/read.ts";
import { type Contents, readContents } from "../store/contents/read-contents.ts";
import { asBeforeMove } from "../store/lab/move-node.ts";
import { isOnCompute } from "../store/lab/node.ts";
import type { ProjectItem } from "../store/project/project.ts";
import { existingWhole, type WholeProject } from "../store/project/whole-project.ts";
import type { LabCopy } from "./lab-copy.ts";
import { makeLabCopy } from "./make-lab-copy.ts";

export interface ReadLab {
  readonly whole: WholeProject;
  readonly contents: Contents;
}

/**
 * Reads the lab twice, until nothing has changed between the two: a query of the table is no snapshot, and requests such as a move of a
 * node do not change the project's own item. What both reads agree on was the lab at the moment between them.
 * @param moved whether nodes that have moved to a compute are read as they were before, without what their disks have got there.
 * @throws ApiError `project.not-found`, `lab.on-computes` for a node of a registered compute, or `store.busy` when the lab keeps changing.
 */
export function readLab(
  access: Access,
  projectId: string,
  moved: "as-before" | "refused" = "refused",
): Promise<ReadLab> {
  return untilFresh(async () => {
    const first = await readContents(access, projectId);
    const [second, stored] = await Promise.all([
      readContents(access, projectId),
      readWholeProject(access, projectId),
    ]);
    const whole = existingWhole(stored, projectId);
    const nodes = moved === "as-before" ? second.nodes.map(asBeforeMove) : second.nodes;
    const real = nodes.find(isOnCompute);
    if (real) throw failure("lab.on-computes", { name: real.name, what: "copy the lab" });
    const isOne = marksOf(first) === marksOf(second) && isSame(second.project, whole.project);
    return isOne ? { whole, contents: { ...second, nodes } } : STALE;
  });
}

const isSame = (one: ProjectItem | undefined, other: ProjectItem): boolean =>
  one?.revision === other.revision && one.run === other.run;

/** Returns text that differs when anything in the lab does. */
function marksOf({ project, nodes, links, drawings, files }: Contents): string {
  const { revision, run, created_us, status } = project ?? {};
  return JSON.stringify([
    [created_us, revision, run, status],
    nodes.map((node) => [
      node.node_id,
      node.created_us,
      node.revision,
      node.wiring,
      node.status,
      node.state_run,
    ]),
    links.map((link) => [
      link.link_id,
      link.created_us,
      link.revision,
      link.state_run,
      link.capture?.segments,
    ]),
    drawings.map((each) => [each.drawing_id, each.created_us, each.revision]),
    files.map((file) => [file.file_path, file.object_key]),
  ]);
}

export const toLabCopy = ({ whole: { project, settings }, contents }: ReadLab): LabCopy =>
  makeLabCopy({ ...contents, settings, name: project.name, clock_us: project.clock_us });
