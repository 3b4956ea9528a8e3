import { mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import {
  BUILDER,
  cacheFolder,
  type ImageFacts,
  listImages,
  readFacts,
  readImage,
  removeImage,
  writeImage,
} from "@wirelab/linux/image/image";
import { builtInRecipe, parseRecipe, RECIPE_NAMES } from "@wirelab/linux/image/recipe";
import { describe, expect, test } from "vitest";
import { makeInit } from "../../../packages/linux/image/init.ts";

const facts = (name: string, digest = "d1"): ImageFacts => ({
  name,
  builder: BUILDER,
  digest,
  memoryMiB: 128,
  nowNs: 5,
  epochMs: 0,
  configure: [],
  packages: [{ name: "frr", version: "8" }],
});
const files = {
  bios: Buffer.from("b"),
  vgaBios: Buffer.from("v"),
  state: zstdCompressSync(Buffer.from("state")),
};

describe("images on disk", () => {
  const folder = mkdtempSync(join(tmpdir(), "wirelab-images-"));

  test("are written, listed, read and removed", () => {
    writeImage(folder, facts("frr"), files);
    writeImage(folder, facts("bird"), files);
    writeImage(folder, facts("frr", "d2"), files);
    mkdirSync(join(folder, ".unfinished-1"));
    expect(listImages(folder).map(({ name, digest }) => [name, digest])).toEqual([
      ["bird", "d1"],
      ["frr", "d2"],
    ]);
    const { state, memoryMiB } = readImage(folder, "frr");
    expect(memoryMiB).toBe(128);
    expect(Buffer.from(state).toString()).toBe("state");
    removeImage(folder, "frr");
    expect(readFacts(folder, "frr")).toBeUndefined();
    expect(readdirSync(folder)).not.toContain("frr");
  });

  test("that are not there have a message with the command that builds them", () => {
    expect(() => readImage(folder, "none")).toThrow(
      "there is no image none; build it with: wirelab image build none",
    );
    expect(() => removeImage(folder, "none")).toThrow("there is no image none");
    expect(listImages(join(folder, "none"))).toEqual([]);
  });
});

test("the folder of the cache is that of the environment, or that of the user", () => {
  expect(cacheFolder({ WIRELAB_CACHE: "/a" })).toBe("/a");
  expect(cacheFolder({ XDG_CACHE_HOME: "/b" })).toBe("/b/wirelab");
  expect(cacheFolder({})).toMatch(/\/\.cache\/wirelab$/);
});

describe("recipes", () => {
  test("the built-in ones are valid", () => {
    for (const name of RECIPE_NAMES) expect(builtInRecipe(name)?.name).toBe(name);
    expect(builtInRecipe("none")).toBeUndefined();
  });

  test.each([
    ["name: Frr", "mine.yaml: name: "],
    ["name: a\nmemory: 4096", "mine.yaml: memory: "],
    ["name: a\npaths: [/usr/bin/x]", "mine.yaml: paths.0: must be a path without a slash at its ends"],
    ["name: a\nodd: 1", "mine.yaml: the recipe: "],
    ["[", "mine.yaml: "],
  ])("%j is refused", (text, message) => {
    expect(() => parseRecipe(text, "mine.yaml")).toThrow(message);
  });

  test("init loads the modules in order, and runs the commands of the recipe before it is ready", () => {
    const init = makeInit(["virtio", "virtio_net"], { start: ["start the daemons"] });
    expect(init).toContain("for module in virtio virtio_net; do insmod");
    expect(init.indexOf("start the daemons")).toBeLessThan(init.indexOf("WIRELAB READY"));
  });
});
