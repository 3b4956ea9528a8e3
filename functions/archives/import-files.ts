/** The files of an imported lab: those of devices, those of the project, and symbols. */
import { contentTypeOf } from "../shared/edge/http/content-type.ts";
import { deviceFiles, withDeviceFile } from "../shared/run/device-files.ts";
import { filePath } from "../shared/schemas/ids.ts";
import { isPlaceholder } from "../shared/schemas/node.ts";
import type { NodeItem } from "../shared/store/lab/node.ts";
import { explained } from "./import-nodes.ts";
import { isExported, PROJECT_FILE, symbolOfEntry } from "./names.ts";
import { refuseImport, type ZipEntry } from "./zip-reader.ts";

const NODE_FILE = /^project-files\/(?:vpcs|docker)\/([0-9a-f-]{36})\/(.+)$/i;
/** The folder of a node. An import keeps its files if the node is a device that runs here, or a placeholder. */
const NODE_FOLDER = /^(project-files\/[^/]+\/)([0-9a-f-]{36})(\/.+)$/i;
/** Images of disks and of emulators. */
const IMAGE_FOLDER = /^images\//;
/** The files that devices read; others in their folders are logs of the programs that run them. */
const READ_BY_DEVICES = /^([^/]+\.vpc|startup-config\.json)$/;

/** @throws ApiError `project.import-refused` when a device cannot read its file. */
export async function addDeviceFiles(
  entries: ReadonlyMap<string, ZipEntry>,
  nodeOf: (oldId: string) => NodeItem | undefined,
): Promise<void> {
  for (const [path, entry] of entries) {
    const [, id = "", name = ""] = NODE_FILE.exec(path) ?? [];
    const node = nodeOf(id.toLowerCase());
    if (node === undefined || isPlaceholder(node.document.node_type) || !READ_BY_DEVICES.test(name)) continue;
    const text = entry.read().toString();
    // The file of a device that has saved nothing is its script, or its properties.
    if (deviceFiles(node).get(name) === text) continue;
    await explained(`file ${name} of node ${node.name}`, () => {
      node.state = withDeviceFile(node, name, text);
    });
  }
}

export interface NewFile {
  readonly file_path: string;
  readonly content_type: string;
  readonly entry: ZipEntry;
}

/**
 * @param placeholders the ids in the archive of nodes whose files are kept for their own programs, with their new ids.
 * @throws ApiError `project.import-refused` for a path that the service does not take.
 */
export function projectFiles(
  entries: ReadonlyMap<string, ZipEntry>,
  placeholders: ReadonlyMap<string, string>,
): NewFile[] {
  const files = new Map<string, NewFile>();
  for (const [name, entry] of entries) {
    if (name === PROJECT_FILE || !isExported(name) || IMAGE_FOLDER.test(name)) continue;
    const [, before, oldId = "", rest] = NODE_FOLDER.exec(name) ?? [];
    const newId = placeholders.get(oldId.toLowerCase());
    if (before !== undefined && newId === undefined) continue;
    const path = filePath.safeParse(before === undefined ? name : `${before}${newId}${rest}`);
    if (!path.success)
      throw refuseImport(
        `the path of its entry ${JSON.stringify(name.slice(0, 100))} ${path.error.issues[0]!.message}`,
      );
    if (files.has(path.data))
      throw refuseImport(`it has two entries with the name ${JSON.stringify(path.data)}`);
    files.set(path.data, { file_path: path.data, content_type: contentTypeOf(path.data), entry });
  }
  return [...files.values()];
}

/** Returns the symbols of the archive by id. @throws ApiError `project.import-refused` */
export function archivedSymbols(entries: ReadonlyMap<string, ZipEntry>): Map<string, ZipEntry> {
  const symbols = new Map<string, ZipEntry>();
  for (const [name, entry] of entries) {
    if (entry.sizeBytes > 0) {
      const id = idIn(name);
      if (id !== undefined) symbols.set(id, entry);
    }
  }
  return symbols;
}

function idIn(name: string): string | undefined {
  try {
    return symbolOfEntry(name);
  } catch {
    throw refuseImport(`its entry ${JSON.stringify(name.slice(0, 100))} has no name of a symbol`);
  }
}
