/**
 * Where the objects of a project lie in the bucket.
 *
 *     segments/<project>/<object>                    pcap records of one run, those of each link together; immutable. Few of them
 *                                                    are items instead: packets.ts
 *     captures/<project>/<capture>/<file name>       the whole pcap file, once the capture is stopped
 *     snapshots/<project>/<snapshot>/<object>        snapshots: see ../snapshot
 *     guests/<project>/<node>/<name>                 the states of Linux guests: see guest-state.ts
 *     commits/<project>/<attempt>                    the changes of a large commit, until they are made: see ../commit/commit.ts
 *     states/<project>/<name>                        what a large run has left in the lab: see ../commit/lab-states.ts
 *
 * An object of segments belongs to all captures that have a segment in it. The sweeper deletes it when no capture refers to it any
 * more; the deletion of the project deletes it, too.
 */
import { requiredEnv } from "../base/env.ts";

export const captureKey = (projectId: string, captureId: string, fileName: string): string =>
  `captures/${projectId}/${captureId}/${shorten(fileName)}`;

/** Stores that keep objects as files append to the names; a file system allows 255 bytes. */
const LONGEST_NAME_BYTES = 200;

/** Shortens a long name at the end of its stem; keeps the extension and whole characters. */
function shorten(fileName: string): string {
  const encoder = new TextEncoder();
  if (encoder.encode(fileName).length <= LONGEST_NAME_BYTES) return fileName;
  const extension = /\.\w{1,10}$/.exec(fileName)?.[0] ?? "";
  let stem = "";
  let size = extension.length;
  for (const character of fileName) {
    size += encoder.encode(character).length;
    if (size > LONGEST_NAME_BYTES) break;
    stem += character;
  }
  return stem + extension;
}

export const captureUri = (projectId: string, captureId: string, fileName: string): string =>
  `s3://${requiredEnv("BUCKET_NAME")}/${captureKey(projectId, captureId, fileName)}`;

/** @param objectId unique for each attempt, so that of two racing runs the loser cannot overwrite the winner's packets. */
export const segmentsKey = (projectId: string, objectId: string): string =>
  `segments/${projectId}/${objectId}`;

export const commitKey = (projectId: string, attempt: string): string => `commits/${projectId}/${attempt}`;

export const statesKey = (projectId: string, name: string): string => `states/${projectId}/${name}`;

/** The prefixes of a project's captured packets, commits, states and snapshots. */
export const projectPrefixes = (projectId: string): string[] => [
  `segments/${projectId}/`,
  `captures/${projectId}/`,
  `commits/${projectId}/`,
  `states/${projectId}/`,
  `snapshots/${projectId}/`,
];

/** The ids that an object's key holds. */
export interface ObjectPlace {
  readonly projectId: string;
  /** Present in keys of segments. */
  readonly objectId?: string | undefined;
  /** Present in keys of whole files. */
  readonly captureId?: string | undefined;
  /** Present in keys of states. */
  readonly statesName?: string | undefined;
}

const KEY =
  /^(?:segments\/([^/]+)\/(.+)|captures\/([^/]+)\/([^/]+)\/.*|commits\/([^/]+)\/.+|states\/([^/]+)\/(.+))$/;

/** Returns undefined for a key that is not a project's. */
export function placeOfKey(key: string): ObjectPlace | undefined {
  const match = KEY.exec(key);
  if (match === null) return undefined;
  const [, ofSegments, objectId, ofFile, captureId, ofCommit, ofStates, statesName] = match;
  return { projectId: (ofSegments ?? ofFile ?? ofCommit ?? ofStates)!, objectId, captureId, statesName };
}
