import { describe, expect, test } from "vitest";
import { isExported, nodeFolder, symbolEntry, symbolOfEntry } from "../../../functions/archives/names.ts";

describe("a symbol's entry", () => {
  test.each(["router.svg", "a/b c.svg", "..", "../x", "%2e", "é"])(
    "of %s names it again, inside the archive",
    (id) => {
      const entry = symbolEntry(id);
      expect(entry).toMatch(/^wirelab\/symbols\/[^/.][^/]*$/);
      expect(symbolOfEntry(entry)).toBe(id);
    },
  );

  test("is no other entry", () => expect(symbolOfEntry("wirelab/lab.json")).toBeUndefined());
});

test.each([
  ["README.txt", true],
  ["project-files/images/a.png", true],
  ["project-files/captures/a.pcap", false],
  ["project-files/tmp/x", false],
  ["snapshots/a.gns3project", false],
  ["lab.gns3", false],
  ["a/lab.gns3", false],
  ["vpcs.log", false],
  ["dynamips_log.txt", false],
  [".DS_Store", false],
  ["a/.DS_Store", false],
  ["x.DS_Store", true],
  ["wirelab/lab.json", false],
])("the file %s is exported: %s", (path, expected) => expect(isExported(path)).toBe(expected));

test.each([
  ["vpcs", "project-files/vpcs/1/"],
  ["router", "project-files/docker/1/"],
])("the files of a %s are in %s", (type, folder) => expect(nodeFolder(type, "1")).toBe(folder));
