/** Reads Debian's packages (deb(5)): an `ar` archive with `data.tar` in it. */
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { unpackTar } from "modern-tar";
import xzDecompress from "xz-decompress";
import type { Entry } from "./file-tree.ts";

const AR_MAGIC = "!<arch>\n";
const AR_HEADER_BYTES = 60;

/** @throws Error if the bytes are not a package. */
export async function readDeb(deb: Uint8Array): Promise<Map<string, Entry>> {
  const files = new Map<string, Entry>();
  for (const { header, data } of await unpackTar(await dataOf(deb))) {
    const path = header.name.replace(/^\.?\/+/, "").replace(/\/$/, "");
    const mode = (header.mode ?? 0o644) & 0o7777;
    if (path === "") continue;
    if (header.type === "directory") files.set(path, { type: "folder", mode });
    else if (header.type === "symlink")
      files.set(path, { type: "link", mode: 0o777, target: header.linkname! });
    else if (header.type === "link")
      files.set(path, files.get(header.linkname!.replace(/^\.?\/+/, "")) as Entry);
    else if (data) files.set(path, { type: "file", mode, data });
  }
  return files;
}

async function dataOf(deb: Uint8Array): Promise<Uint8Array> {
  const text = (from: number, to: number) => Buffer.from(deb.subarray(from, to)).toString("latin1");
  if (text(0, AR_MAGIC.length) !== AR_MAGIC) throw new Error("the file is not a Debian package");
  for (let at = AR_MAGIC.length; at + AR_HEADER_BYTES <= deb.length; ) {
    const name = text(at, at + 16)
      .trim()
      .replace(/\/$/, "");
    const size = Number(text(at + 48, at + 58));
    const from = at + AR_HEADER_BYTES;
    if (name.startsWith("data.tar")) return decompress(name, deb.slice(from, from + size));
    at = from + size + (size & 1);
  }
  throw new Error("the Debian package has no data.tar");
}

async function decompress(name: string, data: Uint8Array): Promise<Uint8Array> {
  if (name.endsWith(".xz")) return xz(data);
  if (name.endsWith(".zst")) return zstdDecompressSync(data);
  if (name.endsWith(".gz")) return gunzipSync(data);
  return data;
}

async function xz(data: Uint8Array): Promise<Uint8Array> {
  const compressed = new Blob([data as Uint8Array<ArrayBuffer>]).stream();
  return new Uint8Array(await new Response(new xzDecompress.XzReadableStream(compressed)).arrayBuffer());
}
