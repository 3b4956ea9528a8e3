import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { assemble } from "../../../../infra/local/assemble.ts";
import { hashSources, SOURCES } from "../../../../infra/local/source-hash.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), "wirelab-assemble-"));
});
afterEach(() => rmSync(scratch, { recursive: true }));

describe("the cloud assembly", () => {
  const settings = { auth: "none" };
  const report = vi.fn();
  const make = vi.fn(async (folder: string, _options: object) => {
    mkdirSync(folder);
    writeFileSync(join(folder, "manifest.json"), "made");
  });
  afterEach(() => {
    make.mockReset();
    report.mockReset();
  });
  const assembleInto = (name: string, more: object = {}) =>
    assemble(join(scratch, name), { settings, report, make, cache: join(scratch, "cache"), ...more });

  it("is synthesized once for the same sources and settings, and the step is reported", async () => {
    await assembleInto("first");
    const steps = report.mock.calls.flat();
    await assembleInto("second");

    expect(make).toHaveBeenCalledTimes(1);
    expect(readFileSync(join(scratch, "second", "manifest.json"), "utf8")).toBe("made");
    expect(steps).toEqual([expect.stringContaining("their sources are new")]);
    expect(report.mock.calls.flat()).toEqual(steps);
  });

  it("replaces the contents of the folder", async () => {
    mkdirSync(join(scratch, "folder"));
    writeFileSync(join(scratch, "folder", "asset.old"), "");
    await assembleInto("folder");

    expect(readdirSync(join(scratch, "folder"))).toEqual(["manifest.json"]);
  });

  it("is synthesized again for other settings", async () => {
    await assembleInto("none");
    await assembleInto("basic", { settings: { auth: "basic" } });

    expect(make).toHaveBeenCalledTimes(2);
  });

  it("is synthesized again for one build of all functions, which the CDK app is asked for", async () => {
    await assembleInto("bundles");
    await assembleInto("together", { oneBuild: true });

    expect(make.mock.calls.map(([, options]) => options)).toEqual([
      expect.objectContaining({ environment: { CDK_VALIDATION: "false" } }),
      expect.objectContaining({ environment: { CDK_VALIDATION: "false", WIRELAB_ONE_BUILD: "true" } }),
    ]);
  });

  it("is synthesized even if the cache cannot be written", async () => {
    writeFileSync(join(scratch, "file"), "");
    await assembleInto("first", { cache: join(scratch, "file", "cache") });

    expect(readdirSync(join(scratch, "first"))).toEqual(["manifest.json"]);
  });

  it("leaves nothing in the cache when the synthesis fails", async () => {
    make.mockRejectedValueOnce(new Error("no"));
    await expect(assembleInto("first")).rejects.toThrow("no");
    await assembleInto("second");

    expect(make).toHaveBeenCalledTimes(2);
  });
});

describe("the hash of the sources", () => {
  const write = (path: string, text: string): void => {
    mkdirSync(join(scratch, path, ".."), { recursive: true });
    writeFileSync(join(scratch, path), text);
  };
  const hash = (settings = {}): string => hashSources(`${scratch}/`, settings);

  it.each([
    ["the text of a file", "functions/a.ts"],
    ["a new file", "functions/b.ts"],
    ["the lock file", "package-lock.json"],
    ["the installed packages", "node_modules/.package-lock.json"],
  ])("changes with %s", (_what, path) => {
    write("functions/a.ts", "1");
    const before = hash();
    expect(hash()).toBe(before);
    write(path, "2");
    expect(hash()).not.toBe(before);
  });

  it("changes with the version of Node.js", () => {
    const before = hash();
    vi.spyOn(process, "version", "get").mockReturnValue("v99.0.0");
    expect(hash()).not.toBe(before);
    vi.restoreAllMocks();
  });

  it("covers every module of the app and the bundles", async () => {
    const functions = readdirSync(join(ROOT, "functions"), { recursive: true, encoding: "utf8" });
    const handlers = functions.filter((path) => /(^|\/)(handler|basic|jwt)\.ts$/.test(path));
    const { metafile } = await build({
      absWorkingDir: ROOT,
      entryPoints: ["infra/app.ts", ...handlers.map((path) => `functions/${path}`)],
      outdir: "unwritten",
      bundle: true,
      packages: "external",
      platform: "node",
      format: "esm",
      write: false,
      metafile: true,
    });
    const modules = Object.keys(metafile.inputs);
    expect(modules.length).toBeGreaterThan(200);
    expect(modules.filter((path) => !SOURCES.some((source) => path.startsWith(`${source}/`)))).toEqual([]);
  });
});
