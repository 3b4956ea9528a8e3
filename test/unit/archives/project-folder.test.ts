/** The project in an archive that is no export. */
import { expect, test } from "vitest";
import { projectEntries } from "../../../functions/archives/project-folder.ts";
import { readZip } from "../../../functions/archives/zip-reader.ts";
import { zip } from "../../helpers/archives/zip.ts";

const found = (...names: string[]): string[] => {
  const entries = projectEntries(readZip(zip(Object.fromEntries(names.map((name) => [name, name])))));
  return [...entries].map(([name, entry]) => {
    expect(entry.name).toBe(name);
    return `${name} < ${entry.read()}`;
  });
};

test("is at the root in an export, whatever else there is", () => {
  expect(found("project.gns3", "lab.gns3", "a/b")).toEqual([
    "project.gns3 < project.gns3",
    "lab.gns3 < lab.gns3",
    "a/b < a/b",
  ]);
});

test("has the name of the lab in a saved project", () => {
  expect(found("lab.gns3", "project-files/vpcs/1/startup.vpc")).toEqual([
    "project.gns3 < lab.gns3",
    "project-files/vpcs/1/startup.vpc < project-files/vpcs/1/startup.vpc",
  ]);
});

test("is the highest one in the archive of a repository, without what is beside its folder", () => {
  expect(found("repo-main/README.md", "repo-main/lab/my.gns3", "repo-main/lab/a/old.gns3")).toEqual([
    "project.gns3 < repo-main/lab/my.gns3",
    "a/old.gns3 < repo-main/lab/a/old.gns3",
  ]);
});

test("is refused when there is none, or several are as high", () => {
  expect(() => found("README.md")).toThrow("project.gns3 file could not be found");
  expect(() => found("a/x.gns3", "b/y.gns3")).toThrow(
    "it has 2 projects (a/x.gns3, b/y.gns3): send the folder of one",
  );
  expect(() => found("a.gns3", "b.gns3", "c.gns3", "d.gns3")).toThrow(
    "it has 4 projects (a.gns3, b.gns3, c.gns3, ...)",
  );
});
