/** Parses YAML 1.2 or JSON, with the place of each value. */
import { type Document, isCollection, isMap, isNode, isScalar, LineCounter, parseDocument } from "yaml";
import type { Place } from "../model/place.ts";
import { LabFileError, type Path } from "./problem.ts";

export interface ParsedYaml {
  readonly data: unknown;
  /** Returns the place of a key or value; for one that is missing, of the map or list that lacks it. */
  locate(path: Path): Place | undefined;
}

/** @throws LabFileError */
export function parseYaml(text: string, file: string | undefined): ParsedYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error) {
    const { line, col: column } = lines.linePos(error.pos[0]);
    const problem = { path: [], message: `is not YAML: ${error.message}`, place: { line, column } };
    throw new LabFileError([problem], file);
  }
  return {
    data: document.toJS({ maxAliasCount: 100 }) ?? {},
    locate: (path) => locate(document, lines, path),
  };
}

function locate(document: Document.Parsed, lines: LineCounter, path: Path): Place | undefined {
  for (let depth = path.length; depth >= 0; depth--) {
    const offset = offsetOf(document, path.slice(0, depth));
    if (offset === undefined) continue;
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  }
  return undefined;
}

function offsetOf(document: Document.Parsed, path: Path): number | undefined {
  const last = path.at(-1);
  if (last === undefined) return document.contents?.range?.[0];
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (isMap(parent)) {
    const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(last));
    return isNode(pair?.key) ? pair.key.range?.[0] : undefined;
  }
  const value = isCollection(parent) ? parent.get(last, true) : undefined;
  return isNode(value) ? value.range?.[0] : undefined;
}
