/** Lab files with Linux nodes in the service, and their sweeps: their images, how many there may be, and their time. test/integration/linux-nodes.test.ts plays some. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BUILDER, imagesFolder, writeImage } from "@wirelab/linux/image/image";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const objects = new Map<string, Uint8Array>();
vi.mock("../../../functions/shared/store/base/objects.ts", () => ({
  readObject: async (key: string) => objects.get(key),
  putObject: async (key: string, bytes: Uint8Array) => objects.set(key, bytes),
  listObjects: async (prefix: string) => ({
    objects: [...objects.keys()].filter((key) => key.startsWith(prefix)).map((key) => ({ key })),
    isLast: true,
  }),
}));
const { checkGuests } = await import("../../../functions/shared/lab-file/check-guests.ts");
const { readResults, saveInput } = await import("../../../functions/shared/lab-file/stored-sweep.ts");
const { playBatch, runLabFile } = await import("../../../functions/runs/lab-file-guests.ts");

beforeEach(() => {
  const cache = mkdtempSync(join(tmpdir(), "wirelab-lab-file-"));
  vi.stubEnv("WIRELAB_CACHE", cache);
  const facts = {
    digest: "d",
    builder: BUILDER,
    memoryMiB: 128,
    nowNs: 0,
    epochMs: 0,
    configure: [],
    packages: [],
  };
  const files = { bios: new Uint8Array(1), vgaBios: new Uint8Array(2), state: new Uint8Array(3) };
  writeImage(imagesFolder(cache), { name: "frr", ...facts }, files);
});
afterEach(() => {
  vi.unstubAllEnvs();
  objects.clear();
});

const run = (nodes: object, query = {}, { more = {}, note = (_seconds: number) => {} } = {}) =>
  runLabFile({
    body: { file: JSON.stringify({ nodes, ...more }), query },
    remainingTimeMs: () => 900_000,
    note,
  });
/** As `POST /labs/sweep` does before it starts one. */
const check = (nodes: object) => checkGuests(new TextEncoder().encode(JSON.stringify({ nodes })));
const FRR = { type: "linux", image: "frr" };

test("an image that the service does not have is a problem of the file, with its line and the commands that make it", async () => {
  const nodes = { a: FRR, b: { type: "linux", image: "bird" } };
  for (const refused of [run(nodes), check(nodes)])
    await expect(refused).rejects.toMatchObject({
      code: "request.invalid",
      problems: [
        {
          path: expect.stringMatching(/^body:1:\d+$/),
          message: expect.stringContaining("wirelab image build bird && wirelab image push bird"),
        },
      ],
    });
});

test("all Linux nodes of a file count towards the limits, also one that is off", async () => {
  const nodes = { a: FRR, b: { ...FRR, started: false } };
  const refusal = { code: "run.too-many-guests", facts: { limit: 1 } };
  vi.stubEnv("LINUX_MAX_GUESTS", "1");
  await expect(run(nodes)).rejects.toMatchObject(refusal);
  await expect(check(nodes)).rejects.toMatchObject(refusal);
  vi.stubEnv("LINUX_MAX_GUESTS", "2");
  await check(nodes);
  const lack = { code: "run.too-much-memory", facts: { amount: 256 } };
  vi.stubEnv("LINUX_MAX_MEMORY_MB", "255");
  await expect(run(nodes)).rejects.toMatchObject(lack);
  await expect(check(nodes)).rejects.toMatchObject(lack);
});

test("nodes that are off need no machine, and a failure that the lab does not have is refused", async () => {
  const off = { a: { ...FRR, started: false } };
  expect(await run(off)).toMatchObject({ status: 200, body: { status: "passed" } });
  await expect(run(off, { fail: "node:x" })).rejects.toMatchObject({ code: "request.invalid" });
});

test("a run notes the lab time of its boot and its timeline", async () => {
  const seconds: number[] = [];
  const nodes = { a: "10.0.0.1/24", b: "10.0.0.2/24", off: { ...FRR, started: false } };
  const more = {
    links: ["a -- b"],
    run: [{ at: 0, console: { a: ["ping 10.0.0.2 -c 30"] } }],
    duration: "40s",
  };
  await run(nodes, {}, { more, note: (elapsed) => seconds.push(elapsed) });
  expect(seconds.length).toBeGreaterThan(3);
  expect(seconds).toEqual(seconds.toSorted((a, b) => a - b));
  expect(seconds[1]).toBeLessThan(40);
  // The boot takes some seconds.
  expect(seconds.at(-1)).toBeGreaterThan(40);
  expect(seconds.at(-1)).toBeLessThan(50);
});

/** Two PCs and a node that is off, with three seeds. @returns the results of the batches that were played. */
async function sweep(batches: readonly number[], remainingTimeMs: number) {
  const nodes = { a: "10.0.0.1/24", b: "10.0.0.2/24", off: { ...FRR, started: false } };
  const file = JSON.stringify({ nodes, links: ["a -- b"], expect: [{ reach: "a -> b" }] });
  await saveInput("sweeps/one", { file, settings: { seed: "x", seeds: 3 }, cases: 3 });
  for (const batch of batches) await playBatch({ sweep: "sweeps/one", batch }, () => remainingTimeMs);
  return readResults("sweeps/one");
}

test("a batch of a sweep has one case, and a batch that is repeated counts once", async () => {
  const passed = { passed: 1, failed: 0, undecided: 0, failing: [] };
  expect(await sweep([2, 0, 0], 900_000)).toEqual([passed, passed]);
});

test("a case that has no time left is undecided, with its seed", async () => {
  expect(await sweep([1], 0)).toMatchObject([
    { passed: 0, undecided: 1, failing: [{ seed: "x-2", status: "undecided" }] },
  ]);
});

test("a batch of a sweep that is not stored fails", async () => {
  await expect(playBatch({ sweep: "sweeps/none", batch: 0 }, () => 900_000)).rejects.toThrow("sweeps/none");
});
