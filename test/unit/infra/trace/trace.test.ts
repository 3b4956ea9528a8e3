/** Stack traces of bundled functions name files and lines of the source. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { bundleHashOf, ownBundleHash } from "../../../../functions/shared/edge/bundle-hash.ts";
import { bundle } from "../../../../infra/bundle.ts";
import { findMaps } from "../../../../infra/trace/bundle-maps.ts";
import { ENTRIES, likelyFirst } from "../../../../infra/trace/entries.ts";
import { mapPlaces, marksOf } from "../../../../infra/trace/trace.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const NAME = "Wirelab-publisherFunction5F6A7B8C-x1";
/** A change that the publisher cannot read. */
const RECORD = {
  eventName: "INSERT",
  dynamodb: { SequenceNumber: "1", NewImage: { entity: { S: "node" }, document: { S: "{" } } },
};

const folder = mkdtempSync(join(tmpdir(), "wirelab-trace-"));
/** What the bundled publisher logs about the change. */
let line: string;

beforeAll(() => {
  bundle(`${ROOT}functions/publisher/handler.ts`, folder);
  const script = `const { handler } = await import(${JSON.stringify(join(folder, "index.mjs"))});
    await handler({ Records: [${JSON.stringify(RECORD)}] });`;
  const env = {
    ...process.env,
    LAMBDA_TASK_ROOT: folder,
    AWS_LAMBDA_FUNCTION_NAME: NAME,
    AWS_REGION: "us-east-1",
    TABLE_NAME: "none",
  };
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    env,
    encoding: "utf8",
  });
  line = `${stdout}${stderr}`.split("\n").find((each) => each.includes("a change makes no event")) ?? "";
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

test("an error in the log has the hash of its bundle, and its trace names the lines of the source", () => {
  const hash = bundleHashOf(readFileSync(join(folder, "index.mjs")));
  expect(marksOf(line)).toEqual({ hash, functionName: NAME });
  expect(line).toContain("index.mjs:");

  const mapped = mapPlaces(line, findMaps(hash, NAME)!);
  const [, number] = /functions\/publisher\/change\.ts:(\d+):\d+/.exec(mapped) ?? [];
  const source = readFileSync(`${ROOT}functions/publisher/change.ts`, "utf8").split("\n");
  expect(source[Number(number) - 1]).toContain("DECODERS[source](image");
  // A query of CloudWatch's returns the line as text within JSON.
  expect(marksOf(JSON.stringify({ value: line }))).toEqual({ hash, functionName: NAME });
});

test("a place without a counterpart stays as it is", () => {
  const text = "at file:///var/task/other.mjs:1:2 and node:internal/process:3:4";
  expect(mapPlaces(text, new Map())).toBe(text);
});

test("a function's own entries are tried first, then all others", () => {
  expect(likelyFirst(NAME)[0]!.module).toBe(`${ROOT}functions/publisher/handler.ts`);
  expect(
    likelyFirst("Wirelab-AuthorizerFunction1234ABCD-x")
      .slice(0, 2)
      .map(({ module }) => module),
  ).toEqual(["basic", "jwt"].map((way) => `${ROOT}functions/authorizer/${way}.ts`));
  expect(likelyFirst(undefined)).toHaveLength(ENTRIES.length);
});

test("outside Lambda, and without a bundle, lines have no hash", () => {
  vi.stubEnv("LAMBDA_TASK_ROOT", undefined);
  expect(ownBundleHash()).toBeUndefined();
  vi.stubEnv("LAMBDA_TASK_ROOT", "/nowhere");
  expect(ownBundleHash()).toBeUndefined();
  vi.stubEnv("LAMBDA_TASK_ROOT", folder);
  expect(ownBundleHash()).toMatch(/^[0-9a-f]{16}$/);
});
