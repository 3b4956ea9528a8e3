/** The files of an HTTP server: bodies by path. */
import { unspoken } from "../../settings/kind.ts";
import type { Path, PropertyReader } from "../../settings/property-reader.ts";

const MAX_FILES = 64;
const MAX_CHARACTERS = 16_384;

export const files = unspoken<Readonly<Record<string, string>>>(
  (reader, value, path) => {
    const found: Record<string, string> = {};
    for (const [name, body] of entriesOf(reader, value, path, MAX_FILES)) {
      const at = [...path, name];
      const text = reader.text(body, at);
      if (!/^\/[\x21-\x7e]*$/.test(name)) reader.add(at, "must begin with / and have no spaces: /index.html");
      if (text !== null && text.length > MAX_CHARACTERS)
        reader.add(at, `must have at most ${MAX_CHARACTERS} characters, not ${text.length}`);
      found[name] = text ?? "";
    }
    return found;
  },
  {
    type: "object",
    additionalProperties: { type: "string", maxLength: MAX_CHARACTERS },
    maxProperties: MAX_FILES,
  },
);

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
