/** docs/testing.md names every key of a lab file, and its examples are lab files. */
import { readFileSync } from "node:fs";
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { runLab } from "@wirelab/lab/run-lab";
import { expect, test } from "vitest";
import {
  claimSchemas,
  eventSchema,
  labSchema,
  linkSchema,
  nodeSchemas,
} from "../../packages/lab/file/schema.ts";
import { EXPANSION_LIMITS } from "../../packages/lab/read/expansion.ts";
import { FIRST_LAB } from "../../packages/wirelab/new.ts";
import { matchers } from "../../packages/wirelab/vitest/matchers.ts";

const TEXT = readFileSync(new URL("../../docs/testing.md", import.meta.url), "utf8");

/** The text from a heading to the next. */
const section = (title: string): string =>
  new RegExp(`^#+ ${title}\\n([\\s\\S]*?)(?=^#|$(?![\\s\\S]))`, "m").exec(TEXT)![1]!;
const missing = (keys: readonly string[], text: string): string[] =>
  keys.filter((key) => !text.includes(`\`${key}\``));

test.each([
  ["The file", Object.keys(labSchema.shape)],
  ["Nodes", Object.values(nodeSchemas).flatMap(({ shape }) => Object.keys(shape))],
  ["Links", Object.keys(linkSchema.shape)],
  ["Events", Object.keys(eventSchema.shape)],
])("%s: every key is there", (title, keys) => {
  expect(missing(keys, section(title))).toEqual([]);
});

test.each(Object.entries(EXPANSION_LIMITS))("the limit of %s is in the table", (kind, limit) => {
  const rows = section("The file")
    .split("\n")
    .filter((line) => line.startsWith("|") && line.split("|")[1]!.includes(`\`${kind}\``));
  expect(rows.join("\n")).toContain(limit.toLocaleString("en-US"));
});

test.each(Object.entries(claimSchemas))("the expectation %s is there with its keys", (kind, { shape }) => {
  const text = section("Expectations");
  const row = text
    .split("\n")
    .find((line) => line.startsWith("|") && line.split("|")[1]!.includes(`\`${kind}\``))!;
  const shared = text.slice(text.indexOf("Every expectation may have"));
  const own = kind === "count" ? `${row}${text}` : row;
  expect(
    missing(
      Object.keys(shape).filter((key) => key !== "not"),
      own + shared,
    ),
  ).toEqual([]);
});

test("the first lab is the one that `wirelab new` writes, and passes", () => {
  const [, first] = /```yaml\n(nodes:[\s\S]*?)```/.exec(TEXT)!;
  expect(first).toBe(FIRST_LAB);
  expect(runLab(parseLabFile(first!, { name: "first" })).status).toBe("passed");
});

test("every matcher is there", () => {
  expect(missing(Object.keys(matchers), section("TypeScript"))).toEqual([]);
});
