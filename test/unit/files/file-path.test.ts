/** Where a requested path leads: never outside of the project. */
import { describe, expect, test } from "vitest";
import { nodeFileOf, projectPathOf } from "../../../functions/files/file-path.ts";
import { contentTypeOf } from "../../../functions/shared/edge/http/content-type.ts";
import { filePath } from "../../../functions/shared/schemas/ids.ts";

describe("a path", () => {
  test.each([
    ["README.txt", "README.txt"],
    ["a/b/c.cfg", "a/b/c.cfg"],
    ["/etc/passwd", "etc/passwd"],
    ["//a//b/", "a/b"],
    ["./a/./b", "a/b"],
    ["a\\b\\c.cfg", "a/b/c.cfg"],
    [".hidden", ".hidden"],
    ["...", "..."],
    ["a..b/..c", "a..b/..c"],
    ["C:/a", "C:/a"],
  ])("%s is %s in the project", (requested, path) => expect(projectPathOf(requested)).toBe(path));

  test.each(["..", "../x", "a/../../x", "a/../x", "a/..", "..\\x", "a\\..\\x", "", "/", ".", "./", "\\"])(
    "%j is refused",
    (requested) => expect(() => projectPathOf(requested)).toThrow("is not the path of a file inside"),
  );

  test.each([
    ["a NUL", "a\0b"],
    ["a line break", "a\nb"],
    ["an escape character", "a\u001bb"],
    ["a lone surrogate", "a\ud800"],
    ["a name of 256 bytes", `a/${"x".repeat(256)}`],
    ["a name of 256 bytes behind a backslash", `a\\${"x".repeat(256)}`],
    ["513 bytes", `${"a/".repeat(256)}b`],
    ["more bytes than characters", "é/".repeat(171)],
  ])("with %s is invalid", (_what, path) => expect(filePath.safeParse(path).success).toBe(false));

  test.each(["x".repeat(255), `${"a/".repeat(255)}bc`, "网络/é.txt"])(
    "of the longest length is valid",
    (path) => expect(filePath.safeParse(path)).toMatchObject({ success: true, data: path }),
  );

  test("is in Unicode's form C", () => expect(filePath.parse("e\u0301.txt")).toBe("é.txt"));
});

describe("a node's file", () => {
  const ID = "0fd3dd4d-dc93-4a04-a9b9-7396a9e22e8b";
  test.each([
    [`project-files/vpcs/${ID}/startup.vpc`, { node_id: ID, name: "startup.vpc" }],
    [`project-files/docker/${ID.toUpperCase()}/a/b`, { node_id: ID, name: "a/b" }],
    [`project-files/vpcs/${ID}`, undefined],
    [`project-files/qemu/${ID}/disk`, undefined],
    [`x/project-files/vpcs/${ID}/startup.vpc`, undefined],
    ["project-files/vpcs/PC1/startup.vpc", undefined],
  ])("%s", (path, expected) => expect(nodeFileOf(path)).toEqual(expected));
});

test.each([
  ["README.txt", "text/plain; charset=utf-8"],
  ["a/startup.VPC", "text/plain; charset=utf-8"],
  ["a.b/picture.png", "image/png"],
  ["a.png/file", "application/octet-stream"],
  ["Makefile", "application/octet-stream"],
  ["x.constructor", "application/octet-stream"],
])("%s has the type %s", (path, type) => expect(contentTypeOf(path)).toBe(type));
