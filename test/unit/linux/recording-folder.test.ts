import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serialize } from "node:v8";
import { zstdCompressSync } from "node:zlib";
import { openRecordings, removeOldest, removeRecordings } from "@wirelab/linux/guest/recording-folder";
import { expect, test } from "vitest";
import type { AdvanceRequest, OpenRequest } from "../../../packages/linux/guest/protocol.ts";
import { decodeRecording, encodeRecording, type Recording } from "../../../packages/linux/guest/recording.ts";
import { EMULATOR } from "../../../packages/linux/machine/emulator.ts";
import packageJson from "../../../packages/linux/package.json" with { type: "json" };

const IMAGE = { name: "frr", digest: "one" };
const OPEN = {
  kind: "open",
  seed: [1, 2, 3, 4],
  epochMs: 5,
  nowNs: 6,
  memoryMiB: 128,
} as unknown as OpenRequest;
const first = (text: string): AdvanceRequest => ({
  kind: "advance",
  toNs: 6,
  inputs: [{ kind: "serial", port: 1, data: Buffer.from(text) }],
});
const recordingOf = (text: string): Recording => ({
  requests: [first(text)],
  replies: [
    {
      kind: "advanced",
      nowNs: 8,
      wakeNs: Number.POSITIVE_INFINITY,
      outputs: [{ kind: "frame", port: 0, atNs: 7, data: Uint8Array.of(1, 2) }],
    },
  ],
  difference: Uint8Array.of(9, 9),
  nowNs: 8,
});
const newFolder = () => join(mkdtempSync(join(tmpdir(), "wirelab-configured-")), "configured");
const filesOf = (folder: string) => readdirSync(join(folder, "frr"));

test("a file has no objects and no code: any bytes are a recording or none", () => {
  const written = encodeRecording(recordingOf("a"));
  expect(decodeRecording(written)).toEqual({
    ...recordingOf("a"),
    requests: [
      { ...first("a"), inputs: [{ kind: "serial", port: 1, data: new Uint8Array(Buffer.from("a")) }] },
    ],
  });
  const sealed = (body: Uint8Array) => {
    const packed = zstdCompressSync(body);
    return Buffer.concat([createHash("sha256").update(packed).digest(), packed]);
  };
  const of = (text: unknown, ...rest: Uint8Array[]) => {
    const json = Buffer.from(JSON.stringify(text));
    const head = Buffer.alloc(4);
    head.writeUInt32LE(json.length);
    return sealed(Buffer.concat([head, json, ...rest]));
  };
  const whole = { requests: [], replies: [], difference: 2, nowNs: 8 };
  expect(decodeRecording(of(whole, Uint8Array.of(1, 2)))?.difference).toEqual(Uint8Array.of(1, 2));
  for (const [text, ...rest] of [
    [null],
    [{}],
    [{ ...whole, requests: "x" }, Uint8Array.of(1, 2)],
    [{ ...whole, requests: [[1, [["exec", 0, 0]]]] }, Uint8Array.of(1, 2)],
    [{ ...whole, requests: [[1, [["frame", -1, 0]]]] }, Uint8Array.of(1, 2)],
    [{ ...whole, replies: [[1, "x", []]] }, Uint8Array.of(1, 2)],
    [{ ...whole, difference: 1e9 }, Uint8Array.of(1, 2)],
  ] as const)
    expect(decodeRecording(of(text, ...(rest as Uint8Array[]))), JSON.stringify(text)).toBeUndefined();
  for (const body of [
    new Uint8Array(0),
    Uint8Array.of(1, 2),
    serialize({ requests: [] }),
    Buffer.from("\x05\0\0\0[1,2"),
  ])
    expect(decodeRecording(sealed(body))).toBeUndefined();
  expect(decodeRecording(written.subarray(1))).toBeUndefined();
});

test("a recording is found again by what the guest was opened with and is asked first", () => {
  const folder = newFolder();
  expect(openRecordings(folder, IMAGE, OPEN).areThere).toBe(false);
  openRecordings(folder, IMAGE, OPEN).store(recordingOf("a"));
  const recordings = openRecordings(folder, IMAGE, OPEN);
  expect(recordings.areThere).toBe(true);
  const found = recordings.find(first("a"))!;
  expect(found.replies[0]!.wakeNs).toBe(Number.POSITIVE_INFINITY);
  expect({ ...found.replies[0]!.outputs[0], data: [1, 2] }).toEqual({
    kind: "frame",
    port: 0,
    atNs: 7,
    data: [1, 2],
  });
  expect([...found.difference]).toEqual([9, 9]);
  expect(Buffer.from(found.requests[0]!.inputs[0]!.data).toString()).toBe("a");
  expect(recordings.find(first("another configuration"))).toBeUndefined();
});

test.each([
  ["another image", { ...IMAGE, digest: "two" }, OPEN],
  ["another seed", IMAGE, { ...OPEN, seed: [1, 2, 3, 5] as const }],
])("%s has other recordings", (_name, image, open) => {
  const folder = newFolder();
  openRecordings(folder, IMAGE, OPEN).store(recordingOf("a"));
  const other = openRecordings(folder, image, open);
  expect(other.areThere).toBe(false);
  expect(other.find(first("a"))).toBeUndefined();
});

test.each([
  ["cut", (bytes: Buffer) => bytes.subarray(0, bytes.length - 1)],
  ["empty", () => Buffer.alloc(0)],
  ["of another kind", () => Buffer.from("a text of somebody else that is longer than a digest")],
  ["changed", (bytes: Buffer) => bytes.map((byte, at) => (at === 40 ? byte ^ 1 : byte))],
])("a file that is %s is no recording, and is replaced", (_name, damage) => {
  const folder = newFolder();
  const recordings = openRecordings(folder, IMAGE, OPEN);
  recordings.store(recordingOf("a"));
  const path = join(folder, "frr", filesOf(folder)[0]!);
  writeFileSync(path, damage(readFileSync(path)));
  expect(recordings.find(first("a"))).toBeUndefined();
  recordings.store(recordingOf("a"));
  expect(recordings.find(first("a"))).toBeDefined();
  expect(filesOf(folder)).toHaveLength(1);
});

test("a folder that cannot be written costs the recording only", () => {
  const folder = newFolder();
  mkdirSync(join(folder, ".."), { recursive: true });
  writeFileSync(folder, "a file");
  const recordings = openRecordings(folder, IMAGE, OPEN);
  recordings.store(recordingOf("a"));
  expect(recordings.areThere).toBe(false);
  expect(recordings.find(first("a"))).toBeUndefined();
});

test("what was used last stays, up to a number of files and of bytes", () => {
  const folder = newFolder();
  const recordings = openRecordings(folder, IMAGE, OPEN);
  const texts = ["a", "b", "c"];
  const paths = texts.map((text, at) => {
    const before = new Set(at === 0 ? [] : filesOf(folder));
    recordings.store(recordingOf(text));
    const path = join(folder, "frr", filesOf(folder).find((name) => !before.has(name))!);
    utimesSync(path, 1_000 + at, 1_000 + at);
    return path;
  });
  const left = () => texts.filter((text) => recordings.find(first(text)) !== undefined);
  recordings.find(first("a"));
  removeOldest(folder, { files: 2, bytes: 1e6 });
  expect(left()).toEqual(["a", "c"]);
  utimesSync(paths[0]!, 1_000, 1_000);
  removeOldest(folder, { files: 2, bytes: readFileSync(paths[2]!).length });
  expect(left()).toEqual(["c"]);
});

test("go with their image", () => {
  const folder = newFolder();
  openRecordings(folder, IMAGE, OPEN).store(recordingOf("a"));
  openRecordings(folder, { ...IMAGE, name: "bird" }, OPEN).store(recordingOf("a"));
  removeRecordings(folder, "frr");
  removeRecordings(folder, "none");
  expect(readdirSync(folder)).toEqual(["bird"]);
});

test("are of the emulator's version that is used", () => {
  expect(EMULATOR.split(",")[0]).toBe(`v86 ${packageJson.dependencies.v86}`);
});
