/** `node test/bench/docs.ts`: writes the generated parts of the pages. */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { BLOCKS, FILES, withBlocks } from "../helpers/pages/blocks.ts";

const ROOT = new URL("../..", import.meta.url).pathname;

for (const file of globSync("docs/**/*.md", { cwd: ROOT })) {
  const before = readFileSync(`${ROOT}/${file}`, "utf8");
  const after = withBlocks(before, (name) => BLOCKS[name]!());
  if (after !== before) writeFileSync(`${ROOT}/${file}`, after);
}
for (const [file, make] of Object.entries(FILES)) writeFileSync(`${ROOT}/${file}`, make());
