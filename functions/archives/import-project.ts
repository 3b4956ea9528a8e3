import type { Access } from "../shared/edge/access.ts";
import { failure, failureOf } from "../shared/edge/errors.ts";
import { entityTag } from "../shared/edge/http/entity-tag.ts";
import { recogniseImage } from "../shared/edge/image/recognise-image.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { IMPORT_ERRORS } from "../shared/edge/own-errors/import.ts";
import { type LabCopy, parseLabCopy } from "../shared/lab-copy/lab-copy.ts";
import { withoutNulls } from "../shared/node/hardware.ts";
import { name as nameSchema } from "../shared/schemas/common.ts";
import { symbolId } from "../shared/schemas/ids.ts";
import { isPlaceholder } from "../shared/schemas/node.ts";
import { PROJECT_DEFAULTS, type ProjectSettings, projectCreate } from "../shared/schemas/project.ts";
import { type ImportedLab, importProject as storeProject } from "../shared/store/contents/import-project.ts";
import { readWholeProject } from "../shared/store/contents/read.ts";
import { refuseOverQuota } from "../shared/store/limits/quota.ts";
import { getProject } from "../shared/store/project/project.ts";
import { toProject } from "../shared/store/project/whole-project.ts";
import { getSymbol, putSymbol } from "../shared/store/symbol/symbol.ts";
import { makeDrawings } from "./import-drawings.ts";
import { addDeviceFiles, archivedSymbols, projectFiles } from "./import-files.ts";
import { makeLinks } from "./import-links.ts";
import { explained, type Missing, makeNodes, planNodes, whole } from "./import-nodes.ts";
import { importedSnapshots } from "./import-snapshots.ts";
import { stateIn } from "./import-state.ts";
import { LAB_FILE, PROJECT_FILE } from "./names.ts";
import { projectEntries } from "./project-folder.ts";
import type { group } from "./routes.ts";
import { readTopologyFile, type TopologyFile } from "./topology-file.ts";
import { readZip, refuseImport, type ZipEntry } from "./zip-reader.ts";

type Entries = ReadonlyMap<string, ZipEntry>;

export const importProject: Operation<typeof group.routes.importProject> = async (request) => {
  const { project_id } = request.params;
  if (request.query.path !== undefined) throw failureOf(IMPORT_ERRORS, "project.path-refused");
  const existing = await existingProject(request.access, project_id);
  if (existing) return { status: 201, body: existing };
  const entries = entriesOf(Buffer.from(request.body));
  const topology = readTopologyFile(projectFileIn(entries).read());
  const settings = settingsOf(topology);
  const wish = nameOf(request.query.name ?? topology.name);
  const idOf = newIds(topology.project_id === project_id);
  const { missing = "keep" } = request.query;
  const lab = await makeLab(request.access, project_id, topology, entries, idOf, missing);
  const snapshots = await importedSnapshots(project_id, entries, idOf, async (inside) => {
    const file = readTopologyFile(projectFileIn(inside).read());
    const copy = await makeLab(request.access, project_id, file, inside, idOf, missing);
    return { name: wish, settings: settingsOf(file), lab: copy };
  });
  const stored = await storeProject(request.access, project_id, namesLike(wish), settings, lab, snapshots);
  if (stored !== "id-taken") return { status: 201, body: toProject(stored) };
  const other = await existingProject(request.access, project_id);
  // The project belongs to another user, or was deleted meanwhile.
  if (other === undefined) throw failure("project.id-taken", { project_id });
  return { status: 201, body: other };
};

/** A project file alone is a project without files. */
function entriesOf(bytes: Buffer): Entries {
  if (!IS_JSON.test(bytes.toString("utf8", 0, BEGINNING))) return projectEntries(readZip(bytes));
  return new Map([[PROJECT_FILE, { name: PROJECT_FILE, sizeBytes: bytes.length, read: () => bytes }]]);
}
const BEGINNING = 64;
const IS_JSON = /^\uFEFF?\s*\{/;

/** @throws ApiError `project.deleting`, also while another request imports a project with this id. */
async function existingProject(access: Access, project_id: string) {
  const whole = await readWholeProject(access, project_id);
  if (whole) return toProject(whole);
  if ((await getProject(access, project_id))?.deleting) throw failure("project.deleting", { project_id });
  return undefined;
}

/** The name, then the name with a number, as existing programs do. */
const namesLike = (name: string): Iterable<string> => ({
  *[Symbol.iterator]() {
    yield name;
    for (let number = 1; ; number++) yield `${name}-${number}`;
  },
});

/** Leaves room for the number behind a name that is taken. */
const NUMBER_CHARACTERS = 4;

function nameOf(wish: string): string {
  const result = nameSchema.safeParse(wish);
  if (!result.success) throw refuseImport(`the project's name ${result.error.issues[0]!.message}`);
  return result.data.slice(0, 255 - NUMBER_CHARACTERS).toWellFormed();
}

/** A project starts nothing by itself after its import, whatever the archive says. */
const NOT_BY_ITSELF = { auto_close: true, auto_open: false, auto_start: false };

const SETTINGS = [
  "drawing_grid_size",
  "grid_size",
  "scene_height",
  "scene_width",
  "show_grid",
  "show_interface_labels",
  "show_layers",
  "snap_to_grid",
  "supplier",
  "variables",
  "zoom",
] as const;

function settingsOf({ settings }: TopologyFile): ProjectSettings {
  const given = Object.fromEntries(
    SETTINGS.flatMap((key) => (settings[key] == null ? [] : [[key, rounded(settings[key])]])),
  );
  // Early releases write variables without a name.
  if (Array.isArray(given.variables))
    given.variables = given.variables.filter((each) => each?.name).map(withoutNulls);
  const result = projectCreate.safeParse({ name: "imported", ...given });
  if (!result.success) {
    const { path, message } = result.error.issues[0]!;
    throw refuseImport(`the project.gns3 file is corrupted (${path.join(".")}: ${message})`);
  }
  const { name: _name, project_id: _id, path: _path, ...parsed } = result.data;
  return { ...PROJECT_DEFAULTS, ...parsed, ...NOT_BY_ITSELF };
}

const rounded = (value: unknown): unknown => (typeof value === "number" ? whole(value, value) : value);

function projectFileIn(entries: Entries): ZipEntry {
  const entry = entries.get(PROJECT_FILE);
  if (entry === undefined) throw refuseImport("project.gns3 file could not be found");
  return entry;
}

/**
 * Returns a function that makes the new id of a part by its old one, each time the same, so that a snapshot has the ids of the lab.
 * @param isSame whether the project has the archive's id: then its parts keep theirs.
 */
function newIds(isSame: boolean): (oldId: string) => string {
  const ids = new Map<string, string>();
  return (oldId) => {
    const id = ids.get(oldId) ?? (isSame && UUID.test(oldId) ? oldId : crypto.randomUUID());
    ids.set(oldId, id);
    return id;
  };
}

/** Checks the whole archive before anything is written, except for symbols, which the sizes of nodes depend on. */
async function makeLab(
  access: Access,
  projectId: string,
  topology: TopologyFile,
  entries: Entries,
  idOf: (oldId: string) => string,
  missing: Missing,
): Promise<ImportedLab> {
  refuseTooMuch(topology, entries);
  const own = ownLab(entries);
  const state = stateIn(own);
  const planned = await planNodes(topology.nodes, topology.links, own, missing);
  const placeholders = new Map(
    planned.flatMap(({ oldId, type }) => (isPlaceholder(type) ? [[oldId, idOf(oldId)] as const] : [])),
  );
  const drawings = makeDrawings(topology.drawings, entries, idOf, projectId);
  const files = projectFiles(entries, placeholders).map(({ entry, ...file }) => {
    const bytes = entry.read();
    return { ...file, etag: entityTag(bytes), size_bytes: bytes.length, bytes: () => bytes };
  });
  // Each entry must be whole, also one that is not used.
  for (const entry of entries.values()) entry.read();
  await putSymbols(access, archivedSymbols(entries), new Set(topology.nodes.map(({ symbol }) => symbol)));
  const nodes = await makeNodes(projectId, planned, idOf);
  const byOldId = new Map(planned.map(({ oldId }, index) => [oldId, nodes[index]!]));
  const nodeOf = (oldId: string) => byOldId.get(oldId);
  for (const [oldId, saved] of state.switches) {
    const node = nodeOf(oldId);
    if (node?.document.node_type === "ethernet_switch") node.state = saved;
  }
  const links = makeLinks(topology.links, nodeOf, idOf, projectId, state);
  await addDeviceFiles(entries, nodeOf);
  return { nodes, links, drawings, files, clock_us: state.clockUs };
}

/** Before anything is planned, which takes time for each part. @throws ApiError `quota.*` */
function refuseTooMuch({ nodes, links, drawings }: TopologyFile, entries: Entries): void {
  const ids = nodes.flatMap(({ node_type, node_id }) =>
    isPlaceholder(node_type) ? [node_id.toLowerCase()] : [],
  );
  const files = projectFiles(entries, new Map(ids.map((id) => [id, id])));
  const counts = { node_count: nodes.length, link_count: links.length, drawing_count: drawings.length };
  refuseOverQuota({}, { ...counts, file_count: files.length });
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns the lab as this service has exported it; undefined for an archive of another program. */
function ownLab(entries: Entries): LabCopy | undefined {
  const entry = entries.get(LAB_FILE);
  if (entry === undefined) return undefined;
  const bytes = entry.read();
  try {
    return parseLabCopy(JSON.parse(bytes.toString()));
  } catch {
    throw refuseImport(
      `its ${LAB_FILE} is not a lab that this release can read; without it, the archive is a fresh lab`,
    );
  }
}

/** Stores symbols that nodes of the lab have and the stack has not; a symbol that it has stays as it is. */
async function putSymbols(
  access: Access,
  symbols: ReadonlyMap<string, ZipEntry>,
  used: ReadonlySet<unknown>,
): Promise<void> {
  for (const [symbol_id, entry] of symbols) {
    if (!used.has(symbol_id) || !symbolId.safeParse(symbol_id).success || symbol_id.startsWith(":/"))
      continue;
    if (await getSymbol(symbol_id)) continue;
    const bytes = entry.read();
    const { contentType, size } = await explained(`symbol ${symbol_id}`, () => recogniseImage(bytes));
    const item = { symbol_id, content_type: contentType, etag: entityTag(bytes), size_bytes: bytes.length };
    await putSymbol(access, { ...item, ...size }, bytes);
  }
}
