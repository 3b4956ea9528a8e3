/** Finds in a template the files of the bootstrap bucket that it needs. */
import { createHash } from "node:crypto";

const HASH = /\b[0-9a-f]{64}\b/g;

/** The CDK names an asset by the SHA-256 of its content: functions are archives, templates JSON; a large stack's template is an asset itself. */
export function assetsIn(template: string): string[] {
  const own = createHash("sha256").update(template).digest("hex");
  return [...new Set([own, ...(template.match(HASH) ?? [])])].flatMap((hash) => [
    `${hash}.zip`,
    `${hash}.json`,
  ]);
}
