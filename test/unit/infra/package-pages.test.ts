import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { writePages } from "../../../infra/package/pages.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "wirelab-pages-"));
afterAll(() => rmSync(folder, { recursive: true }));

writePages(ROOT, folder);
const pages = globSync("**/*.md", { cwd: folder });
const linksOf = (page: string) =>
  [...readFileSync(join(folder, page), "utf8").matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);

test("each relative link of the package's pages leads to a file of the package", () => {
  expect(pages).toContain("README.md");
  const lost = pages.flatMap((page) =>
    linksOf(page)
      .filter((link) => !/^([a-z]+:|#)/.test(link))
      .filter((link) => !existsSync(join(folder, dirname(page), link.split("#")[0]!)))
      .map((link) => `${page}: ${link}`),
  );
  expect(lost).toEqual([]);
});

test("the README links to the pages that it needs and to the labs", () => {
  const links = linksOf("README.md");
  expect(links).toEqual(expect.arrayContaining(["docs/filters.md", "docs/limits.md#runs", "examples/labs"]));
  expect(globSync("examples/labs/**/*.lab.yaml", { cwd: folder }).length).toBeGreaterThan(8);
});

test("a link to what the package does not have is plain text", () => {
  expect(readFileSync(join(folder, "docs/ci.md"), "utf8")).toContain("idempotency.md)");
  expect(linksOf("docs/ci.md").filter((link) => link.includes("idempotency"))).toEqual([]);
});
