import { expect, test } from "vitest";
import { writeCpio } from "../../../packages/linux/image/cpio.ts";
import { type Entry, join, resolve } from "../../../packages/linux/image/file-tree.ts";

const file = (text: string): Entry => ({ type: "file", mode: 0o755, data: Buffer.from(text) });

test("an archive has its entries in order, and ends with a trailer", () => {
  const archive = Buffer.from(
    writeCpio(
      new Map<string, Entry>([
        ["init", file("#!/bin/sh\n")],
        ["bin", { type: "folder", mode: 0o755 }],
        ["bin/sh", { type: "link", mode: 0o777, target: "dash" }],
      ]),
    ),
  ).toString("latin1");
  expect(archive.length % 4).toBe(0);
  const names = [...archive.matchAll(/070701([0-9a-f]{104})([^\0]+)\0/g)].map(([, fields, name]) => [
    name,
    fields!.slice(8, 16),
  ]);
  expect(names).toEqual([
    ["bin", "000041ed"],
    ["bin/sh", "0000a1ff"],
    ["init", "000081ed"],
    ["TRAILER!!!", "00000000"],
  ]);
});

test("equal entries give equal bytes, in any order", () => {
  const entries: [string, Entry][] = [
    ["a", file("a")],
    ["b", file("b")],
  ];
  expect(writeCpio(new Map(entries))).toEqual(writeCpio(new Map(entries.toReversed())));
});

test("links are followed to a file, and a circle ends", () => {
  const tree = new Map<string, Entry>([
    ["lib/libc.so.6", { type: "link", mode: 0o777, target: "../usr/lib/libc-2.so" }],
    ["usr/lib/libc-2.so", file("elf")],
    ["a", { type: "link", mode: 0o777, target: "b" }],
    ["b", { type: "link", mode: 0o777, target: "a" }],
  ]);
  expect(resolve(tree, "lib/libc.so.6")).toBe("usr/lib/libc-2.so");
  expect(resolve(tree, "a")).toBeUndefined();
  expect(resolve(tree, "none")).toBeUndefined();
  expect(join("bin/sh", "/usr/bin/dash")).toBe("usr/bin/dash");
});
