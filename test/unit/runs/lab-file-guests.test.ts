/** Lab files with Linux nodes in the service: their images, and how many there may be. test/integration/linux-nodes.test.ts plays some. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BUILDER, imagesFolder, writeImage } from "@wirelab/linux/image/image";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

vi.mock("../../../functions/shared/store/base/objects.ts", () => ({
  readObject: async () => undefined,
  listObjects: async () => ({ objects: [], isLast: true }),
}));
const { runLabFile } = await import("../../../functions/runs/lab-file-guests.ts");

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
afterEach(() => vi.unstubAllEnvs());

const run = (nodes: object, query = {}) =>
  runLabFile({ body: { file: JSON.stringify({ nodes }), query }, remainingTimeMs: () => 900_000 });
const FRR = { type: "linux", image: "frr" };

test("an image that the service does not have is a problem of the file, with its line and the commands that make it", async () => {
  await expect(run({ a: FRR, b: { type: "linux", image: "bird" } })).rejects.toMatchObject({
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
  vi.stubEnv("LINUX_MAX_GUESTS", "1");
  await expect(run(nodes)).rejects.toMatchObject({ code: "run.too-many-guests", facts: { limit: 1 } });
  vi.stubEnv("LINUX_MAX_GUESTS", "2");
  vi.stubEnv("LINUX_MAX_MEMORY_MB", "255");
  await expect(run(nodes)).rejects.toMatchObject({ code: "run.too-much-memory", facts: { amount: 256 } });
});

test("nodes that are off need no machine, and a failure that the lab does not have is refused", async () => {
  const off = { a: { ...FRR, started: false } };
  expect(await run(off)).toMatchObject({ status: 200, body: { status: "passed" } });
  await expect(run(off, { fail: "node:x" })).rejects.toMatchObject({ code: "request.invalid" });
});
