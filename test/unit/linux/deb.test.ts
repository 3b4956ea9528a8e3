import { gzipSync, zstdCompressSync } from "node:zlib";
import { packTar } from "modern-tar";
import { expect, test } from "vitest";
import { readDeb } from "../../../packages/linux/image/deb.ts";

const tar = await packTar([
  { header: { name: "./", type: "directory", size: 0 } },
  { header: { name: "./usr/", type: "directory", size: 0, mode: 0o755 } },
  { header: { name: "./usr/a", type: "file", size: 3, mode: 0o755 }, body: "one" },
  { header: { name: "./usr/b", type: "symlink", size: 0, linkname: "a" } },
  { header: { name: "./usr/c", type: "link", size: 0, linkname: "./usr/a" } },
]);

function ar(members: readonly (readonly [name: string, data: Uint8Array])[]): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from("!<arch>\n")];
  for (const [name, data] of members) {
    const head = `${name.padEnd(16)}${"0".padEnd(12)}${"0".padEnd(6)}${"0".padEnd(6)}${"100644".padEnd(8)}${String(data.length).padEnd(10)}\`\n`;
    parts.push(Buffer.from(head), data, new Uint8Array(data.length & 1));
  }
  return Buffer.concat(parts);
}

test.each([
  ["data.tar", tar],
  ["data.tar.gz", gzipSync(tar)],
  ["data.tar.zst", zstdCompressSync(tar)],
])("reads files, folders and links of %s", async (name, data) => {
  const files = await readDeb(
    ar([
      ["debian-binary", Buffer.from("2.0\n")],
      ["control.tar", Buffer.from("odd")],
      [name, data],
    ]),
  );
  expect([...files.keys()]).toEqual(["usr", "usr/a", "usr/b", "usr/c"]);
  expect(files.get("usr/a")).toEqual({
    type: "file",
    mode: 0o755,
    data: Uint8Array.from(Buffer.from("one")),
  });
  expect(files.get("usr/b")).toEqual({ type: "link", mode: 0o777, target: "a" });
  expect(files.get("usr/c")).toEqual(files.get("usr/a"));
});

test("refuses other files", async () => {
  await expect(readDeb(Buffer.from("odd"))).rejects.toThrow("not a Debian package");
  await expect(readDeb(ar([["debian-binary", Buffer.from("2.0\n")]]))).rejects.toThrow("no data.tar");
});
