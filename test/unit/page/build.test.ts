/** Builds the page, and checks what a browser loads first. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildPage } from "../../../infra/page/build.ts";

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

const folder = mkdtempSync(join(tmpdir(), "wirelab-page-"));
const read = (name: string): Buffer => readFileSync(join(folder, name));
beforeAll(() => buildPage(folder));
afterAll(() => rmSync(folder, { recursive: true }));

/** What a browser loads before the first view is shown. */
const FIRST_LOAD_BYTES = 300_000;

test("loads at most 300 KB at first, compressed with gzip", () => {
  const manifest = JSON.parse(String(read("manifest.json"))) as Record<string, Chunk>;
  const files = new Set(["index.html"]);
  const visit = (chunk: Chunk): void => {
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const name of chunk.imports ?? []) visit(manifest[name]!);
  };
  for (const chunk of Object.values(manifest)) if (chunk.isEntry) visit(chunk);
  expect(files.size).toBeGreaterThan(2);
  const bytes = [...files].map((file) => gzipSync(read(file)).length).reduce((sum, each) => sum + each, 0);
  expect(bytes).toBeLessThan(FIRST_LOAD_BYTES);
});

test("has no inline scripts and styles, which the policy of the page forbids", () => {
  const html = String(read("index.html"));
  for (const [, attributes, body] of html.matchAll(/<script([^>]*)>([^<]*)/g))
    expect([attributes, body]).toEqual([expect.stringContaining('src="/v2/page/'), ""]);
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/);
});

test("has a compressed copy of each file", () => {
  const names = readdirSync(folder).filter((name) => !name.endsWith(".br"));
  expect(names).toContain("index.html");
  for (const name of names)
    expect(brotliDecompressSync(read(`${name}.br`)).equals(read(name)), name).toBe(true);
});
