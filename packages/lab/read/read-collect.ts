/** Reads `collect` of a node: the files that are read at the end. */
import { shown } from "../file/check-shape.ts";
import type { Path, Problems } from "../file/problem.ts";
import type { WantedFile } from "../model/lab-model.ts";

const MAX_FILES = 64;
/** What a part of a path cannot be: the host makes the same folders. */
const NOT_A_NAME = /^\.{0,2}$/;

export function readCollect(
  value: string | readonly string[],
  path: Path,
  problems: Problems,
): readonly WantedFile[] {
  const texts = typeof value === "string" ? [value] : value;
  const where = (index: number): Path => [...path, "collect", ...(typeof value === "string" ? [] : [index])];
  if (texts.length > MAX_FILES)
    problems.add([...path, "collect"], `must be at most ${MAX_FILES} files, got ${texts.length}.`);
  const files = texts.map((text, index) => ({
    path: text.replace(/^\//, ""),
    place: problems.placeOf(where(index)),
  }));
  for (const [index, file] of files.entries()) {
    const parts = file.path.split("/");
    if (parts.at(-1) === "")
      problems.add(where(index), `must be the path of a file, got ${shown(texts[index])}: name each file.`);
    else if (parts.some((part) => NOT_A_NAME.test(part)) || file.path.includes("\0"))
      problems.add(where(index), `must be a path without empty parts, . and .., got ${shown(texts[index])}.`);
    else if (files.findIndex((each) => each.path === file.path) < index)
      problems.add(where(index), `is there twice: ${shown(texts[index])}.`);
  }
  return files;
}
