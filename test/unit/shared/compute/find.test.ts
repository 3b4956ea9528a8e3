/** How computes are found for calls: the helper machine is asked for, with the project that uses it. */
import { beforeEach, expect, test, vi } from "vitest";
import { findPeer, peerOfNode } from "../../../../functions/shared/compute/find.ts";

const mocks = vi.hoisted(() => ({ ensureHelper: vi.fn(), readService: vi.fn() }));
vi.mock("../../../../functions/shared/machine/ensure.ts", () => mocks);
vi.mock("../../../../functions/shared/store/base/service.ts", () => mocks);

const at = (compute_id: string, name = compute_id) => ({
  compute_id,
  name,
  protocol: "http",
  host: "10.0.0.1",
  port: 80,
});
const nodeOn = (compute_id: string) => ({ project_id: "p1", document: { compute_id } }) as never;

beforeEach(() => {
  vi.stubEnv("HELPER_STACK", "wirelab");
  vi.stubEnv("HELPER_TYPE", "c8i.xlarge");
  mocks.ensureHelper.mockReset();
  mocks.readService.mockReset().mockResolvedValue({
    computes: [at("c1"), at("vm")],
    simvm: { enable: true, engine: "ec2", vmname: null },
  });
});

test("the project of a node on the helper machine keeps it running", async () => {
  expect((await peerOfNode(nodeOn("vm"))).name).toBe("vm");
  expect(mocks.ensureHelper.mock.calls).toEqual([["p1"]]);
});

test("a call to another compute does not ask for the helper machine", async () => {
  expect((await peerOfNode(nodeOn("c1"))).name).toBe("c1");
  vi.stubEnv("HELPER_STACK", "");
  await findPeer("vm");
  expect(mocks.ensureHelper).not.toHaveBeenCalled();
});

test("the engine `remote` stands for the compute that its settings name", async () => {
  const simvm = { enable: true, engine: "remote", vmname: "named" };
  mocks.readService.mockResolvedValue({ computes: [at("c1", "named")], simvm });
  vi.stubEnv("HELPER_STACK", "");
  expect(await findPeer("vm")).toMatchObject({ name: "named" });
});

test.each(["local", "c2"])("%s is no registered compute", async (id) => {
  await expect(findPeer(id)).rejects.toMatchObject({ code: "compute.not-found" });
});
