/** What the emulators' routes ask of a registered compute, which is a stand-in. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { findIdlePc } from "../../../functions/emulators/idle-pc.ts";
import {
  getComputePorts,
  listImages,
  postToEmulator,
  putToEmulator,
  readEmulator,
} from "../../../functions/emulators/operations.ts";
import { AnsweringCompute } from "../../helpers/rig/answering-compute.ts";

const found = vi.hoisted(() => ({ findPeer: vi.fn(), registeredIn: vi.fn() }));
vi.mock("../../../functions/shared/compute/find.ts", () => found);

const OPERATIONS = { getComputePorts, listImages, readEmulator, postToEmulator, putToEmulator };

const call = (name: keyof typeof OPERATIONS, params: object, body?: unknown) =>
  (OPERATIONS[name] as (request: never) => Promise<{ status: number; body: unknown }>)({
    params: { compute_id: "c1", ...params },
    body,
  } as never);

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
  found.findPeer.mockResolvedValue(compute.peer);
});
const askedFor = (): string[] => compute.asked.map(({ method, path }) => `${method} ${path}`);

describe("a registered compute", () => {
  test("returns its ports, without fields that the interface does not have", async () => {
    const ports = { console_port_range: [5, 6], console_ports: [5], udp_port_range: [7, 8], udp_ports: [] };
    compute.replies["GET /network/ports"] = { body: { ...ports, other: 1 } };
    expect(await call("getComputePorts", {})).toEqual({ status: 200, body: ports });
    expect(compute.asked[0]?.authorization).toBe(`Basic ${btoa("u:p")}`);
  });

  test("returns its images", async () => {
    const images = [{ filename: "a.img", filesize: 3, md5sum: "00", path: "a.img" }];
    compute.replies["GET /qemu/images"] = { body: images };
    expect(await call("listImages", { emulator: "qemu" })).toEqual({ status: 200, body: images });
  });

  test.each([
    ["listImages", { emulator: "qemu" }, "GET /qemu/images", { images: [] }],
    ["getComputePorts", {}, "GET /network/ports", []],
    ["readEmulator", { emulator: "qemu", action: "binaries" }, "GET /qemu/binaries", "<html>"],
  ] as const)("that answers %s in another form is no GNS3 server", async (name, params, request, body) => {
    compute.replies[request] = { body };
    await expect(call(name, params)).rejects.toMatchObject({ code: "compute.not-gns3", status: 409 });
  });

  test("is asked for a path of an emulator, and its answer is returned as it is", async () => {
    compute.replies["GET /qemu/capabilities"] = { body: { kvm: ["x86_64"], other: [1] } };
    const { body } = await call("readEmulator", { emulator: "qemu", action: "capabilities" });
    expect(body).toEqual({ kvm: ["x86_64"], other: [1] });
  });

  test.each(["postToEmulator", "putToEmulator"] as const)("gets the bytes of %s", async (name) => {
    const method = name === "postToEmulator" ? "POST" : "PUT";
    compute.replies[`${method} /qemu/images/a%20b.img`] = { body: "" };
    const bytes = Buffer.from("an image");
    expect(await call(name, { emulator: "qemu", action: "images/a b.img" }, bytes)).toEqual({
      status: 200,
      body: {},
    });
    expect(compute.asked).toMatchObject([{ method, body: "an image" }]);
  });

  test("is not asked for paths of other users' labs", async () => {
    for (const [name, body] of [["readEmulator"], ["postToEmulator", Buffer.of()]] as const)
      await expect(call(name, { emulator: "projects", action: "x/close" }, body)).rejects.toMatchObject({
        code: "compute.action-not-found",
      });
    expect(askedFor()).toEqual([]);
  });

  test.each([
    [404, "compute.missing", 404],
    [403, "compute.forbidden", 403],
    [401, "compute.unauthorized", 409],
    [500, "compute.refused", 409],
    [503, "compute.unreachable", 503],
  ])("that answers %i gives the code %s", async (status, code, shown) => {
    compute.replies["GET /docker/images"] = { status, body: { message: "no docker", status } };
    await expect(call("listImages", { emulator: "docker" })).rejects.toMatchObject({ code, status: shown });
  });
});

describe("the search of an idle-pc value", () => {
  const request = { platform: "c7200", image: "c7200.image", ram: 256 };
  const answerAll = (path: RegExp, reply: object): void => {
    const replies = compute.replies;
    // Ids are random.
    vi.spyOn(compute, "replies", "get").mockReturnValue(
      new Proxy(replies, {
        get: (_target, key) => (path.test(String(key)) ? reply : { body: {} }),
      }),
    );
  };

  test("makes a router in a project of its own, and deletes both", async () => {
    answerAll(/auto_idlepc$/, { body: { idlepc: "0x1234" } });
    expect(await findIdlePc(compute.peer, request)).toEqual({ idlepc: "0x1234" });
    const [created, node, measured, deleted] = compute.asked;
    const { project_id } = JSON.parse(created!.body);
    expect(JSON.parse(node!.body)).toMatchObject(request);
    expect(measured!.path).toContain(`/projects/${project_id}/dynamips/nodes/`);
    expect(deleted).toMatchObject({ method: "DELETE", path: `/projects/${project_id}` });
  });

  test("deletes the project when the compute refuses the router", async () => {
    answerAll(/dynamips\/nodes$/, { status: 409, body: { message: "no dynamips", status: 409 } });
    await expect(findIdlePc(compute.peer, request)).rejects.toMatchObject({ code: "compute.refused" });
    expect(askedFor().at(-1)).toMatch(/^DELETE \/projects\//);
  });
});
