import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { holdDataFolder } from "../../../../infra/local/data-folder.ts";

let folder: string;
let lock: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wirelab-lock-"));
  lock = join(folder, "lock");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a data folder", () => {
  it("is created, held by one, and given back", () => {
    const inner = join(folder, "a", "b");

    const release = holdDataFolder(inner);

    expect(() => holdDataFolder(inner)).toThrow(
      `${inner} is in use by another instance (process ${process.pid})`,
    );
    release();
    holdDataFolder(inner)();
    expect(existsSync(join(inner, "lock"))).toBe(false);
  });

  it.each([
    ["a process that is dead", "4194303 1\n"],
    ["an earlier process with an id that is used again", `${process.pid} 1\n`],
    ["nobody to be recognised", "what?"],
    ["nobody", ""],
  ])("is taken over from %s", (_title, text) => {
    writeFileSync(lock, text);

    const release = holdDataFolder(folder);

    expect(readFileSync(lock, "utf8")).toMatch(new RegExp(`^${process.pid} `));
    release();
  });
});
