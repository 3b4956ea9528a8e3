/** Files that a client reads and writes on a PC that may be off. */
import { fnv1a64 } from "@wirelab/engine/base/random";
import { pcFiles, refusalOfFile, withPcFile } from "@wirelab/engine/devices/pc/saved-files";
import { initialPcState, type PcSpec } from "@wirelab/engine/devices/pc/state";
import { describe, expect, test } from "vitest";

const SCRIPT = "set pcname %h\nip 10.0.0.1/24\n";
const spec: PcSpec = { type: "vpcs", name: "PC1", index: 0, startupScript: SCRIPT };
const bare: PcSpec = { ...spec, startupScript: "" };

describe("the files of a PC", () => {
  test("that never ran are its script, with its name", () => {
    expect(pcFiles(spec, undefined)).toEqual({ "startup.vpc": "set pcname PC1\nip 10.0.0.1/24\n" });
    expect(pcFiles(bare, undefined)).toEqual({});
  });

  test("are those that were written, also an empty start-up file", () => {
    const state = withPcFile(spec, withPcFile(spec, undefined, "startup.vpc", ""), "a.vpc", "sleep 1");
    expect(pcFiles(spec, state)).toEqual({ "startup.vpc": "", "a.vpc": "sleep 1" });
    expect(state).toEqual({
      ...initialPcState(spec),
      files: { "startup.vpc": "", "a.vpc": "sleep 1" },
      savedOver: fnv1a64(new TextEncoder().encode(SCRIPT)).toString(16),
    });
  });

  test("are the script again once that was changed", () => {
    const state = withPcFile(spec, undefined, "startup.vpc", "ip 10.0.0.2/24");
    expect(pcFiles({ ...spec, startupScript: "ip dhcp" }, state)).toEqual({ "startup.vpc": "ip dhcp" });
  });
});

test.each([
  ["a/b.vpc", "", "No such file or directory"],
  ["..", "", "Is a directory"],
  ["x".repeat(65), "", "File name too long"],
  ["a.vpc", "x".repeat(16_385), "A file holds 16384 characters at most"],
])("a PC refuses the file %.10s", (name, text, reason) => expect(refusalOfFile({}, name, text)).toBe(reason));

test("a PC keeps 16 files, which can be replaced", () => {
  const files = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`${index}.vpc`, ""]));
  expect(refusalOfFile(files, "new.vpc", "")).toBe("There are 16 files already");
  expect(refusalOfFile(files, "0.vpc", "")).toBeUndefined();
});
