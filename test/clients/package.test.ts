/** The npm package as its users get it: packed, installed in an empty folder, run there. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildPackage } from "../../infra/package/build.ts";
import { drawn, drawOf } from "../helpers/cases/draw.ts";

const execute = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "wirelab-package-"));
// `npm exec -c` passes its command on to each npx below it.
const { npm_config_call: _, ...env } = process.env;
const inFolder = (program: string, ...args: string[]) => execute(program, args, { cwd: folder, env });
let archive = "";

beforeAll(async () => {
  archive = await buildPackage(folder);
  writeFileSync(join(folder, "package.json"), '{"name": "fresh", "type": "module", "private": true}');
  // Without the registry: its dependencies are in the archive.
  await inFolder("npm", "install", "--offline", "--no-audit", "--no-fund", archive);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the manifest can be published and names no package that is not in the archive", () => {
  const manifest = JSON.parse(readFileSync(join(folder, "node_modules/wirelab/package.json"), "utf8"));
  expect(manifest).not.toHaveProperty("private");
  expect(Object.keys(manifest.dependencies)).toEqual(manifest.bundleDependencies);
});

test("wirelab new and wirelab test work in an empty folder", async () => {
  const { stdout: written } = await inFolder("npx", "wirelab", "new", "labs");
  expect(written).toContain("next: npx wirelab test labs/first.lab.yaml");
  const { stdout } = await inFolder("npx", "wirelab", "test", "labs/first.lab.yaml");
  expect(stdout).toContain("1 lab: 1 passed");
});

/** This one, or the `node` of npm's package of that name. @returns undefined without the registry. */
async function nodeOf(major: number): Promise<string | undefined> {
  if (process.version.startsWith(`v${major}.`)) return process.execPath;
  const prefix = join(folder, `node-${major}`);
  const name = `node-${process.platform}-${process.arch}@${major}`;
  try {
    await inFolder("npm", "install", "--prefix", prefix, "--no-save", "--no-audit", "--no-fund", name);
  } catch {
    return undefined;
  }
  return join(prefix, "node_modules", name.split("@")[0]!, "bin/node");
}

test.for([22, 24])("the first lab runs on Node.js %d", async (major, context) => {
  const node = await nodeOf(major);
  if (node === undefined) return context.skip("npm cannot install node: the registry is not reachable");
  const entry = join(folder, "node_modules/wirelab/wirelab.js");
  await execute(node, [entry, "new", `labs-${major}`], { cwd: folder });
  const { stdout } = await execute(node, [entry, "test", `labs-${major}/first.lab.yaml`], { cwd: folder });
  expect(stdout).toContain("1 lab: 1 passed");
});

const draw = drawOf(2);

test.for(drawn([18, 20], draw))(
  `Node.js %d gets one line with what is needed, and the exit status 2${draw.note}`,
  async (major, context) => {
    const node = await nodeOf(major);
    if (node === undefined) return context.skip("npm cannot install node: the registry is not reachable");
    const entry = join(folder, "node_modules/wirelab/wirelab.js");
    const failed = execute(node, [entry, "test"], { cwd: folder });
    await expect(failed).rejects.toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/^wirelab: needs Node\.js 22\.18 or newer, this is v\d+.*\n$/),
    });
  },
);

test("the library plays a lab file", async () => {
  writeFileSync(
    join(folder, "play.js"),
    `import { loadLabFile, runLab } from "wirelab"; console.log(runLab(loadLabFile("labs/first.lab.yaml")).status);`,
  );
  expect((await inFolder("node", "play.js")).stdout).toBe("passed\n");
});

test("wirelab/vitest runs and has types in a fresh vitest project", async (context) => {
  try {
    await inFolder("npm", "install", "--no-audit", "--no-fund", "vitest@5", "typescript@7", "@types/node@24");
  } catch {
    context.skip("npm cannot install vitest: the registry is not reachable");
  }
  writeFileSync(
    join(folder, "lab.test.ts"),
    `import { expect, test } from "wirelab/vitest";
     test("reaches", ({ lab }) => {
       const net = lab("labs/first.lab.yaml");
       expect(net).toHold();
       expect(net).toPing("pc1 -> pc2", { p50: "< 50ms" });
       expect(() => expect(net).not.toReach("pc1 -> pc2")).toThrow(/capture: .*pcapng/);
     });`,
  );
  writeFileSync(
    join(folder, "wrong.ts"),
    `import { expect, type LabSpec } from "wirelab/vitest";
     declare const net: unknown;
     // @ts-expect-error: an option that the matcher does not have
     expect(net).toReach("a -> b", { trys: 3 });
     // @ts-expect-error: an event that a lab does not have
     export const spec: LabSpec = { run: [{ explode: "a" }] };`,
  );
  const docs = readFileSync(new URL("../../docs/testing.md", import.meta.url), "utf8");
  writeFileSync(join(folder, "labs/docs.test.ts"), /```ts\n([\s\S]*?)```/.exec(docs)![1]!);
  const { stdout } = await inFolder("npx", "vitest", "run");
  expect(stripVTControlCharacters(stdout)).toMatch(/Tests.* 2 passed/);
  const options = [
    "--noEmit",
    "--strict",
    "--module",
    "nodenext",
    "--skipLibCheck",
    "false",
    "--types",
    "node",
  ];
  await inFolder("npx", "tsc", ...options, "lab.test.ts", "wrong.ts");
});

test("the emulator of Linux nodes is there, and a missing image is named", async () => {
  writeFileSync(join(folder, "linux.lab.yaml"), "nodes:\n  r1: { type: linux, image: none }\n");
  const failed = inFolder("npx", "wirelab", "run", "linux.lab.yaml");
  await expect(failed).rejects.toThrow("there is no image none; build it with: wirelab image build none");
  const emulator = join(folder, "node_modules/wirelab/node_modules/v86");
  expect(readFileSync(join(emulator, "build/v86.wasm")).subarray(1, 4).toString()).toBe("asm");
  expect(readFileSync(join(emulator, "LICENSE"), "utf8")).toContain("Redistribution");
});
