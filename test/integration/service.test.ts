/** Routes about the whole service: version, computes, the helper virtual machine, the documents. */
import { afterAll, describe, expect, test } from "vitest";
import { client, uuid } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";
import { writeItems } from "../helpers/stores/raw-items.ts";

const address = { protocol: "http", host: "198.51.100.7", port: 3080 };

describe("the version", () => {
  test("is the interface's, and the service's in a field of its own", async () => {
    const { status, json } = await client.get("/version");
    expect(status).toBe(200);
    const wirelab = expect.stringMatching(/^\d+\.\d+\.\d+$/);
    expect(json).toEqual({ local: false, version: "2.2.60", wirelab });
    expect((await client.get("/compute/version")).json).toEqual(json);
  });

  test("is compared exactly", async () => {
    const same = await client.post("/version", { version: "2.2.60", local: true });
    expect([same.status, same.json]).toEqual([200, { version: "2.2.60" }]);
    const other = await client.post("/version", { version: "2.2.60.1" });
    expect([other.status, other.json.message]).toEqual([
      409,
      "Client version 2.2.60.1 is not the same as server version 2.2.60",
    ]);
    for (const body of [{}, { version: 2 }, { version: "2.2.60", nosuch: 1 }]) {
      expect((await client.post("/version", body)).status).toBe(400);
    }
  });
});

test("statistics have an entry for the built-in compute, with whole numbers that add up", async () => {
  await client.post("/computes", { ...address, name: uuid() });
  const { json } = await client.get("/statistics");
  expect(json).toEqual([{ compute_id: "local", compute_name: "Wirelab", statistics: expect.any(Object) }]);
  const { load_average_percent, ...figures } = json[0].statistics;
  for (const value of [...Object.values(figures), ...load_average_percent]) {
    expect(Number.isInteger(value)).toBe(true);
    expect(value).toBeGreaterThanOrEqual(0);
  }
  expect(load_average_percent).toHaveLength(3);
  expect(figures.memory_total).toBeGreaterThan(0);
  expect(figures.memory_free + figures.memory_used).toBe(figures.memory_total);
  expect(figures.disk_usage_percent).toBeLessThanOrEqual(100);
});

describe("the host of a compute", () => {
  test.each(["169.254.169.254", "[fe80::1]", "::ffff:169.254.1.1", "0.0.0.0", "[fd00:ec2::254]"])(
    "is refused when it is registered, and when it is changed: %s",
    async (host) => {
      const refused = await client.post("/computes", { ...address, host, name: uuid() });
      expect([refused.status, refused.json.code]).toEqual([409, "compute.address-refused"]);
      const { json } = await client.post("/computes", { ...address, name: uuid() });
      const path = `/computes/${json.compute_id}`;
      expect((await client.put(path, { host })).json.code).toBe("compute.address-refused");
      expect((await client.get(path)).json.host).toBe(address.host);
    },
  );

  test.each(["http://lab", "lab/x", "a b", "lab:3080/", "user@lab", "[::1"])(
    "is no URL: %s",
    async (host) => {
      const { status, json } = await client.post("/computes", { ...address, host, name: uuid() });
      expect([status, json.errors[0].path]).toEqual([400, "body.host"]);
    },
  );

  test.each(["lab-1.example.org", "lab_2", "2001:db8::7", "[2001:db8::7]", "198.51.100.9"])(
    "may be %s",
    async (host) => {
      const { status, json } = await client.post("/computes", { ...address, host, name: uuid() });
      expect([status, json.host]).toEqual([201, host]);
    },
  );
});

describe("emulators", () => {
  test.each([
    ["docker/images", [{ image: "wirelab/router" }, { image: "wirelab/server" }, { image: "wirelab/linux" }]],
    ["dynamips/images", []],
    ["iou/images", []],
    ["qemu/images", []],
    ["qemu/binaries", []],
    ["qemu/capabilities", { kvm: [] }],
    ["virtualbox/vms", []],
    ["vmware/vms", []],
    ["network/interfaces", []],
  ])("%s of the built-in compute, by its id and directly", async (action, expected) => {
    expect((await client.get(`/computes/local/${action}`)).json).toEqual(expected);
    expect((await client.get(`/compute/${action}`)).json).toEqual(expected);
  });

  test("the built-in compute uses no ports", async () => {
    const { json } = await client.get("/computes/local/ports");
    expect(json).toEqual({
      console_port_range: [5000, 10_000],
      console_ports: [],
      udp_port_range: [20_000, 30_000],
      udp_ports: [],
    });
    expect((await client.get("/computes/local/network/ports")).json).toEqual(json);
  });

  test("capabilities are those of the compute object", async () => {
    const { capabilities } = (await client.get("/computes/local")).json;
    expect((await client.get("/compute/capabilities")).json).toEqual(capabilities);
  });

  test.each(["nosuch/images", "qemu/nosuch", "qemu/images/x.img", "constructor/toString"])(
    "%s is not found",
    async (action) => {
      for (const path of [`/computes/local/${action}`, `/compute/${action}`]) {
        const { status, json } = await client.get(path);
        expect([status, json.code]).toEqual([404, "compute.action-not-found"]);
      }
    },
  );

  test("uploads and changes are refused, also of bytes", async () => {
    const image = { raw: new Uint8Array(1000).fill(0xff) };
    for (const path of ["/computes/local/qemu/images/a/b.img", "/compute/qemu/images/b.img"]) {
      const { status, json } = await client.call("POST", path, image);
      expect([status, json.code]).toEqual([409, "compute.not-emulated"]);
      expect((await client.put(path, {})).json.code).toBe("compute.not-emulated");
    }
    const idle = await client.post("/computes/local/auto_idlepc", {
      platform: "c7200",
      image: "x",
      ram: 256,
    });
    expect([idle.status, idle.json.code]).toEqual([409, "compute.not-emulated"]);
  });

  test("a registered compute that is away is not connected, and its endpoint is known", async () => {
    // Nothing listens at port 1.
    const away = { ...address, host: "127.0.0.1", port: 1 };
    const { compute_id } = (await client.post("/computes", { ...away, name: uuid() })).json;
    const { connected, last_error } = (await client.get(`/computes/${compute_id}`)).json;
    expect([connected, last_error]).toEqual([false, expect.stringContaining("does not answer")]);
    for (const path of ["ports", "qemu/images", "qemu/binaries"]) {
      const { status, json } = await client.get(`/computes/${compute_id}/${path}`);
      expect([status, json.code], path).toEqual([503, "compute.unreachable"]);
    }
    const idle = { platform: "c7200", image: "x", ram: 256 };
    for (const path of ["qemu/img", "auto_idlepc"]) {
      const { json } = await client.post(`/computes/${compute_id}/${path}`, idle);
      expect(json.code).toBe("compute.unreachable");
    }
    const { json } = await client.get(`/computes/endpoint/${compute_id}/qemu/images/a.img`);
    expect(json).toEqual({ endpoint: "http://127.0.0.1:1/v2/compute/qemu/images/a.img" });
  });

  test("an unknown compute is 404", async () => {
    const unknown = uuid();
    for (const path of [
      `/computes/${unknown}/ports`,
      `/computes/${unknown}/qemu/images`,
      `/computes/endpoint/${unknown}/qemu/images`,
      "/computes/vm/ports",
    ]) {
      expect((await client.get(path)).status, path).toBe(404);
    }
  });

  test("the endpoint of the built-in compute is this service", async () => {
    const { json } = await client.get("/computes/endpoint/local/qemu/images");
    expect(json).toEqual({ endpoint: `${localStack().baseUrl}/compute/qemu/images` });
  });

  test("a project is announced to the built-in compute", async () => {
    const variables = [{ name: "seed", value: "1" }];
    const project_id = uuid();
    const given = await client.post("/compute/projects", {
      name: "lab",
      project_id,
      path: "/tmp/x",
      variables,
    });
    expect([given.status, given.json]).toEqual([201, { name: "lab", project_id, variables }]);
    const made = await client.post("/compute/projects", { name: "lab" });
    expect(made.json).toEqual({ name: "lab", project_id: expect.any(String), variables: null });
    expect((await client.post("/compute/projects", {})).status).toBe(400);
  });
});

describe("the server", () => {
  test("has no appliances", async () => {
    const { status, json } = await client.get("/appliances?symbol_theme=Classic&update=yes");
    expect([status, json]).toEqual([200, []]);
  });

  test("keeps the IOU licence, of which a PUT changes what it names", async () => {
    const { json: before } = await client.get("/iou_license");
    const iourc_content = `[license]\n${uuid()} = 0123456789abcdef;`;
    const put = await client.put("/iou_license", { iourc_content });
    expect([put.status, put.json]).toEqual([201, { ...before, iourc_content }]);
    expect((await client.put("/iou_license", { license_check: false })).json).toEqual({
      iourc_content,
      license_check: false,
    });
    expect((await client.get("/iou_license")).json).toEqual({ iourc_content, license_check: false });
    for (const body of [{ nosuch: 1 }, { license_check: "no" }, []]) {
      expect((await client.put("/iou_license", body)).status).toBe(400);
    }
    await client.put("/iou_license", before);
  });

  test("is not stopped by clients, writes no files for them, and has nothing to reload", async () => {
    for (const path of ["/shutdown", "/debug"]) {
      const { status, json } = await client.post(path);
      expect([status, json.code]).toEqual([403, "server.not-local"]);
    }
    const { status, bytes } = await client.post("/reload");
    expect([status, bytes.length]).toEqual([200, 0]);
  });
});

describe("computes", () => {
  test("the local compute always exists, has the request's host, and cannot be changed", async () => {
    const { json } = await client.get("/computes/local");
    expect(json).toMatchObject({
      compute_id: "local",
      connected: true,
      protocol: "http",
      host: "127.0.0.1",
      port: expect.any(Number),
      capabilities: {
        node_types: [
          "vpcs",
          "ethernet_switch",
          "ethernet_hub",
          "router",
          "server",
          "nat",
          "linux",
          "docker",
          "cloud",
        ],
      },
    });
    expect((await client.get("/computes")).json[0]).toEqual(json);
    expect((await client.put("/computes/local", { name: "x" })).status).toBe(409);
    expect((await client.delete("/computes/local")).status).toBe(409);
    const again = await client.post("/computes", { ...address, compute_id: "local" });
    expect([again.status, again.json]).toEqual([201, json]);
  });

  test("a compute is registered, changed and deleted; its password is never returned", async () => {
    const compute_id = uuid();
    const created = await client.post("/computes", {
      ...address,
      compute_id,
      user: "an-operator-of-this",
      password: "secret",
    });
    expect(created.status).toBe(201);
    expect(created.json).toEqual({
      ...address,
      compute_id,
      user: "an-operator-of-this",
      name: "http://an-operator...@198.51.100.7:3080",
      capabilities: { node_types: [], version: null },
      connected: false,
      cpu_usage_percent: null,
      last_error: null,
      memory_usage_percent: null,
    });
    expect((await client.post("/computes", { ...address, compute_id, port: 1 })).json).toEqual(created.json);
    const name = uuid();
    const changed = await client.put(`/computes/${compute_id}`, { name, port: 99 });
    expect([changed.status, changed.json]).toEqual([200, { ...created.json, name, port: 99 }]);
    // The host is of a network without machines: RFC 5737.
    const shown = { ...changed.json, last_error: expect.any(String) };
    expect((await client.get(`/computes/${compute_id}`)).json).toEqual(shown);
    expect((await client.post("/computes", { ...address, name })).status).toBe(409);
    expect((await client.delete(`/computes/${compute_id}`)).status).toBe(204);
    expect((await client.delete(`/computes/${compute_id}`)).status).toBe(404);
    expect((await client.get(`/computes/${compute_id}`)).status).toBe(404);
    expect((await client.put(`/computes/${compute_id}`, { port: 1 })).status).toBe(404);
  });

  test.each([
    { host: "h", port: 1 },
    { ...address, protocol: "ftp" },
    { ...address, port: 0 },
    { ...address, nosuch: 1 },
    { ...address, compute_id: "vm" },
  ])("rejects %j", async (body) => {
    expect((await client.post("/computes", body)).status).toBe(400);
  });
});

test("the helper virtual machine is the same at /gns3vm", async () => {
  for (const path of ["", "/engines", "/engines/remote/vms"]) {
    expect((await client.get(`/gns3vm${path}`)).json).toEqual((await client.get(`/simvm${path}`)).json);
  }
  const { json: before } = await client.get("/gns3vm");
  const put = await client.put("/gns3vm", { ...before, vcpus: 3 });
  expect([put.status, put.json]).toEqual([201, { ...before, vcpus: 3 }]);
  expect((await client.get("/simvm")).json).toEqual(put.json);
  await client.put("/gns3vm", before);
});

describe("the helper virtual machine", () => {
  afterAll(async () => {
    await client.put("/simvm", { enable: false, vmname: null, ram: 2048, when_exit: "stop" });
  });

  test("has the defaults, and accepts partial updates", async () => {
    const defaults = {
      allocate_vcpus_ram: true,
      enable: false,
      engine: "remote",
      headless: false,
      port: 80,
      ram: 2048,
      vcpus: 1,
      vmname: null,
      when_exit: "stop",
    };
    // Other files store settings in the same stack.
    await writeItems(localStack(), "SERVICE", { SIMVM: undefined });
    expect((await client.get("/simvm")).json).toEqual(defaults);
    const { status, json } = await client.put("/simvm", { ram: 1024, when_exit: "keep" });
    expect([status, json]).toEqual([201, { ...defaults, ram: 1024, when_exit: "keep" }]);
    expect((await client.get("/simvm")).json).toEqual(json);
    expect((await client.put("/simvm", defaults)).json).toEqual(defaults);
  });

  test.each([
    { nosuch: 1 },
    { ram: "1024" },
    { ram: 0 },
    { port: 70_000 },
    { when_exit: "explode" },
    { engine: "vmware" },
    [],
  ])("rejects %j and stores nothing", async (body) => {
    const before = (await client.get("/simvm")).json;
    expect((await client.put("/simvm", body)).status).toBe(400);
    expect((await client.get("/simvm")).json).toEqual(before);
  });

  test("is enabled with a registered compute, and is listed among the computes then", async () => {
    const name = `helper-${uuid()}`;
    const missing = await client.put("/simvm", { enable: true, vmname: name });
    expect(missing.status).toBe(409);
    expect((await client.get("/simvm")).json.enable).toBe(false);
    const { json: compute } = await client.post("/computes", { ...address, name });
    expect((await client.get("/simvm/engines/remote/vms")).json).toContainEqual({ vmname: name });
    expect((await client.put("/simvm", { enable: true, vmname: name })).status).toBe(201);
    expect((await client.get("/computes/vm")).json).toMatchObject({ ...address, name: `Sim VM (${name})` });
    await client.put("/simvm", { enable: false });
    expect((await client.get("/computes/vm")).status).toBe(404);
    await client.delete(`/computes/${compute.compute_id}`);
  });

  test("lists the available engines", async () => {
    const { json } = await client.get("/simvm/engines");
    expect(json).toEqual([
      {
        engine_id: "remote",
        name: "Remote",
        description: expect.any(String),
        support_when_exit: false,
        support_headless: false,
        support_ram: false,
      },
    ]);
    expect((await client.get("/simvm/engines/vmware/vms")).status).toBe(404);
  });
});

describe("the documents", () => {
  test("OpenAPI is served as JSON", async () => {
    const { headers, json } = await client.get("/openapi.json");
    expect(headers["content-type"]).toBe("application/json");
    expect(json.openapi).toBe("3.1.0");
  });

  test.each(["/", "/v2", "/v2/"])("GET %s redirects to the page, other methods are 404", async (path) => {
    const root = new URL(path, localStack().baseUrl);
    const redirect = await fetch(root, { redirect: "manual" });
    expect([redirect.status, redirect.headers.get("location")]).toEqual([303, "/v2/page"]);
    for (const method of ["POST", "DELETE"]) expect((await fetch(root, { method })).status).toBe(404);
  });

  test("the page and every file that it loads come from the service", async () => {
    const { headers, bytes } = await client.get("/docs");
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    const files = [...bytes.toString().matchAll(/(?:src|href)="docs\/([^"]+)"/g)].map(([, name]) => name);
    expect(files).toContain("swagger-ui-bundle.js");
    for (const name of files) expect((await client.get(`/docs/${name}`)).status, name).toBe(200);
  });
});
