import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { readComputeFile, writeComputeFile } from "../../../functions/files/compute-files.ts";
import type { NodeItem } from "../../../functions/shared/store/lab/node.ts";
import { AnsweringCompute } from "../../helpers/rig/answering-compute.ts";

const found = vi.hoisted(() => ({ peerOfNode: vi.fn() }));
vi.mock("../../../functions/shared/compute/find.ts", () => found);

const node = {
  project_id: "p",
  node_id: "n",
  document: { node_type: "dynamips", compute_id: "c1" },
} as NodeItem;
const PATH = "/projects/p/files/project-files/dynamips/n/configs/i1%20start.cfg";

let compute: AnsweringCompute;
beforeAll(async () => {
  vi.stubEnv("COMPUTE_LOOPBACK", "true");
  compute = await AnsweringCompute.start();
});
afterAll(() => {
  vi.unstubAllEnvs();
  compute.stop();
});
beforeEach(() => {
  compute.asked.length = 0;
  found.peerOfNode.mockReset().mockResolvedValue(compute.peer);
});

test("a file of a node is read from its compute", async () => {
  compute.replies[`GET ${PATH}`] = { body: "hostname R1" };
  expect(String(Buffer.from(await readComputeFile(node, "configs/i1 start.cfg")))).toBe("hostname R1");
  expect(found.peerOfNode.mock.calls[0]![0].document.compute_id).toBe("c1");
});

test("a file that the compute does not have is not found", async () => {
  await expect(readComputeFile(node, "nosuch")).rejects.toMatchObject({
    code: "node.file-not-found",
    status: 404,
  });
});

test("a compute that refuses a file is not a missing file", async () => {
  compute.replies[`GET ${PATH}`] = { status: 403, body: { message: "no", status: 403 } };
  await expect(readComputeFile(node, "configs/i1 start.cfg")).rejects.toMatchObject({
    code: "compute.forbidden",
  });
});

test("a file is written to the compute, byte by byte", async () => {
  compute.replies[`POST ${PATH}`] = { status: 201, body: "" };
  await writeComputeFile(node, "configs/i1 start.cfg", Buffer.from("hostname R2"));
  expect(compute.asked).toMatchObject([{ method: "POST", path: PATH, body: "hostname R2" }]);
});
