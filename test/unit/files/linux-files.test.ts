/** The files of a Linux node, which are one of its properties. */
import { describe, expect, test } from "vitest";
import { readLinuxFile, withLinuxFile } from "../../../functions/files/linux-files.ts";
import { makeLinuxHardware } from "../../../functions/shared/node/types/linux.ts";
import type { NodeItem } from "../../../functions/shared/store/lab/node.ts";

const makeNode = (files: Record<string, string>, status = "stopped", others = {}): NodeItem =>
  ({
    name: "L1",
    status,
    document: { node_type: "linux", ...makeLinuxHardware({ image: "frr", adapters: 2, files, ...others }) },
  }) as NodeItem;

const filesOf = ({ document }: NodeItem) => document.properties.files;

describe("reading", () => {
  test.each(["etc/frr/frr.conf", "/etc/frr/frr.conf", "//etc/./frr/frr.conf", "root/../etc/frr/frr.conf"])(
    "finds a file that the properties name %s",
    (name) =>
      expect(readLinuxFile(makeNode({ "etc/x": "x", [name]: "router" }), "etc/frr/frr.conf")).toBe("router"),
  );

  test("returns the text that the guest writes last", () =>
    expect(readLinuxFile(makeNode({ "a/b": "first", "/a/b": "last" }), "a/b")).toBe("last"));

  test("returns an empty file", () => expect(readLinuxFile(makeNode({ a: "" }), "a")).toBe(""));

  test.each(["etc", "etc/x/y", "x", "toString", "__proto__"])("does not find %s", (path) =>
    expect(() => readLinuxFile(makeNode({ "etc/x": "x" }), path)).toThrow(
      expect.objectContaining({ code: "node.file-not-found", status: 404 }),
    ),
  );

  test.each(["started", "suspended"])("is refused while the node is %s, whatever the path", (status) => {
    for (const path of ["etc/x", "etc/passwd"])
      expect(() => readLinuxFile(makeNode({ "etc/x": "x" }, status), path)).toThrow(
        expect.objectContaining({ code: "node.file-in-guest", status: 409 }),
      );
  });
});

describe("writing", () => {
  test("adds a file, and keeps the other files and properties", () => {
    const before = makeNode({ "etc/x": "x" }, "stopped", { commands: ["true"], usage: "a note" });
    const after = withLinuxFile(before, "etc/y", "y");
    expect(after.document).toEqual({
      ...before.document,
      properties: { ...before.document.properties, files: { "etc/x": "x", "/etc/y": "y" } },
    });
  });

  test.each(["etc/x", "/etc/x", "etc//x"])(
    "replaces a file that the properties name %s, in its place",
    (name) => {
      const after = withLinuxFile(makeNode({ [name]: "old", b: "b" }), "etc/x", "new");
      expect(Object.entries(filesOf(after) as object)).toEqual([
        [name, "new"],
        ["b", "b"],
      ]);
    },
  );

  test("leaves one name of a file that had two", () =>
    expect(filesOf(withLinuxFile(makeNode({ a: "1", "/a": "2" }), "a", "3"))).toEqual({ "/a": "3" }));

  test("takes a path that objects give a meaning", () =>
    expect(readLinuxFile(withLinuxFile(makeNode({}), "__proto__", "text"), "__proto__")).toBe("text"));

  test.each(["started", "suspended"])("is refused while the node is %s", (status) =>
    expect(() => withLinuxFile(makeNode({}, status), "a", "a")).toThrow(
      expect.objectContaining({
        code: "node.must-be-stopped",
        message: "Node L1 must be stopped to change its files",
      }),
    ),
  );

  const refusal = (node: NodeItem, path: string, text: string): unknown => {
    try {
      return withLinuxFile(node, path, text);
    } catch (error) {
      return error;
    }
  };
  const full = Object.fromEntries(Array.from({ length: 64 }, (_, file) => [`f${file}`, ""]));

  test("takes 64 files and no more, and replaces one of them", () => {
    expect(refusal(makeNode(full), "other", "")).toMatchObject({
      status: 400,
      problems: [{ path: "body.properties.files", message: "has more than 64 files" }],
    });
    expect(filesOf(withLinuxFile(makeNode(full), "f63", "x"))).toEqual({ ...full, f63: "x" });
  });

  test("takes properties of 64 KiB and no more, with the commands", () => {
    const commands = Array.from({ length: 30 }, () => "x".repeat(1_000));
    const node = makeNode({}, "stopped", { commands });
    expect(filesOf(withLinuxFile(node, "a", "x".repeat(34_000)))).toBeDefined();
    expect(refusal(node, "a", "x".repeat(36_000))).toMatchObject({
      status: 400,
      problems: [{ path: "body.properties", message: "is larger than 65536 bytes of JSON" }],
    });
  });

  test.each([
    ["a NUL", "a", "a\0b"],
    ["a path of more than 255 characters", "a/".repeat(128), "a"],
  ])("refuses %s", (_what, path, text) =>
    expect(refusal(makeNode({}), path, text)).toMatchObject({
      status: 400,
      problems: [{ path: expect.stringContaining("body.properties.files") }],
    }),
  );
});
