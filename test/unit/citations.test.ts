/** Comments cite pages of this repository: the sections of docs/interface.md that they name exist. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const ROOT = new URL("../..", import.meta.url).pathname;
const read = (file: string): string => readFileSync(`${ROOT}/${file}`, "utf8");
const FILES = globSync(["{functions,infra,packages,test}/**/*.ts"], {
  cwd: ROOT,
  exclude: ["**/node_modules/**", "test/unit/citations.test.ts"],
});

/** The text of a comment that goes on in the next line is one text. */
const textOf = (file: string): string => read(file).replaceAll(/\n\s*(?:\*|\/\/) /g, " ");

test("every section of docs/interface.md that is cited exists", () => {
  const sections = new Set(
    [...read("docs/interface.md").matchAll(/^#+ ([\d.]*\d)\.? /gm)].map(([, n]) => n!),
  );
  const cited = FILES.flatMap((file) =>
    [...textOf(file).matchAll(/docs\/interface\.md, sections? ((?:[\d.]*\d(?:, | and )?)+)/g)].flatMap(
      ([, list]) => list!.match(/\d+(?:\.\d+)*/g)!.map((section) => ({ file, section })),
    ),
  );
  expect(cited.length).toBeGreaterThan(20);
  expect(cited.filter(({ section }) => !sections.has(section))).toEqual([]);
});

test("no comment cites a description that is not in the repository", () => {
  const foreign =
    /\binterface document\b|\(reference: |\bthe reference\b(?! implementation)|\bthe seed document\b/i;
  const found = FILES.flatMap((file) => {
    const [words] = foreign.exec(textOf(file)) ?? [];
    return words === undefined ? [] : [`${file}: ${words}`];
  });
  expect(found).toEqual([]);
});
