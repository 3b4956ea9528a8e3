import { describe, expect, test } from "vitest";
import { withAccess } from "../../../../functions/shared/edge/access.ts";
import type { Caller, Role } from "../../../../functions/shared/edge/principal.ts";
import { PROJECT_DEFAULTS } from "../../../../functions/shared/schemas/project.ts";
import {
  ownerOfNew,
  revealed,
  revealedOf,
  roleIn,
} from "../../../../functions/shared/store/project/access.ts";
import type { ProjectItem } from "../../../../functions/shared/store/project/project.ts";
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

describe("a project that is read", () => {
  const read = (project: ProjectItem | undefined, name: string, role: Role, needed: Role) =>
    withAccess({ caller: caller(name, role), needed }, () => revealed(project));
  const project = makeProject({}, { bob: "viewer" });

  test("is returned to users who may see it, and hidden from others", () => {
    expect(read(project, "alice", "editor", "editor")).toBe(project);
    expect(read(project, "bob", "editor", "viewer")).toBe(project);
    expect(read(project, "carol", "editor", "viewer")).toBeUndefined();
    expect(read(undefined, "alice", "editor", "viewer")).toBeUndefined();
  });

  test("is refused to users with a read-only share when the request writes", () => {
    expect(() => read(project, "bob", "editor", "editor")).toThrow(
      expect.objectContaining({ code: "access.read-only" }),
    );
  });

  test("that is being deleted is visible to users who may delete it, and hidden from all others", () => {
    const going = { ...project, deleting: true };
    expect(read(going, "alice", "editor", "editor")).toBe(going);
    expect(read(going, "bob", "editor", "editor")).toBeUndefined();
  });

  test("is its sharers' and not others' when an earlier release stored it, before or after there was sharing", () => {
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

  test("is not read at all outside a request", () => {
    expect(() => revealed(project)).toThrow(/with an access only/);
    expect(() => revealedOf([project])).toThrow(/with an access only/);
  });

  test("is listed for users who may see it", () => {
    const list = [project, makeProject({ owner: "carol" }), makeProject({ owner: undefined })];
    const seen = (name: string) =>
      withAccess({ caller: caller(name, "viewer"), needed: "viewer" }, () =>
        revealedOf(list).map(({ owner }) => owner),
      );
    expect(seen("bob")).toEqual(["alice", undefined]);
    expect(seen("carol")).toEqual(["carol", undefined]);
    expect(seen("dave")).toEqual([undefined]);
  });
});

test("a new project belongs to the caller, and to no user if callers are anonymous", () => {
  const make = (maker: Caller) => withAccess({ caller: maker, needed: "editor" }, ownerOfNew);
  expect(make(caller("alice", "editor"))).toBe("alice");
  expect(make({ name: "local", role: "admin", isAnonymous: true })).toBeUndefined();
});
