/** The generated parts of the pages are what their sources say. */
import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { BLOCKS, blocksOf, FILES, withBlocks } from "../../helpers/pages/blocks.ts";

const ROOT = new URL("../../..", import.meta.url).pathname;
const read = (file: string): string => readFileSync(`${ROOT}/${file}`, "utf8");
const WITH_BLOCKS = globSync("docs/**/*.md", { cwd: ROOT }).filter((page) => blocksOf(read(page)).length > 0);

describe("generated parts", () => {
  test.each(WITH_BLOCKS)("%s is what `node test/bench/docs.ts` writes", (page) => {
    expect(read(page)).toBe(withBlocks(read(page), (name) => BLOCKS[name]!()));
  });

  test.each(Object.entries(FILES))("%s is what `node test/bench/docs.ts` writes", (file, make) => {
    expect(read(file)).toBe(make());
  });

  test("each has a page, and each mark has an end", () => {
    expect(WITH_BLOCKS.flatMap((page) => blocksOf(read(page))).toSorted()).toEqual(
      Object.keys(BLOCKS).toSorted(),
    );
    for (const page of globSync("docs/**/*.md", { cwd: ROOT }))
      expect(read(page).match(/<!-- generated/g)?.length ?? 0, page).toBe(blocksOf(read(page)).length);
  });
});
