/**
 * Where captured packets lie in the bucket.
 *
 *     segments/<project>/<capture>/<number>-<uuid>   pcap records of one run, immutable
 *     captures/<project>/<capture>/<file name>       the whole pcap file, once the capture is stopped
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

/** Unique for each attempt: of two runs that race for a number, the loser cannot overwrite the winner's packets. */
export const segmentKey = (projectId: string, captureId: string, number: number): string =>
  `segments/${projectId}/${captureId}/${segmentNumber(number)}-${crypto.randomUUID()}`;

/** Padded, so that text order is number order. */
export const segmentNumber = (number: number): string => String(number).padStart(9, "0");

export const capturePrefixes = (projectId: string, captureId: string): string[] => [
  `segments/${projectId}/${captureId}/`,
  `captures/${projectId}/${captureId}/`,
];

export const projectPrefixes = (projectId: string): string[] => [
  `segments/${projectId}/`,
  `captures/${projectId}/`,
];

const KEY = /^(segments|captures)\/([^/]+)\/([^/]+)\//;

/** What the key of an object tells; undefined when it is none of a capture's. */
export function captureOfKey(
  key: string,
): { readonly isSegment: boolean; readonly projectId: string; readonly captureId: string } | undefined {
  const [, area, projectId, captureId] = KEY.exec(key) ?? [];
  return area === undefined
    ? undefined
    : { isSegment: area === "segments", projectId: projectId!, captureId: captureId! };
}
