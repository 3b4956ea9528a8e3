import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BUILDER, imagesFolder, writeImage } from "@wirelab/linux/image/image";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runCli } from "./run-cli.ts";

let cache = "";
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), "wirelab-image-"));
  vi.stubEnv("WIRELAB_CACHE", cache);
});
afterEach(() => vi.unstubAllEnvs());

const store = (name: string) =>
  writeImage(
    imagesFolder(cache),
    {
      name,
      builder: BUILDER,
      digest: "0123456789abcdef",
      memoryMiB: 128,
      nowNs: 0,
      epochMs: 0,
      configure: [],
      packages: [{ name: "frr", version: "8" }],
    },
    { bios: new Uint8Array(1), vgaBios: new Uint8Array(1), state: new Uint8Array(1) },
  );

describe("wirelab image", () => {
  test("lists and removes images", async () => {
    store("frr");
    store("mine");
    const { stdout } = await runCli(["image", "list"]);
    expect(stdout.toString()).toBe(
      "frr          0123456789ab  128 MiB  1 packages\nmine         0123456789ab  128 MiB  1 packages\n",
    );
    expect((await runCli(["image", "remove", "frr"])).stdout.toString()).toBe("removed frr\n");
    expect((await runCli(["image", "list"])).stdout.toString()).toMatch(/^mine /);
  });

  test.each([
    [[], 2, "expected one of the actions build, list, remove, push"],
    [["odd"], 2, "expected one of the actions build, list, remove, push"],
    [["build", "odd"], 2, "there is no recipe odd; the recipes are debian, bird, frr"],
    [["build", "/nonexistent.yaml"], 1, "/nonexistent.yaml"],
    [
      ["build", "--mirror", "http://127.0.0.1:9/debian", "frr"],
      1,
      "http://127.0.0.1:9/debian/dists/bookworm/InRelease: ",
    ],
    [["list", "frr"], 2, "list takes no argument"],
    [["push", "frr"], 2, "push needs --stack NAME or --bucket NAME"],
    [["push", "--bucket", "b"], 2, "push takes the names of images"],
    [["push", "--bucket", "b", "frr"], 1, "there is no image frr; build it with: wirelab image build frr"],
    [["remove"], 2, "remove takes the names of images"],
    [["remove", "frr"], 1, "there is no image frr"],
  ])("%j ends with %i", async (args, code, message) => {
    const run = await runCli(["image", ...args]);
    expect(run.code).toBe(code);
    expect(run.stderr).toContain(message);
  });

  test("a recipe that is wrong is named with its place", async () => {
    const path = join(cache, "mine.yaml");
    writeFileSync(path, "name: mine\nmemory: 1\n");
    const { code, stderr } = await runCli(["image", "build", path]);
    expect(code).toBe(1);
    expect(stderr).toContain(`${path}: memory: `);
  });

  test("a lab whose image is missing says how to build it", async () => {
    const path = join(cache, "one.lab.yaml");
    writeFileSync(path, "nodes:\n  r1: { type: linux, image: bird }\n");
    const { code, stderr } = await runCli(["run", path]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      "nodes.r1.image cannot be used: there is no image bird; build it with: wirelab image build bird.",
    );
  });
});
