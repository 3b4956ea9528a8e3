/** The job that reads a file of a guest. Its output is the size, and then the file in base64: a file may have any bytes. */
import { posix } from "node:path";
import type { ReadFile, ScriptResult } from "@wirelab/engine/devices/device";
import { quote } from "./quote.ts";

const CODES = { missing: 3, special: 4, large: 5 } as const;

/** A daemon may write the file meanwhile: what it adds after the size was taken is not read. */
export const readScript = (path: string, maxBytes: number): string =>
  [
    `file=${quote(posix.join("/", path))}`,
    `[ -e "$file" ] || exit ${CODES.missing}`,
    `[ -f "$file" ] || exit ${CODES.special}`,
    'size=$(($(wc -c < "$file")))',
    'echo "$size"',
    `[ "$size" -le ${maxBytes} ] || exit ${CODES.large}`,
    'head -c "$size" "$file" | base64',
    "",
  ].join("\n");

export function readAnswer({ code, output }: ScriptResult): ReadFile {
  if (code === CODES.missing) return { kind: "missing" };
  if (code === CODES.special) return { kind: "special" };
  const [size = "", ...lines] = output.split("\n");
  if (code === CODES.large) return { kind: "large", bytes: Number(size) };
  const data = Uint8Array.from(Buffer.from(lines.join(""), "base64"));
  // The folder with the output may be full.
  if (code !== 0 || data.length !== Number(size))
    return { kind: "unreadable", why: `the guest has sent ${data.length} of ${size || "unknown"} bytes` };
  return { kind: "content", data };
}
