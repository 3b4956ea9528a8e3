/** A real compute, as the service shows it. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { computePrograms, NEEDED } from "../helpers/rig/programs.ts";
import { Rig } from "../helpers/rig/rig.ts";

/** A state is shown for so long: functions/computes/states.ts. */
const FRESH_MS = 5_000;

describe.skipIf(computePrograms === undefined)(`a registered compute (${NEEDED})`, () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await Rig.start(1);
  });
  afterAll(() => rig?.stop());

  test("is connected, with its version, node types and load, and without its password", async () => {
    const compute = await rig.done("GET", "/computes/compute-1");
    expect(compute).toMatchObject({
      connected: true,
      last_error: null,
      capabilities: {
        node_types: expect.arrayContaining(["vpcs", "qemu"]),
        platform: "linux",
        version: expect.stringMatching(/^2\.2\./),
      },
      cpu_usage_percent: expect.any(Number),
      memory_usage_percent: expect.any(Number),
      user: "wirelab",
    });
    expect(JSON.stringify(await rig.done("GET", "/computes"))).not.toContain(
      rig.computes[0]!.account.password,
    );
  });

  test("returns its ports, its images and what its emulators can do", async () => {
    const { udp_port_range } = await rig.done("GET", "/computes/compute-1/ports");
    expect(udp_port_range[1]).toBeGreaterThan(udp_port_range[0]);
    expect(await rig.done("GET", "/computes/compute-1/dynamips/images")).toEqual([]);
    expect(await rig.done("GET", "/computes/compute-1/qemu/capabilities")).toHaveProperty("kvm");
    expect(await rig.done("GET", "/computes/compute-1/network/interfaces")).toContainEqual(
      expect.objectContaining({ name: "lo" }),
    );
  });

  test("keeps an image that is uploaded", async () => {
    const bytes = new Uint8Array(1_000_000).fill(7);
    const upload = await fetch(`${rig.url}/computes/compute-1/qemu/images/disk%20one.img`, {
      method: "POST",
      body: bytes,
    });
    expect(upload.status).toBe(200);
    expect(await rig.done("GET", "/computes/compute-1/qemu/images")).toContainEqual({
      filename: "disk one.img",
      filesize: bytes.length,
      md5sum: expect.any(String),
      path: "disk one.img",
    });
  });

  test("refuses an image that is larger than the limit, with the limit", async () => {
    const upload = await fetch(`${rig.url}/computes/compute-1/qemu/images/large.img`, {
      method: "POST",
      body: new Uint8Array(4 * 1024 * 1024 + 1),
    });
    expect(upload.status).toBe(413);
    expect(await upload.json()).toMatchObject({ message: expect.stringContaining("4194304") });
  });

  test("has an entry in the statistics", async () => {
    const statistics = await rig.done("GET", "/statistics");
    expect(statistics.map((each: { compute_id: string }) => each.compute_id)).toEqual(["local", "compute-1"]);
  });

  test("cannot be asked for the labs of all users", async () => {
    expect(await rig.call("GET", "/computes/compute-1/projects/x")).toMatchObject({ status: 404 });
  });

  test("is not connected while it is away, and connected again afterwards", async () => {
    await rig.computes[0]!.kill();
    await sleep(FRESH_MS);
    const away = await rig.done("GET", "/computes/compute-1");
    expect(away).toMatchObject({ connected: false, last_error: expect.stringContaining("ECONNREFUSED") });
    expect(await rig.call("GET", "/computes/compute-1/ports")).toMatchObject({ status: 503 });
    expect(await rig.done("GET", "/statistics")).toHaveLength(1);
    await rig.computes[0]!.start();
    await sleep(FRESH_MS);
    expect(await rig.done("GET", "/computes/compute-1")).toMatchObject({ connected: true });
  });
});
