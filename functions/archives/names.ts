/** Names of the entries of an archive. */

import { hasImage } from "../shared/schemas/router-image.ts";

/** The lab in the format of existing programs. */
export const PROJECT_FILE = "project.gns3";

/** What only this service has, in a folder that other programs ignore. */
const OWN_FOLDER = "wirelab/";

/** The document of shared/lab-copy: state that `project.gns3` cannot have. */
export const LAB_FILE = `${OWN_FOLDER}lab.json`;

/** The folder of snapshots, and the list of them, in the archives of existing programs. */
export const SNAPSHOT_FOLDER = "snapshots/";
export const SNAPSHOT_LIST = `${SNAPSHOT_FOLDER}snapshots.conf`;
export const SNAPSHOT_EXTENSION = ".gns3snapshot";

const SYMBOL_FOLDER = `${OWN_FOLDER}symbols/`;

/** A symbol's id may hold slashes, and be `..`. */
export const symbolEntry = (symbolId: string): string =>
  SYMBOL_FOLDER + encodeURIComponent(symbolId).replace(/^\.+/, (dots) => "%2E".repeat(dots.length));

/** Returns undefined for an entry that is not a symbol. @throws URIError */
export const symbolOfEntry = (name: string): string | undefined =>
  name.startsWith(SYMBOL_FOLDER) ? decodeURIComponent(name.slice(SYMBOL_FOLDER.length)) : undefined;

/** The folder in which existing programs keep the files of a node. */
export const nodeFolder = (nodeType: string, nodeId: string): string =>
  `project-files/${hasImage(nodeType) ? "docker" : nodeType}/${nodeId}/`;

/**
 * Returns whether a file of a project is part of its archive, by the rules of existing programs: no captures, temporary files, logs
 * and project files. Files under names that this service writes itself are left out, too.
 */
export function isExported(path: string): boolean {
  if (path.startsWith(OWN_FOLDER) || /^project-files\/(captures|tmp|snapshots)\//.test(path)) return false;
  if (path.startsWith(SNAPSHOT_FOLDER)) return false;
  return !/(\.gns3|\.log|_log\.txt|(^|\/)\.DS_Store)$/.test(path);
}
