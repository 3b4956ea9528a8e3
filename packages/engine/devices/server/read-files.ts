/** Reads the files of an HTTP server: bodies by path. */
import type { Path, PropertyReader } from "../../settings/property-reader.ts";
import { MAX_HTTP_FILE_CHARACTERS, MAX_HTTP_FILES } from "./config.ts";

export function readFiles(reader: PropertyReader, value: unknown, path: Path): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [name, body] of entriesOf(reader, value, path, MAX_HTTP_FILES)) {
    const at = [...path, name];
    const text = reader.text(body, at);
    if (!/^\/[\x21-\x7e]*$/.test(name)) reader.add(at, "must begin with / and have no spaces: /index.html");
    if (text !== null && text.length > MAX_HTTP_FILE_CHARACTERS)
      reader.add(at, `must have at most ${MAX_HTTP_FILE_CHARACTERS} characters, not ${text.length}`);
    files[name] = text ?? "";
  }
  return files;
}

export function entriesOf(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  most: number,
): [string, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    reader.add(path, "must be an object");
    return [];
  }
  const entries = Object.entries(value);
  if (entries.length > most) reader.add(path, `must have at most ${most} entries, not ${entries.length}`);
  return entries.slice(0, most);
}
