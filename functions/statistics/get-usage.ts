import type { Access } from "../shared/edge/access.ts";
import type { Operation } from "../shared/edge/operation.ts";
import type { Usage } from "../shared/schemas/statistics.ts";
import { forEachParallel } from "../shared/store/base/parallel.ts";
import { listCaptures } from "../shared/store/lab/capture.ts";
import type { ProjectItem } from "../shared/store/project/project.ts";
import { readProjectPage } from "../shared/store/project/project-pages.ts";
import { listSymbols } from "../shared/store/symbol/symbol.ts";
import type { group } from "./routes.ts";

/** Bounds of one request: pages of the index, and projects whose captures are read one by one. */
const MAX_PAGES = 10;
const PROJECTS_A_PAGE = 500;
const MAX_CAPTURING = 500;
const PARALLEL = 8;

type Counts = { -readonly [K in keyof Usage]: Usage[K] };

/** Projects store their own counts, so one page of the index covers hundreds of them. */
export const getUsage: Operation<typeof group.routes.getUsage> = async ({ access }) => {
  const symbols = await listSymbols();
  const counts: Counts = {
    projects: 0,
    nodes: 0,
    links: 0,
    captures: 0,
    running_captures: 0,
    stored_bytes: 0,
    symbols: symbols.length,
    symbol_bytes: symbols.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
    runs: 0,
    complete: true,
  };
  const capturing = await addProjects(access, counts);
  if (capturing.length > MAX_CAPTURING) counts.complete = false;
  await forEachParallel(capturing.slice(0, MAX_CAPTURING), PARALLEL, async (projectId) => {
    const captures = await listCaptures(projectId);
    counts.running_captures += captures.filter(({ stopped_at }) => stopped_at === undefined).length;
  });
  return { status: 200, body: counts };
};

/** @returns the ids of projects that have captures, some of which may be running. */
async function addProjects(access: Access, counts: Counts): Promise<string[]> {
  const capturing: string[] = [];
  let from: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { projects, next } = await readProjectPage(access, "PROJECTS", PROJECTS_A_PAGE, from);
    for (const project of projects) {
      add(counts, project);
      if (project.capture_count) capturing.push(project.project_id);
    }
    if (next === undefined) return capturing;
    from = next;
  }
  counts.complete = false;
  return capturing;
}

function add(counts: Counts, project: ProjectItem): void {
  counts.projects += 1;
  counts.nodes += project.node_count ?? 0;
  counts.links += project.link_count ?? 0;
  counts.captures += project.capture_count ?? 0;
  counts.stored_bytes += project.stored_bytes ?? 0;
  counts.runs += project.run ?? 0;
}
