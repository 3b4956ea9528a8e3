/** Reads a project together with things in it, in one round trip. */
import type { FormattedItem } from "dynamodb-toolbox/entity";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import type { Access } from "../../edge/access.ts";
import type { ItemKey } from "../base/get-items.ts";
import { type Series, SeriesEntity, type StoredSeries } from "../base/number-series.ts";
import { readBatches } from "../base/read-batches.ts";
import { projectKey, table } from "../base/table.ts";
import { STALE, untilFresh } from "../base/transact.ts";
import { settlePending } from "../commit/pending.ts";
import { CaptureEntity, type CaptureItem } from "../lab/capture.ts";
import { LinkEntity, type LinkItem } from "../lab/link.ts";
import {
  NodeConsoleEntity,
  NodeEntity,
  NodeIndexEntity,
  type NodeItem,
  NodeNameEntity,
} from "../lab/node.ts";
import { revealed, roleIn } from "../project/access.ts";
import { getProject, ProjectEntity, type ProjectItem } from "../project/project.ts";
import { SettingsEntity, type SettingsItem } from "../project/project-settings.ts";
import { upToDate } from "../project/stored-settings.ts";
import { type WholeProject, withSettings } from "../project/whole-project.ts";

interface Wanted {
  readonly nodes?: readonly string[];
  readonly links?: readonly string[];
  /** Names of nodes, to check whether they are taken. */
  readonly names?: readonly string[];
  readonly series?: readonly Series[];
  readonly capture?: { readonly linkId: string; readonly captureId: string };
}

export interface Found {
  readonly project: ProjectItem | undefined;
  readonly nodes: ReadonlyMap<string, NodeItem>;
  readonly links: ReadonlyMap<string, LinkItem>;
  readonly takenNames: ReadonlySet<string>;
  /** Keyed by series id. */
  readonly series: ReadonlyMap<string, StoredSeries>;
  readonly capture: CaptureItem | undefined;
}

/**
 * Reads a project and the named things in it, strongly consistent; the result omits what does not exist. Waits for a run that is
 * committed and not yet written out, or writes it out first.
 */
export function readItems(access: Access, projectId: string, wanted: Wanted): Promise<Found> {
  return settled(() => readOnce(access, projectId, wanted));
}

/** Repeats a read while a commit is pending in the project, and makes the changes of that commit. */
export async function settled<T extends { project: ProjectItem | undefined }>(
  read: () => Promise<T>,
): Promise<T> {
  let found = await read();
  while (found.project?.pending !== undefined) {
    await settlePending(found.project);
    found = await read();
  }
  return found;
}

async function readOnce(access: Access, projectId: string, wanted: Wanted): Promise<Found> {
  const { nodes, links, names, series = [], capture } = wanted;
  const inProject = (entity: ItemKey["entity"], key: object = {}): ItemKey => ({
    entity,
    key: { project_id: projectId, ...key },
  });
  const requests = [
    inProject(ProjectEntity),
    ...unique(nodes).map((node_id) => inProject(NodeEntity, { node_id })),
    ...unique(links).map((link_id) => inProject(LinkEntity, { link_id })),
    ...unique(names).map((claimed) => inProject(NodeNameEntity, { claimed })),
    ...series.map(({ id }) => inProject(SeriesEntity, { series: id })),
  ];
  if (capture) {
    const { linkId: link_id, captureId: capture_id } = capture;
    requests.push(inProject(CaptureEntity, { link_id, capture_id }));
  }
  return reveal(access, await readBatches(requests));
}

/** Reads projects with their settings; also omits those that are being deleted. */
export async function readWholeProjects(access: Access, ids: readonly string[]): Promise<WholeProject[]> {
  const whole = await readWhole(ids);
  return whole.filter(({ project }) => roleIn(project, access.caller) !== undefined);
}

/** Returns undefined when there is no such project, the caller may not see it, or it is being deleted. */
export async function readWholeProject(access: Access, projectId: string): Promise<WholeProject | undefined> {
  const [whole] = await readWhole([projectId]);
  return revealed(access, whole?.project) && whole;
}

/** A batch is not a snapshot: projects whose settings are of another revision than their item are read again. */
async function readWhole(ids: readonly string[]): Promise<WholeProject[]> {
  const found: WholeProject[] = [];
  let left = ids;
  await untilFresh(async () => {
    const requests = left.flatMap((project_id) =>
      [ProjectEntity, SettingsEntity].map((entity): ItemKey => ({ entity, key: { project_id } })),
    );
    const items = (await readBatches(requests)) as (ProjectItem | SettingsItem | undefined)[];
    const settings = new Map<string, SettingsItem>();
    for (const item of items) if (item && "document" in item) settings.set(item.project_id, item);
    left = [];
    for (const item of items) {
      if (item === undefined || "document" in item || item.deleting) continue;
      const whole = withSettings(upToDate(item), settings.get(item.project_id));
      if (whole) found.push(whole);
      else {
        // The settings may be among the changes of a commit whose function died.
        await settlePending(item);
        left = [...left, item.project_id];
      }
    }
    return left.length === 0 || STALE;
  });
  return found;
}

/** The types of items in a project's partition that a read can return. */
type ProjectPart =
  | ProjectItem
  | NodeItem
  | LinkItem
  | CaptureItem
  | FormattedItem<typeof NodeNameEntity>
  | FormattedItem<typeof SeriesEntity>;

/** Returns what the caller may see of a project's partition: nothing if the caller may not see the project. */
function reveal(access: Access, items: readonly unknown[]): Found {
  const found = sortOut(items);
  if (found.project === undefined) return found;
  const project = revealed(access, found.project);
  return project === undefined ? sortOut([]) : { ...found, project };
}

/** Identifies the entities of one partition by the attributes that only they have. */
function sortOut(items: readonly unknown[]): Found {
  const nodes = new Map<string, NodeItem>();
  const links = new Map<string, LinkItem>();
  const takenNames = new Set<string>();
  const series = new Map<string, StoredSeries>();
  let project: ProjectItem | undefined;
  let capture: CaptureItem | undefined;
  for (const item of items as (ProjectPart | undefined)[]) {
    if (item === undefined) continue;
    if ("filename" in item) project = item;
    else if ("wiring" in item) nodes.set(item.node_id, item);
    else if ("link_type" in item) links.set(item.link_id, item);
    else if ("file_name" in item) capture = item;
    else if ("claimed" in item) takenNames.add(item.claimed);
    else series.set(item.series, item);
  }
  return { project, nodes, links, takenNames, series, capture };
}

const unique = (ids: readonly string[] = []): string[] => [...new Set(ids)];

const RANGES = {
  links: ["LINK#", "META"],
  nodes: ["META", "NODE#\uffff"],
  topology: ["LINK#", "NODE#\uffff"],
} as const;

export interface Topology {
  readonly project: ProjectItem | undefined;
  /** In creation order, like the links. */
  readonly nodes: readonly NodeItem[];
  readonly links: readonly LinkItem[];
}

/** Reads a project with all its links, all its nodes, or both, in one Query; handles pending runs like `readItems`. */
export function readTopology(
  access: Access,
  projectId: string,
  range: keyof typeof RANGES,
): Promise<Topology> {
  return settled(() => queryTopology(access, projectId, range));
}

async function queryTopology(
  access: Access,
  projectId: string,
  range: keyof typeof RANGES,
): Promise<Topology> {
  const [first, last] = RANGES[range];
  const query = table
    .build(QueryCommand)
    .query({ partition: projectKey(projectId), range: { between: [first, last] } })
    .entities(ProjectEntity, NodeEntity, LinkEntity);
  for (;;) {
    const page = await query.options({ consistent: true, maxPages: 1 }).send();
    const exclusiveStartKey = page.LastEvaluatedKey;
    const rest =
      exclusiveStartKey &&
      (await query
        .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY, exclusiveStartKey })
        .send());
    const found = reveal(access, [...(page.Items ?? []), ...(rest?.Items ?? [])]);
    const topology = { project: found.project, nodes: byAge(found.nodes), links: byAge(found.links) };
    if (rest === undefined || found.project === undefined) return topology;
    // Between two pages, a restored snapshot may have replaced the lab.
    const project = await getProject(access, projectId);
    if (project?.pending !== undefined) return { ...topology, project };
    if (project?.restored?.run === found.project.restored?.run) return topology;
  }
}

const byAge = <T extends { created_us: number }>(items: ReadonlyMap<string, T>): T[] =>
  [...items.values()].sort((a, b) => a.created_us - b.created_us);

/** Reads the names of the project's nodes that begin with the prefix. */
export async function readNames(projectId: string, beginsWith: string): Promise<ReadonlySet<string>> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: projectKey(projectId), range: { beginsWith: `TAKEN#${beginsWith}` } })
    .entities(NodeNameEntity)
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
    .send();
  return new Set((Items ?? []).map(({ claimed }) => claimed));
}

/** Reads the numbers of the project's PCs and routers. */
export async function readIndexes(projectId: string): Promise<ReadonlySet<number>> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: projectKey(projectId), range: { beginsWith: "TAKEN_INDEX#" } })
    .entities(NodeIndexEntity)
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
    .send();
  return new Set((Items ?? []).map(({ claimed_index }) => claimed_index));
}

/** Reads the numbers of the consoles of the project's nodes. */
export async function readConsoles(projectId: string): Promise<ReadonlySet<number>> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: projectKey(projectId), range: { beginsWith: "TAKEN_CONSOLE#" } })
    .entities(NodeConsoleEntity)
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
    .send();
  return new Set((Items ?? []).map(({ claimed_console }) => claimed_console));
}
