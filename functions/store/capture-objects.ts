/**
 * Where captured packets lie in the bucket.
 *
 *     segments/<project>/<object>                    pcap records of one run, those of each link together; immutable
 *     captures/<project>/<capture>/<file name>       the whole pcap file, once the capture is stopped
 *
 * An object of segments belongs to all captures that have one in it: it goes when none refers to it any more, by the
 * sweeper, or with the project.
 */
import { requiredEnv } from "./env.ts";

export const captureKey = (projectId: string, captureId: string, fileName: string): string =>
  `captures/${projectId}/${captureId}/${shorten(fileName)}`;

/** Stores that keep objects as files add to their names, and a file system takes 255 bytes. */
const LONGEST_NAME_BYTES = 200;

/** Longer names lose the end of their stem; the extension and whole characters stay. */
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

/** @param objectId unique for each attempt: of two runs that race, the loser cannot overwrite the winner's packets. */
export const segmentsKey = (projectId: string, objectId: string): string =>
  `segments/${projectId}/${objectId}`;

export const projectPrefixes = (projectId: string): string[] => [
  `segments/${projectId}/`,
  `captures/${projectId}/`,
];

/** What the key of an object tells. */
export interface ObjectPlace {
  readonly projectId: string;
  /** Of segments. */
  readonly objectId?: string | undefined;
  /** Of a whole file. */
  readonly captureId?: string | undefined;
}

const KEY = /^(?:segments\/([^/]+)\/(.+)|captures\/([^/]+)\/([^/]+)\/.*)$/;

/** Undefined when the object has nothing to do with captures. */
export function placeOfKey(key: string): ObjectPlace | undefined {
  const match = KEY.exec(key);
  if (match === null) return undefined;
  const [, ofSegments, objectId, ofFile, captureId] = match;
  return { projectId: (ofSegments ?? ofFile)!, objectId, captureId };
}
