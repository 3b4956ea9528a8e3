import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runCli } from "./run-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "wirelab-new-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("new writes a lab of ten lines below its schema, which passes, and names the next command", async () => {
  const target = join(folder, "labs");
  const { code, stdout } = await runCli(["new", target]);
  expect(code).toBe(0);
  const file = join(target, "first.lab.yaml");
  expect(stdout.toString()).toBe(`wrote ${file}; next: npx wirelab test ${file}\n`);
  const [schema, ...lines] = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(schema).toBe("# yaml-language-server: $schema=./node_modules/wirelab/lab.schema.json");
  expect(lines).toHaveLength(10);
  expect((await runCli(["test", file])).code).toBe(0);
});

test("new names the schema of a package below the current folder", async () => {
  const target = mkdtempSync("new-lab-");
  try {
    await runCli(["new", target]);
    const [schema] = readFileSync(join(target, "first.lab.yaml"), "utf8").split("\n");
    const [, path] = schema!.split("$schema=") as [string, string];
    expect(JSON.parse(readFileSync(join(target, path), "utf8"))).toHaveProperty("properties.nodes");
  } finally {
    rmSync(target, { recursive: true });
  }
});

test("new leaves a file that exists as it is", async () => {
  const target = join(folder, "again");
  await runCli(["new", target]);
  const { code, stderr } = await runCli(["new", target]);
  expect(code).toBe(1);
  expect(stderr).toContain("first.lab.yaml exists; it is left as it is");
});

test("new takes one folder", async () => {
  expect((await runCli(["new", "a", "b"])).code).toBe(2);
});
