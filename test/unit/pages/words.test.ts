/** People read what they can finish: the pages together, and each page, have at most so many words that people wrote. */
import { describe, expect, test } from "vitest";
import { withoutBlocks } from "../../helpers/pages/blocks.ts";
import { bindingPages, countWords, withoutExamples, wordsByPage } from "../../helpers/pages/words.ts";

/** All pages together, without docs/interface.md, examples in code blocks, and tables that `node test/bench/docs.ts` writes. */
const ALL = 40_000;
/** A page of the documents; the README of a room. */
const SHARES = { page: 2_500, readme: 350 };

const shareOf = (page: string): number => (/.\/README\.md$/.test(page) ? SHARES.readme : SHARES.page);

describe("words written by hand", () => {
  const pages = wordsByPage();

  test("each page has its share at most", () => {
    const over = pages.filter(([page, words]) => words > shareOf(page));
    expect(over.map(([page, words]) => `${page}: ${words} words, its share is ${shareOf(page)}`)).toEqual([]);
  });

  test("all pages together are within the limit", () => {
    const table = pages.map(([page, words]) => `| ${page} | ${words} |`).join("\n");
    expect(
      pages.reduce((sum, [, words]) => sum + words, 0),
      `| page | words |\n| --- | ---: |\n${table}\n`,
    ).toBeLessThanOrEqual(ALL);
  });

  test("are counted on every page but the interface's", () => {
    expect(bindingPages()).toEqual(["docs/interface.md"]);
  });

  test("are counted without bars, dashes, examples and generated parts", () => {
    expect(withoutExamples("a\n```sh\nnpm ci\n```\nb")).toBe("a\n\nb");
    expect(countWords("| `a b` | 3 % | --- | - x")).toBe(4);
    expect(withoutBlocks("a\n<!-- generated: rooms -->\n\nb\n\n<!-- end -->\nc")).toBe("a\n\nc");
  });
});
