/** In words, which files of nodes were kept. */
import type { CaseResult } from "../result.ts";

const SHOWN_FILES = 50;

export function describeFiles(cases: readonly Pick<CaseResult, "files">[]): string[] {
  const all = cases.flatMap(({ files = [] }) => files);
  const more = all.length - SHOWN_FILES;
  return [
    ...all
      .slice(0, SHOWN_FILES)
      .map(({ node, path, file, bytes }) => `kept /${path} of ${node}, ${bytes} bytes: ${file}`),
    ...(more > 0 ? [`and ${more} more files`] : []),
  ];
}
