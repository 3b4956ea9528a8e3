/** Actions of single emulators: a compute carries them out for its own nodes. The compute and the table are stand-ins. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { findIdlePc, listIdlePcs, resizeDisk } from "../../../functions/actions/on-emulator.ts";
import { AnsweringCompute } from "../../helpers/rig/answering-compute.ts";

const mocks = vi.hoisted(() => ({ readNode: vi.fn(), peerOfNode: vi.fn() }));
vi.mock("../../../functions/actions/read-node.ts", async (original) => ({
  ...(await original<object>()),
  readNode: mocks.readNode,
}));
vi.mock("../../../functions/shared/compute/find.ts", () => ({ peerOfNode: mocks.peerOfNode }));

const nodeOf = (node_type: string, compute_id = "c1") => ({
  project_id: "p1",
  node_id: "n1",
  name: "R1",
  status: "started",
  document: { node_type, compute_id, properties: {}, ports: [], console_type: "telnet", console: null },
});

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
  for (const key of Object.keys(compute.replies)) delete compute.replies[key];
  mocks.readNode.mockReset().mockResolvedValue(nodeOf("dynamips"));
  mocks.peerOfNode.mockReset().mockResolvedValue(compute.peer);
});

const act = (operation: unknown, body: object = {}): Promise<{ status: number; body?: unknown }> =>
  (operation as (request: object) => Promise<{ status: number }>)({
    access: {},
    params: { project_id: "p1", node_id: "n1" },
    body,
  });

describe("a Dynamips router on a compute", () => {
  test("gets the idle-PC value that the compute finds", async () => {
    compute.replies["GET /projects/p1/dynamips/nodes/n1/auto_idlepc"] = { body: { idlepc: "0x60c09aa0" } };
    expect(await act(findIdlePc)).toEqual({ status: 200, body: { idlepc: "0x60c09aa0" } });
    expect(mocks.peerOfNode.mock.calls[0]![0].project_id).toBe("p1");
  });

  test("gets the values that the compute proposes, or its refusal", async () => {
    const call = "GET /projects/p1/dynamips/nodes/n1/idlepc_proposals";
    compute.replies[call] = { body: ["0x60c09aa0 [20]"] };
    expect(await act(listIdlePcs)).toEqual({ status: 200, body: ["0x60c09aa0 [20]"] });
    compute.replies[call] = { status: 409, body: { message: "Router R1 is not running", status: 409 } };
    await expect(act(listIdlePcs)).rejects.toMatchObject({
      code: "compute.refused",
      message: expect.stringContaining("Router R1 is not running"),
    });
  });

  test("has no disk to resize", async () => {
    await expect(act(resizeDisk)).rejects.toMatchObject({ code: "node.type-not-emulated" });
    expect(compute.asked).toEqual([]);
  });
});

describe("a QEMU machine on a compute", () => {
  const PATH = "/projects/p1/qemu/nodes/n1/resize_disk";
  beforeEach(() => mocks.readNode.mockResolvedValue(nodeOf("qemu")));

  test("gets a larger disk", async () => {
    compute.replies[`POST ${PATH}`] = { status: 201, body: {} };
    expect(await act(resizeDisk, { drive_name: "hda", extend: 1024 })).toEqual({ status: 201 });
    const [{ method, path, body }] = compute.asked as [(typeof compute.asked)[number]];
    expect([method, path, JSON.parse(body)]).toEqual(["POST", PATH, { drive_name: "hda", extend: 1024 }]);
  });
});

test.each([
  ["auto_idlepc", findIdlePc, "dynamips"],
  ["idlepc_proposals", listIdlePcs, "dynamips"],
  ["resize_disk", resizeDisk, "qemu"],
] as const)(
  "%s is refused for a node that the service keeps itself",
  async (_title, operation, node_type) => {
    mocks.readNode.mockResolvedValue(nodeOf(node_type, "local"));
    await expect(act(operation)).rejects.toMatchObject({ code: "node.type-not-emulated", status: 409 });
    expect(mocks.peerOfNode).not.toHaveBeenCalled();
  },
);
