/** Templates, and the nodes that clients make of them. */
import { afterEach, describe, expect, test } from "vitest";
import { user } from "../helpers/service/callers.ts";
import { client, freshName, makeLab, uuid } from "../helpers/service/lab.ts";

/** The ids of the built-in templates, which clients keep. */
const CLOUD = "39e257dc-8412-3174-b6b3-0ee3ed6a43e9";
const NAT = "df8f4ea9-33b7-3e96-86a2-c39bc9bb649c";
const VPCS = "19021f99-e36f-394d-b4a1-8aaa902ab9cc";
const SWITCH = "1966b864-93e7-32d5-965f-001384eec461";
const HUB = "b4503ea9-d6b6-3695-9fe4-1db3b39290b0";
const ROUTER = "ab58dfff-bba1-32df-a9c8-c7320e71f706";
const SERVER = "45b4efe9-ad20-34f7-8516-68ba76af022f";

const made: string[] = [];
afterEach(async () => {
  for (const id of made.splice(0)) await client.delete(`/templates/${id}`);
});

async function create(fields: object = {}) {
  const body = { name: freshName("T"), template_type: "vpcs", compute_id: "local", ...fields };
  const answer = await client.post("/templates", body);
  if (answer.status === 201) made.push(answer.json.template_id);
  return answer;
}

describe("the built-in templates", () => {
  test("are listed first, with the ids that clients know", async () => {
    const { json } = await client.get("/templates");
    expect(json.slice(0, 7)).toMatchObject([
      { template_id: CLOUD, template_type: "cloud", name: "Cloud", default_name_format: "Cloud{0}" },
      { template_id: NAT, template_type: "nat", name: "NAT", default_name_format: "NAT{0}" },
      {
        template_id: VPCS,
        template_type: "vpcs",
        name: "VPCS",
        default_name_format: "PC{0}",
        category: "guest",
        symbol: ":/symbols/vpcs_guest.svg",
        properties: { base_script_file: "vpcs_base_config.txt" },
      },
      { template_id: SWITCH, name: "Ethernet switch", category: "switch", console_type: "none" },
      { template_id: HUB, name: "Ethernet hub", default_name_format: "Hub{0}" },
      { template_id: ROUTER, template_type: "docker", name: "Router", image: "wirelab/router" },
      { template_id: SERVER, template_type: "docker", name: "Server", image: "wirelab/server" },
    ]);
    for (const template of json.slice(0, 6))
      expect(template).toMatchObject({ builtin: true, compute_id: null });
  });

  test.each([
    [CLOUD, "Cloud1", "cloud"],
    [NAT, "NAT1", "nat"],
    [VPCS, "PC1", "vpcs"],
    [SWITCH, "Switch1", "ethernet_switch"],
    [HUB, "Hub1", "ethernet_hub"],
    [ROUTER, "R1", "docker"],
    [SERVER, "Server1", "docker"],
  ])("%s makes %s", async (template_id, name, node_type) => {
    const lab = await makeLab();
    const body = { x: -7, y: 12, compute_id: "local" };
    const { status, json } = await client.post(`${lab.path}/templates/${template_id}`, body);
    const { symbol } = (await client.get(`/templates/${template_id}`)).json;
    expect(status).toBe(201);
    expect(json).toMatchObject({ name, node_type, template_id, symbol, compute_id: "local", x: -7, y: 12 });
    expect((await client.get(`${lab.path}/nodes/${json.node_id}`)).json).toEqual(json);
  });

  test("take the compute of the request, which they need", async () => {
    const lab = await makeLab();
    const use = (body: object) => client.post(`${lab.path}/templates/${VPCS}`, { x: 0, y: 0, ...body });
    expect((await use({})).json).toMatchObject({ status: 404, message: "Compute ID None doesn't exist" });
    expect((await use({ compute_id: null })).status).toBe(404);
    expect((await use({ compute_id: "nope" })).json.message).toBe("Compute ID nope doesn't exist");
    expect((await client.get(`${lab.path}/nodes`)).json).toEqual([]);
  });

  test("can be changed, and neither deleted nor duplicated", async () => {
    const path = `/templates/${HUB}`;
    const before = (await client.get(path)).json;
    const changed = await client.put(path, {
      symbol: ":/symbols/classic/hub.svg",
      template_id: uuid(),
      builtin: false,
    });
    expect(changed.json).toEqual({ ...before, symbol: ":/symbols/classic/hub.svg" });
    expect((await client.get("/templates")).json[4]).toEqual(changed.json);
    await client.put(path, { symbol: before.symbol });
    expect((await client.get(path)).json).toEqual(before);
    expect((await client.delete(path)).status).toBe(409);
    expect((await client.post(`${path}/duplicate`)).json.code).toBe("template.builtin");
  });
});

describe("a new template", () => {
  test("has the defaults of its type", async () => {
    const { status, json } = await create({ name: "Office PC" });
    expect(status).toBe(201);
    expect(json).toEqual({
      base_script_file: "vpcs_base_config.txt",
      builtin: false,
      category: "guest",
      compute_id: "local",
      console_auto_start: false,
      console_type: "telnet",
      default_name_format: "PC{0}",
      name: "Office PC",
      symbol: ":/symbols/vpcs_guest.svg",
      template_id: json.template_id,
      template_type: "vpcs",
    });
    expect((await client.get(`/templates/${json.template_id}`)).json).toEqual(json);
    expect((await client.get("/templates")).json.at(-1)).toEqual(json);
  });

  test.each([
    [
      "qemu",
      {},
      { ram: 256, adapter_type: "e1000", hda_disk_interface: "none", default_name_format: "{name}-{0}" },
    ],
    ["docker", { image: "alpine" }, { adapters: 1, console_resolution: "1024x768", extra_volumes: [] }],
    ["dynamips", { platform: "c7200", image: "c7200.bin" }, { ram: 512, npe: "npe-400", category: "router" }],
    ["dynamips", { platform: "c3725", image: "c3725.bin", ram: 64 }, { ram: 64, idlemax: 500 }],
    ["iou", { path: "iou.bin" }, { ethernet_adapters: 2, default_name_format: "IOU{0}" }],
    ["ethernet_hub", {}, { default_name_format: "Hub{0}", category: "switch" }],
    ["cloud", {}, { ports_mapping: [], remote_console_port: 23 }],
    ["router", {}, { template_type: "docker", image: "wirelab/router", category: "router" }],
    ["server", { ntp: true }, { template_type: "docker", image: "wirelab/server", ntp: true }],
    ["linux", {}, { template_type: "docker", image: "wirelab/linux", category: "guest" }],
  ])("of type %s with %j has %j", async (template_type, given, expected) => {
    expect((await create({ template_type, ...given })).json).toMatchObject(expected);
  });

  test("takes the category as a number, as older clients send it", async () => {
    expect((await create({ category: 3 })).json.category).toBe("firewall");
  });

  test.each([
    [{ template_type: "frame_relay_switch" }, "body.template_type"],
    [{ template_type: "docker" }, "body.image"],
    [{ template_type: "dynamips", platform: "c3600", image: "c3640.bin" }, "body.chassis"],
    [{ category: 4 }, "body.category"],
    [{ console_type: "serial" }, "body.console_type"],
    [{ ram: 5 }, "body"],
    [
      { template_type: "ethernet_switch", ports_mapping: [{ name: "e0" }] },
      "body.ports_mapping.0.port_number",
    ],
    [{ template_type: "router", ports: [{ ipv4: "10.0.0.1" }] }, "body.ports.0.ipv4"],
  ])("with %j is rejected at %s", async (fields, path) => {
    const { status, json } = await create(fields);
    expect([status, json.errors?.[0].path]).toEqual([400, path]);
  });

  test("needs an id that no other has", async () => {
    const template_id = uuid();
    expect((await create({ template_id })).json.template_id).toBe(template_id);
    const again = await create({ template_id });
    expect([again.status, again.json.message]).toEqual([409, `Template ID ${template_id} already exists`]);
    expect((await create({ template_id: VPCS })).json.code).toBe("template.id-taken");
  });
});

describe("a stored template", () => {
  test("is changed by what is sent; what identifies it stays", async () => {
    const { json } = await create();
    const put = {
      ...json,
      template_type: "qemu",
      compute_id: "vm",
      default_name_format: "Desk{0}",
      category: 1,
    };
    const changed = await client.put(`/templates/${json.template_id}`, put);
    expect(changed.json).toEqual({ ...json, default_name_format: "Desk{0}", category: "switch" });
    const wrong = await client.put(`/templates/${json.template_id}`, { console_type: "vnc2" });
    expect(wrong.status).toBe(400);
    expect((await client.get(`/templates/${json.template_id}`)).json).toEqual(changed.json);
  });

  test("is not sent again to a client that has it", async () => {
    const { json } = await create();
    const path = `/templates/${json.template_id}`;
    const { headers } = await client.get(path);
    const ask = { headers: { "if-none-match": String(headers.etag) } };
    expect(await client.get(path, ask)).toMatchObject({ status: 304, headers: { etag: headers.etag } });
    await client.put(path, { category: "router" });
    expect((await client.get(path, ask)).status).toBe(200);
  });

  test("is duplicated under an id of its own, and deleted", async () => {
    const { json } = await create({ startup_script: "ip dhcp" });
    const copy = await client.post(`/templates/${json.template_id}/duplicate`);
    made.push(copy.json.template_id);
    expect(copy.status).toBe(201);
    expect(copy.json).toEqual({ ...json, template_id: copy.json.template_id });
    expect(copy.json.template_id).not.toBe(json.template_id);
    expect((await client.delete(`/templates/${json.template_id}`)).status).toBe(204);
    for (const method of ["GET", "PUT", "DELETE"]) {
      const gone = await client.call(method, `/templates/${json.template_id}`, { body: {} });
      expect([gone.status, gone.json.message]).toEqual([
        404,
        `Template ID ${json.template_id} doesn't exist`,
      ]);
    }
    expect((await client.get(`/templates/${copy.json.template_id}`)).status).toBe(200);
  });

  test("is deleted by an admin only, and created by an editor", async () => {
    const [editor, viewer] = [user("alice", "editor"), user("carol", "viewer")];
    const body = { name: "Alice's", template_type: "vpcs", compute_id: "local" };
    const { json } = await editor.post("/templates", body);
    made.push(json.template_id);
    expect((await editor.delete(`/templates/${json.template_id}`)).status).toBe(403);
    expect((await viewer.post("/templates", body)).status).toBe(403);
    expect((await viewer.get(`/templates/${json.template_id}`)).json).toEqual(json);
  });
});

describe("a node from a template", () => {
  test("has the template's properties, console type, symbol, usage and name format", async () => {
    const lab = await makeLab();
    const { json: template } = await create({
      name: "Office",
      startup_script: "ip 10.0.0.1/24",
      console_type: "none",
      symbol: ":/symbols/classic/server.svg",
      default_name_format: "{name}-{0}",
      usage: "Press Enter",
    });
    const use = (body: object = {}) =>
      client.post(`${lab.path}/templates/${template.template_id}`, { x: 1, y: 2, ...body });
    const { json } = await use({ compute_id: "elsewhere" });
    expect(json).toMatchObject({
      name: "Office-1",
      compute_id: "local",
      console_type: "none",
      properties: { startup_script: "ip 10.0.0.1/24", usage: "Press Enter" },
      symbol: ":/symbols/classic/server.svg",
      template_id: template.template_id,
    });
    expect((await use()).json.name).toBe("Office-2");
    expect((await use({ name: "My desk" })).json.name).toBe("Mydesk");
    expect((await use({ name: "D{0}" })).json.name).toBe("D1");
  });

  test("of a router has the configuration of the template", async () => {
    const lab = await makeLab();
    const { json: template } = await create({ template_type: "router", ports: [{ ipv4: "10.9.1.1/24" }] });
    const { json } = await client.post(`${lab.path}/templates/${template.template_id}`, { x: 0, y: 0 });
    expect(json).toMatchObject({ node_type: "docker", properties: { ports: [{ ipv4: "10.9.1.1/24" }] } });
    const node = `${lab.path}/nodes/${json.node_id}`;
    await client.post(`${node}/start`);
    const shown = await client.post(`${node}/console`, { commands: ["show run"] });
    expect(shown.json.output).toContain("10.9.1.1");
  });

  test.each([
    ["qemu", {}],
    ["docker", { image: "alpine" }],
  ])("of type %s, which does not run here, is 409 with the type", async (template_type, given) => {
    const lab = await makeLab();
    const { json: template } = await create({ template_type, ...given });
    const { status, json } = await client.post(`${lab.path}/templates/${template.template_id}`, {
      x: 0,
      y: 0,
    });
    expect([status, json.code]).toEqual([409, "node.type-not-runnable"]);
    expect(json.message).toContain(`No compute can run a node of type ${template_type}`);
  });

  test("is rejected for an unknown template, an unknown or closed project, and a body that is not of the schema", async () => {
    const lab = await makeLab();
    const body = { x: 0, y: 0, compute_id: "local" };
    const unknown = await client.post(`${lab.path}/templates/${uuid()}`, body);
    expect([unknown.status, unknown.json.code]).toEqual([404, "template.not-found"]);
    expect((await client.post(`/projects/${uuid()}/templates/${VPCS}`, body)).json.code).toBe(
      "project.not-found",
    );
    for (const wrong of [{ y: 0 }, { ...body, z: 1 }, { ...body, x: 0.5 }]) {
      expect((await client.post(`${lab.path}/templates/${VPCS}`, wrong)).status).toBe(400);
    }
    await client.post(`${lab.path}/close`);
    expect((await client.post(`${lab.path}/templates/${VPCS}`, body)).status).toBe(403);
  });
});
