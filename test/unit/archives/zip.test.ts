/** Zip archives: what is written can be read by others, and what others write is read, or refused with the reason. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { unzipSync, zipSync } from "fflate";
import { describe, expect, onTestFinished, test } from "vitest";
import { MAX_ENTRIES, readZip } from "../../../functions/archives/zip-reader.ts";
import { type Compression, writeZip } from "../../../functions/archives/zip-writer.ts";
import { directoryOf, withField, zip } from "../../helpers/archives/zip.ts";
import { hasProgram } from "../../helpers/captures/pcap.ts";

async function written(files: Record<string, Uint8Array>, compression: Compression = "zip"): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const entries = Object.entries(files).map(([name, bytes]) => ({ name, read: async () => bytes }));
  for await (const chunk of writeZip(entries, compression)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const FILES = {
  "project.gns3": Buffer.from('{"name": "lab"}'.repeat(50)),
  "empty.txt": Buffer.alloc(0),
  "a/ü.bin": Buffer.from(Uint8Array.from({ length: 200_000 }, (_, index) => (index * 7919) % 251)),
};

/** The contents of an archive by the name of their entries. */
const contentsOf = (archive: Buffer) =>
  Object.fromEntries([...readZip(archive)].map(([name, entry]) => [name, entry.read()]));

describe.each(["zip", "none"] as const)("an archive written with the compression %s", (compression) => {
  test("has its entries in order, and is read by this reader and by another", async () => {
    const archive = await written(FILES, compression);
    expect([...readZip(archive).keys()]).toEqual(Object.keys(FILES));
    expect(contentsOf(archive)).toEqual(FILES);
    for (const [name, bytes] of Object.entries(unzipSync(archive)))
      expect(Buffer.from(bytes).equals(FILES[name as keyof typeof FILES]), name).toBe(true);
    expect(archive.length < 150_000).toBe(compression === "zip");
  });

  test.each([
    ["parts", ["one, ", "two, ", "", "three"]],
    ["no parts", []],
  ])("has an entry that comes in %s", async (_what, parts) => {
    const read = async function* () {
      for (const part of parts) yield Buffer.from(part);
    };
    const chunks: Uint8Array[] = [];
    const after = { name: "b", read: async () => Buffer.from("after") };
    for await (const chunk of writeZip([{ name: "a", read }, after], compression)) chunks.push(chunk);
    const contents = unzipSync(Buffer.concat(chunks));
    expect(Object.entries(contents).map(([name, bytes]) => [name, Buffer.from(bytes).toString()])).toEqual([
      ["a", parts.join("")],
      ["b", "after"],
    ]);
  });

  test.skipIf(!hasProgram("python3"))("is read by Python's zipfile", async () => {
    const folder = mkdtempSync(join(tmpdir(), "wirelab-zip-"));
    try {
      writeFileSync(join(folder, "a.zip"), await written(FILES, compression));
      const script =
        "import sys,zipfile;z=zipfile.ZipFile(sys.argv[1]);print(z.testzip(),[(i.filename,i.file_size) for i in z.infolist()])";
      expect(
        execFileSync("python3", ["-c", script, join(folder, "a.zip")])
          .toString()
          .trim(),
      ).toBe(`None [('project.gns3', 750), ('empty.txt', 0), ('a/ü.bin', 200000)]`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test("equal entries make equal archives", async () => {
  expect((await written(FILES)).equals(await written(FILES))).toBe(true);
});

describe("an archive of another program", () => {
  /** Written by Python's zipfile, which desktop clients use. */
  const PYTHON = `
import sys, zipfile
method = {"stored": 0, "deflate": 8, "bzip2": 12, "lzma": 14}[sys.argv[1]]
with zipfile.ZipFile(sys.argv[2], "w", method) as archive:
    for name, part, times in (("project.gns3", b'{"name": "lab"}', 50), ("empty.txt", b"", 1), ("bytes", bytes(range(256)), 900)):
        archive.writestr(name, part * times)
`;

  test.skipIf(!hasProgram("python3")).each(["stored", "deflate", "bzip2", "lzma"])(
    "is read when it is compressed with %s; damage and claimed sizes are found",
    (method) => {
      const folder = mkdtempSync(join(tmpdir(), "wirelab-zip-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      execFileSync("python3", ["-c", PYTHON, method, join(folder, "a.zip")]);
      const archive = readFileSync(join(folder, "a.zip"));
      expect(contentsOf(archive)).toEqual({
        "project.gns3": Buffer.from('{"name": "lab"}'.repeat(50)),
        "empty.txt": Buffer.alloc(0),
        bytes: Buffer.concat(
          Array.from({ length: 900 }, () => Buffer.from(Array.from({ length: 256 }, (_, i) => i))),
        ),
      });
      for (const size of [749, 751, 40_000_000])
        expect(() => contentsOf(withField(archive, 0, 24, size, 4))).toThrow('"project.gns3" is damaged');
    },
  );

  test("is read when it is compressed with Zstandard", () => {
    const content = Buffer.from('{"name": "lab"}'.repeat(50));
    const stored = zipSync({ a: zstdCompressSync(content) }, { level: 0 });
    const packed = withField(Buffer.from(stored), 0, 10, 93);
    const sized = withField(withField(packed, 0, 24, content.length, 4), 0, 16, crc32(content), 4);
    expect(contentsOf(sized)).toEqual({ a: content });
  });

  test("is read with a comment at its end, without its folders", () => {
    const archive = zip({ "a/": "", "a/b.txt": "b" });
    archive.writeUInt16LE(3, archive.length - 2);
    const commented = Buffer.concat([archive, Buffer.from("abc")]);
    expect(contentsOf(commented)).toEqual({ "a/b.txt": Buffer.from("b") });
  });

  test("may separate folders by backslashes", () => {
    expect([...readZip(zip({ "a\\b.txt": "b" })).keys()]).toEqual(["a/b.txt"]);
  });

  const one = zip({ "a.txt": "hello hello hello hello" });
  const two = zip({ "a.txt": "1", "b.txt": "2" });
  const NAME_AT = 46;
  /** The directory names its second entry like the first. */
  const twice = Buffer.from(two);
  twice.write("a.txt", directoryOf(two)[1]! + NAME_AT, "latin1");

  test.each([
    ["no archive", Buffer.from("no archive")],
    ["nothing", Buffer.alloc(0)],
    ["a cut archive", one.subarray(0, one.length - 1)],
    ["a directory that is not there", withField(one, 0, 0, 0, 4)],
    ["an entry that is not there", withField(one, 0, 42, 500, 4)],
    ["an entry that is longer than the archive", withField(one, 0, 20, 5_000, 4)],
    ["sizes in the ZIP64 extension", withField(one, 0, 24, 0xffff_ffff, 4)],
  ])("is refused with %s", (_what, archive) => {
    expect(() => contentsOf(archive)).toThrow("Cannot import project, not a GNS3 project (invalid zip)");
  });

  test.each([
    ["a wrong checksum", withField(one, 0, 16, 1, 4), 'its entry "a.txt" is damaged'],
    ["less content than announced", withField(one, 0, 24, 24, 4), 'its entry "a.txt" is damaged'],
    ["more content than announced", withField(one, 0, 24, 22, 4), 'its entry "a.txt" is damaged'],
    ["encryption", withField(one, 0, 8, 1), 'its entry "a.txt" is encrypted'],
    ["a symbolic link", withField(one, 0, 40, 0o120777), 'its entry "a.txt" is a symbolic link'],
    [
      "Deflate64",
      withField(one, 0, 10, 9),
      "has compression method 9; what is read: entries that are stored, or compressed with",
    ],
    ["bytes that are not bzip2", withField(one, 0, 10, 12), 'its entry "a.txt" is damaged'],
    ["bytes that are not LZMA", withField(one, 0, 10, 14), 'its entry "a.txt" is damaged'],
    ["bytes that are not Zstandard", withField(one, 0, 10, 93), 'its entry "a.txt" is damaged'],
    ["a second entry of a name", twice, 'it has two entries with the name "a.txt"'],
  ])("is refused with %s", (_what, archive, message) => {
    expect(() => contentsOf(archive)).toThrow(message);
  });

  test.each(["../a", "a/../../b", "/etc/passwd", "a//b", "./a", "..\\a", "C:/a", "c:a"])(
    "is refused with an entry named %s",
    (name) => expect(() => readZip(zip({ [name]: "x" }))).toThrow("has a path outside of the project"),
  );

  test("is refused with more entries than the limit", () => {
    const names = Array.from({ length: MAX_ENTRIES + 1 }, (_, index) => [`${index}`, ""]);
    expect(() => readZip(zip(Object.fromEntries(names)))).toThrow(
      "it has 5001 entries, and the limit is 5000",
    );
  });

  test("is refused when its entries are together larger than the limit, before one is inflated", () => {
    const bomb = zip({ a: new Uint8Array(40 * 1024 * 1024), b: new Uint8Array(40 * 1024 * 1024) });
    expect(bomb.length).toBeLessThan(200_000);
    expect(() => readZip(bomb)).toThrow("its entries have more than 67108864 bytes");
  });

  test("that announces less than it holds is inflated no further than announced", () => {
    const bomb = withField(zip({ a: new Uint8Array(40 * 1024 * 1024) }), 0, 24, 10, 4);
    expect(() => contentsOf(bomb)).toThrow('its entry "a" is damaged');
  });
});

test("any bytes are read, or refused with a reason", () => {
  const archive = zip({ "a.txt": "hello", "b/c.txt": "world".repeat(20) });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(archive.length - 1), fc.nat(255)), { maxLength: 6 }), (changes) => {
      const bytes = Buffer.from(archive);
      for (const [at, value] of changes) bytes[at] = value;
      try {
        contentsOf(bytes);
      } catch (error) {
        expect((error as { code?: string }).code).toBe("project.import-refused");
      }
    }),
    { seed: 12, numRuns: 500 },
  );
});
