/**
 * What computes report while a client follows events: the function that holds the client's stream holds those of the computes, too. Their
 * load and log messages are sent as they come; a changed node is stored, and reaches all followers as the event of that change.
 */
import type { ComputeWatch, News } from "../shared/compute-events/compute-watch.ts";
import { LOCAL_COMPUTE } from "../shared/edge/local-compute.ts";
import { readService } from "../shared/store/base/service.ts";
import type { StoredEvent } from "../shared/store/events/event.ts";
import type { NodeItem } from "../shared/store/lab/node.ts";
import { listComputesOf, listRealNodes } from "../shared/store/lab/real-nodes.ts";
import type { ProjectItem } from "../shared/store/project/project.ts";

/** Between two looks. */
const MOST_NEWS = 100;

export interface FollowedComputes {
  /** Also follows the computes that these events name. */
  noteNew(events: readonly StoredEvent[]): void;
  /** Returns the JSON texts of what was reported since the last call. @param seq the number of the client's last event. */
  take(seq: number): string[];
  close(): Promise<void>;
}

/** @param project undefined for the stream of the service, which has all registered computes and no log messages. */
export async function followComputes(project: ProjectItem | undefined): Promise<FollowedComputes> {
  let news: News[] = [];
  let watch: Promise<ComputeWatch> | undefined;
  let isOver = false;
  const hear = (item: News): void => {
    if (isFor(project, item) && news.length < MOST_NEWS) news.push(item);
  };
  const add = async (computeId: string): Promise<void> => {
    // Loaded on first use: most streams concern no registered compute.
    watch ??= import("../shared/compute-events/compute-watch.ts").then(
      ({ ComputeWatch }) => new ComputeWatch(hear, async (id) => nodesOn(project, id)),
    );
    const loaded = await watch;
    if (!isOver) loaded.add(computeId);
  };
  for (const id of await computesOf(project)) await add(id);
  return {
    noteNew(events) {
      for (const id of events.flatMap(namedIn)) void add(id);
    },
    take(seq) {
      const taken = news;
      news = [];
      return taken.map(({ action, event }) => JSON.stringify({ action, event, seq }));
    },
    async close() {
      isOver = true;
      await (await watch)?.close();
    },
  };
}

function isFor(project: ProjectItem | undefined, { action, projectId }: News): boolean {
  if (project === undefined) return action === "compute.updated";
  return action !== "compute.updated" && (projectId ?? project.project_id) === project.project_id;
}

async function nodesOn(project: ProjectItem | undefined, computeId: string): Promise<NodeItem[]> {
  const nodes = project === undefined ? [] : await listRealNodes(project.project_id);
  return nodes.filter(({ document }) => document.compute_id === computeId);
}

async function computesOf(project: ProjectItem | undefined): Promise<Iterable<string>> {
  if (project === undefined) return (await readService()).computes.map(({ compute_id }) => compute_id);
  return project.on_computes ? listComputesOf(project.project_id) : [];
}

/** Returns the registered compute of a new node, or a new compute. */
function namedIn({ text }: StoredEvent): string[] {
  if (!/^\{"action":"(node|compute)\.created"/.test(text)) return [];
  const { compute_id } = (JSON.parse(text) as { event: { compute_id?: string } }).event;
  return compute_id === undefined || compute_id === LOCAL_COMPUTE.id ? [] : [compute_id];
}
