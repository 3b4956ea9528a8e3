/** The settings of the helper machine with the engine `ec2`: EC2, the table and the machine's item are stand-ins. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { listEngines, listVms } from "../../../functions/simvm/engines.ts";
import { getSimVm, updateSimVm } from "../../../functions/simvm/settings.ts";

const mocks = vi.hoisted(() => ({
  readService: vi.fn(),
  writeSimVm: vi.fn(),
  listInstances: vi.fn(),
  readHelper: vi.fn(),
  chooseType: vi.fn(),
}));
vi.mock("../../../functions/shared/store/base/service.ts", () => mocks);
vi.mock("../../../functions/shared/store/ec2/instances.ts", () => mocks);
vi.mock("../../../functions/shared/store/helper/helper.ts", () => mocks);
vi.mock("../../../functions/shared/machine/choose-type.ts", () => mocks);

const OFF = {
  enable: false,
  engine: "remote",
  vmname: null,
  when_exit: "stop",
  headless: false,
  allocate_vcpus_ram: true,
  ram: 2048,
  vcpus: 1,
  port: 80,
};
const ON = { ...OFF, enable: true, engine: "ec2" };

let stored: typeof OFF;
beforeEach(() => {
  vi.unstubAllEnvs();
  vi.stubEnv("HELPER_STACK", "Wirelab");
  vi.stubEnv("HELPER_TYPE", "c8i.xlarge");
  stored = OFF;
  for (const mock of Object.values(mocks)) mock.mockReset();
  mocks.readService.mockImplementation(async () => ({
    computes: [
      { compute_id: "c1", name: "lab-1" },
      { compute_id: "vm", name: "Wirelab helper" },
    ],
    simvm: stored,
    simvmRevision: 3,
  }));
  mocks.writeSimVm.mockResolvedValue(true);
  mocks.listInstances.mockResolvedValue([{ name: "own image", type: "m8i.large", canHibernate: false }]);
  mocks.readHelper.mockResolvedValue({ state: "off" });
});

const ask = (operation: unknown, request: object = {}) =>
  (operation as (request: object) => Promise<{ status: number; body: unknown }>)(request);
const put = (body: object) => ask(updateSimVm, { body });

describe("the engine ec2", () => {
  test("is listed where the stack has a helper machine, with the machine and the instances of the tag", async () => {
    const engines = (await ask(listEngines)).body as { engine_id: string; support_when_exit: boolean }[];
    expect(engines.map(({ engine_id, support_when_exit }) => [engine_id, support_when_exit])).toEqual([
      ["remote", false],
      ["ec2", true],
    ]);
    expect((await ask(listVms, { params: { engine: "ec2" } })).body).toEqual([
      { vmname: "Wirelab helper" },
      { vmname: "own image" },
    ]);
    expect(mocks.listInstances).toHaveBeenCalledWith("Wirelab");
    expect((await ask(listVms, { params: { engine: "remote" } })).body).toEqual([{ vmname: "lab-1" }]);
  });

  test("is unknown elsewhere", async () => {
    vi.stubEnv("HELPER_STACK", "");
    expect(((await ask(listEngines)).body as object[]).length).toBe(1);
    const vms = ask(listVms, { params: { engine: "ec2" } });
    await expect(vms).rejects.toMatchObject({ code: "simvm.engine-not-found", status: 404 });
    await expect(put({ enable: true, engine: "ec2" })).rejects.toMatchObject({ code: "request.invalid" });
    stored = ON;
    await expect(put({ ram: 4096 })).rejects.toMatchObject({ code: "simvm.engine-not-found" });
    expect(mocks.writeSimVm).not.toHaveBeenCalled();
  });

  test("stores settings for the machine of the stack, before it has an instance", async () => {
    mocks.listInstances.mockResolvedValue([]);
    expect(await put({ enable: true, engine: "ec2", vcpus: 4 })).toEqual({
      status: 201,
      body: { ...ON, vcpus: 4 },
    });
    expect(mocks.writeSimVm).toHaveBeenCalledWith({ ...ON, vcpus: 4 }, 3);
    expect(mocks.chooseType.mock.calls[0]![0]).toBe("c8i.xlarge");
  });

  test("stores settings for an instance with the tag, whose type has to be large enough", async () => {
    await put({ enable: true, engine: "ec2", vmname: "own image" });
    expect(mocks.chooseType.mock.calls[0]![0]).toBe("m8i.large");
    mocks.chooseType.mockRejectedValue(new Error("no type is large enough"));
    await expect(put({ enable: true, engine: "ec2", ram: 1e6 })).rejects.toThrow("large enough");
    expect(mocks.writeSimVm).toHaveBeenCalledTimes(1);
  });

  test("refuses an instance that is not there", async () => {
    const answer = put({ enable: true, engine: "ec2", vmname: "other" });
    await expect(answer).rejects.toMatchObject({ code: "simvm.vm-not-found" });
  });

  test("refuses hibernation of an instance that is not made for it", async () => {
    const suspend = { enable: true, engine: "ec2", when_exit: "suspend" };
    await expect(put({ ...suspend, vmname: "own image" })).rejects.toMatchObject({ code: "simvm.refused" });
    await expect(put(suspend)).rejects.toMatchObject({ code: "simvm.refused" });
    vi.stubEnv("HELPER_HIBERNATION", "true");
    expect((await put(suspend)).status).toBe(201);
  });

  test.each([
    ["engine", { engine: "remote", vmname: null, enable: false }],
    ["vmname", { vmname: "own image" }],
  ])("keeps its %s while the machine is not off", async (what, change) => {
    stored = ON;
    mocks.readHelper.mockResolvedValue({ state: "stopping" });
    await expect(put(change)).rejects.toMatchObject({
      code: "simvm.refused",
      message: expect.stringContaining(`stopping, so its ${what} cannot be changed`),
    });
    expect((await put({ enable: false })).status).toBe(201);
    mocks.readHelper.mockResolvedValue({ state: "off" });
    expect((await put(change)).status).toBe(201);
  });

  test("writes nothing for settings that are stored, and reads again when another request was first", async () => {
    stored = ON;
    expect(await put({ enable: true })).toEqual({ status: 201, body: ON });
    expect(mocks.writeSimVm).not.toHaveBeenCalled();
    mocks.writeSimVm.mockResolvedValueOnce(false);
    await put({ ram: 4096 });
    expect(mocks.writeSimVm).toHaveBeenCalledTimes(2);
    expect((await ask(getSimVm)).body).toEqual(ON);
  });
});
