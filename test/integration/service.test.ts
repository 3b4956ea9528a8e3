/** Routes about the whole service: version, computes, the helper virtual machine, the documents. */
import { afterAll, describe, expect, test } from "vitest";
import { client, uuid } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";

const address = { protocol: "http", host: "198.51.100.7", port: 3080 };

test("the version has the interface's and the service's version", async () => {
  const { status, json } = await client.get("/version");
  expect(status).toBe(200);
  expect(json).toEqual({
    local: false,
    version: expect.stringMatching(/^2\.2\.\d+\+wirelab\.\d+\.\d+\.\d+$/),
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
      capabilities: { node_types: ["vpcs", "ethernet_switch", "ethernet_hub", "router"] },
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
    expect((await client.get(`/computes/${compute_id}`)).json).toEqual(changed.json);
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
    expect([redirect.status, redirect.headers.get("location")]).toEqual([303, "/v2/docs"]);
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
