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
  it("is created, locked by one instance, and released", () => {
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
    ["of a dead process", "4194303 1\n"],
    ["of an earlier process with a reused id", `${process.pid} 1\n`],
    ["without a process id", "what?"],
    ["that is empty", ""],
  ])("ignores a lock file %s", (_title, text) => {
    writeFileSync(lock, text);

    const release = holdDataFolder(folder);

    expect(readFileSync(lock, "utf8")).toMatch(new RegExp(`^${process.pid} `));
    release();
  });
});
