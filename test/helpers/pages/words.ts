/** `node test/helpers/pages/words.ts` prints the words that people wrote on each page; test/unit/pages/words.test.ts bounds them. */
import { globSync, readFileSync } from "node:fs";
import { withoutBlocks } from "./blocks.ts";

const ROOT = new URL("../../..", import.meta.url).pathname;

/** What the service is built to is binding, and comments cite its sections: a page with this mark does not count. */
const BINDING = /^<!-- binding: .* -->$/m;
/** `npm run cost` writes all of its tables. */
const WITH_MEASURED_TABLES = "docs/cost.md";

const PAGES = globSync(["docs/**/*.md", "*.md", "{functions,infra,packages,page,examples}/**/README.md"], {
  cwd: ROOT,
  exclude: ["**/node_modules/**", "CHANGELOG.md"],
}).toSorted();

const read = (page: string): string => readFileSync(`${ROOT}/${page}`, "utf8");

export const bindingPages = (): readonly string[] => PAGES.filter((page) => BINDING.test(read(page)));

/** Commands, files and transcripts to copy are no text to read. */
export const withoutExamples = (text: string): string => text.replaceAll(/^ *```[\s\S]*?^ *```/gm, "");

/** A word has a letter or a digit: bars and dashes of tables do not count. */
export const countWords = (text: string): number =>
  text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

function wordsOf(page: string): number {
  const text = withoutExamples(withoutBlocks(read(page)));
  return countWords(page === WITH_MEASURED_TABLES ? text.replaceAll(/^\|.*$/gm, "") : text);
}

export const wordsByPage = (): readonly (readonly [page: string, words: number])[] =>
  PAGES.filter((page) => !BINDING.test(read(page)))
    .map((page) => [page, wordsOf(page)] as const)
    .toSorted(([, a], [, b]) => b - a);

if (import.meta.main) {
  const rows = wordsByPage();
  for (const [page, words] of rows) console.log(`| ${page} | ${words} |`);
  console.log(`| all | ${rows.reduce((sum, [, words]) => sum + words, 0)} |`);
}
