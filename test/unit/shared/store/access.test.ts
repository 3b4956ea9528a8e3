import { describe, expect, expectTypeOf, test } from "vitest";
import type { Access } from "../../../../functions/shared/edge/access.ts";
import type { Caller, Role } from "../../../../functions/shared/edge/principal.ts";
import { PROJECT_DEFAULTS } from "../../../../functions/shared/schemas/project.ts";
import type { importProject } from "../../../../functions/shared/store/contents/import-project.ts";
import type { listProjects } from "../../../../functions/shared/store/contents/list-projects.ts";
import type {
  readItems,
  readTopology,
  readWholeProject,
  readWholeProjects,
} from "../../../../functions/shared/store/contents/read.ts";
import type { readContents } from "../../../../functions/shared/store/contents/read-contents.ts";
import type { readDrawing, readDrawings } from "../../../../functions/shared/store/contents/read-drawings.ts";
import type { removeProject } from "../../../../functions/shared/store/contents/remove-project.ts";
import {
  ownerOfNew,
  revealed,
  revealedOf,
  roleIn,
} from "../../../../functions/shared/store/project/access.ts";
import type { createProject } from "../../../../functions/shared/store/project/create-project.ts";
import type { getProject, ProjectItem } from "../../../../functions/shared/store/project/project.ts";
import type { readProjectPage } from "../../../../functions/shared/store/project/project-pages.ts";
import type { readProjects } from "../../../../functions/shared/store/project/read-projects.ts";
import { fromSettings } from "../../../../functions/shared/store/project/stored-settings.ts";

function makeProject(
  fields: Partial<ProjectItem> = {},
  shares: Record<string, "viewer" | "editor"> = {},
): ProjectItem {
  const shared_with = Object.entries(shares).map(([user, role]) => ({ user, role }));
  return {
    project_id: "p",
    name: "n",
    filename: "n",
    status: "opened",
    created_us: 0,
    revision: 1,
    owner: "alice",
    ...fromSettings({ ...PROJECT_DEFAULTS, shared_with }),
    ...fields,
  };
}

const caller = (name: string, role: Role): Caller => ({ name, role });

describe("a caller's role in a project", () => {
  test.each<[string, Role, Record<string, "viewer" | "editor">, Role | undefined]>([
    ["alice", "viewer", {}, "viewer"],
    ["alice", "editor", {}, "editor"],
    ["bob", "admin", {}, "admin"],
    ["bob", "editor", {}, undefined],
    ["bob", "viewer", {}, undefined],
    ["bob", "editor", { bob: "viewer" }, "viewer"],
    ["bob", "editor", { bob: "editor" }, "editor"],
    ["bob", "viewer", { bob: "editor" }, "viewer"],
    ["bob", "editor", { bobby: "editor", Bob: "editor" }, undefined],
    ["__proto__", "editor", { bob: "editor" }, undefined],
  ])("of alice's, as %s with the role %s, shared as %j: %s", (name, role, shares, expected) => {
    expect(roleIn(makeProject({}, shares), caller(name, role))).toBe(expected);
  });

  test("is their own role when the project has no owner", () => {
    expect(roleIn({ owner: undefined }, caller("bob", "viewer"))).toBe("viewer");
  });
});

describe("reading a project", () => {
  const read = (project: ProjectItem | undefined, name: string, role: Role, needed: Role) =>
    revealed({ caller: caller(name, role), needed }, project);
  const project = makeProject({}, { bob: "viewer" });

  test("returns it to users who may see it, and hides it from others", () => {
    expect(read(project, "alice", "editor", "editor")).toBe(project);
    expect(read(project, "bob", "editor", "viewer")).toBe(project);
    expect(read(project, "carol", "editor", "viewer")).toBeUndefined();
    expect(read(undefined, "alice", "editor", "viewer")).toBeUndefined();
  });

  test("rejects a request that writes from users with a read-only share", () => {
    expect(() => read(project, "bob", "editor", "editor")).toThrow(
      expect.objectContaining({ code: "access.read-only" }),
    );
  });

  test("shows a project in deletion to users who may delete it, and hides it from all others", () => {
    const going = { ...project, deleting: true };
    expect(read(going, "alice", "editor", "editor")).toBe(going);
    expect(read(going, "bob", "editor", "editor")).toBeUndefined();
  });

  test("shows a project of an earlier release, with or without shares, only to its owner and its sharers", () => {
    const { shared_with: _none, ...before } = PROJECT_DEFAULTS;
    const shared_with = [{ user: "bob", role: "viewer" as const }];
    const stored = (settings: ProjectItem["settings"]) => ({ ...makeProject(), settings });
    const after = stored({ ...PROJECT_DEFAULTS, shared_with });
    expect(read(after, "bob", "editor", "viewer")).toMatchObject({ project_id: "p" });
    for (const other of [after, stored(before)]) {
      expect(read(other, "carol", "editor", "viewer")).toBeUndefined();
      expect(read(other, "alice", "editor", "editor")).toMatchObject({ project_id: "p" });
    }
  });

  test("takes an access, in every function that reads or makes projects", () => {
    type Readers =
      | typeof revealed
      | typeof revealedOf
      | typeof getProject
      | typeof listProjects
      | typeof readContents
      | typeof readDrawing
      | typeof readDrawings
      | typeof readItems
      | typeof readProjectPage
      | typeof readProjects
      | typeof readTopology
      | typeof readWholeProject
      | typeof readWholeProjects
      | typeof removeProject;
    expectTypeOf<Parameters<Readers>[0]>().toEqualTypeOf<Access>();
    expectTypeOf<Parameters<typeof createProject | typeof importProject>[0]>().toEqualTypeOf<Access>();
  });

  test("lists it for users who may see it", () => {
    const list = [project, makeProject({ owner: "carol" }), makeProject({ owner: undefined })];
    const seen = (name: string) =>
      revealedOf({ caller: caller(name, "viewer"), needed: "viewer" }, list).map(({ owner }) => owner);
    expect(seen("bob")).toEqual(["alice", undefined]);
    expect(seen("carol")).toEqual(["carol", undefined]);
    expect(seen("dave")).toEqual([undefined]);
  });
});

test("a new project belongs to the caller, or to no user if callers are anonymous", () => {
  const make = (maker: Caller) => ownerOfNew({ caller: maker, needed: "editor" });
  expect(make(caller("alice", "editor"))).toBe("alice");
  expect(make({ name: "local", role: "admin", isAnonymous: true })).toBeUndefined();
});
