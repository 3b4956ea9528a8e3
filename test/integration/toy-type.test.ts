/** A node type of one module, and of a line in each table of the engine, is made, run, exported and imported by the service. */
import { unzipSync } from "fflate";
import { expect, test, vi } from "vitest";

vi.mock(import("@wirelab/engine/devices/kinds"), async (original) => {
  const { KINDS } = await original();
  const { kind } = await import("../unit/lab/toy/toy.ts");
  const template = { ...kind.template, adapters: 2 };
  return { KINDS: [...KINDS, kind, { ...kind, type: "boxed", image: "wirelab/boxed", template }] } as never;
});
vi.mock(import("@wirelab/engine/devices/readers"), async (original) => {
  const { READERS } = await original();
  const { read } = await import("../unit/lab/toy/toy.ts");
  return { READERS: { ...READERS, toy: read, boxed: read } } as never;
});
vi.mock(import("../../packages/engine/devices/makers.ts"), async (original) => {
  const { MAKERS } = await original();
  const { make } = await import("../unit/lab/toy/toy.ts");
  return { MAKERS: { ...MAKERS, toy: make } } as never;
});

const { Caller } = await import("../helpers/service/callers.ts");
const { freshName, uuid } = await import("../helpers/service/lab.ts");
/** The handlers in this process, with the type. */
const client = new Caller({});

const addTo = async (path: string, node: object): Promise<string> => {
  const { status, json } = await client.post(`${path}/nodes`, { compute_id: "local", ...node });
  expect(status, JSON.stringify(json)).toBe(201);
  return json.node_id;
};
const end = (node_id: string, port_number = 0) => ({ node_id, adapter_number: 0, port_number });
const project = async (): Promise<string> =>
  `/projects/${(await client.post("/projects", { name: freshName() })).json.project_id}`;

async function labWith(node_type: string): Promise<string> {
  const path = await project();
  const properties = (host: number) => ({ startup_script: `ip 10.0.0.${host}/24` });
  const a = await addTo(path, { name: "a", node_type: "vpcs", properties: properties(1) });
  const b = await addTo(path, { name: "b", node_type: "vpcs", properties: properties(2) });
  const way = await addTo(path, { name: "way", node_type, properties: { delayed: true } });
  for (const nodes of [
    [end(a), end(way, 0)],
    [end(way, 1), end(b)],
  ])
    expect((await client.post(`${path}/links`, { nodes })).status).toBe(201);
  return path;
}

const nodeNamed = async (path: string, name: string) =>
  (await client.get(`${path}/nodes`)).json.find((each: { name: string }) => each.name === name);

async function settingsOf(path: string): Promise<object> {
  const { node_id: _node, project_id: _project, ...settings } = await nodeNamed(path, "way");
  return settings;
}

async function pings(path: string): Promise<boolean> {
  await client.post(`${path}/nodes/start`);
  const { node_id } = await nodeNamed(path, "a");
  const { json } = await client.post(`${path}/nodes/${node_id}/console`, {
    commands: ["ping 10.0.0.2 -c 1"],
  });
  return json.output.includes("84 bytes from 10.0.0.2");
}

test("it is created with its ports and properties, changed, and frames pass it", async () => {
  const path = await labWith("toy");
  const { node_id, ...made } = await nodeNamed(path, "way");
  expect(made).toMatchObject({
    node_type: "toy",
    console_type: null,
    properties: { delayed: true },
    ports: [{ name: "left" }, { name: "right", short_name: "e1" }],
  });
  expect(await pings(path)).toBe(true);
  const changed = await client.put(`${path}/nodes/${node_id}`, { properties: { delayed: null } });
  expect([changed.status, changed.json.properties]).toEqual([200, {}]);
});

test("a wrong property of it is refused with its path, and a property that it does not have", async () => {
  const path = await project();
  for (const [properties, at] of [
    [{ delayed: 7 }, "body.properties.delayed"],
    [{ colour: "red" }, "body.properties.colour"],
  ] as const) {
    const body = { name: "way", node_type: "toy", compute_id: "local", properties };
    const { status, json } = await client.post(`${path}/nodes`, body);
    expect([status, json.errors[0].path]).toEqual([400, at]);
  }
});

test.each(["toy", "boxed"])("a lab with it (%s) is exported and imported", async (type) => {
  const path = await labWith(type);
  const { bytes } = await client.get(`${path}/export`);
  const file = JSON.parse(Buffer.from(unzipSync(bytes)["project.gns3"]!).toString());
  const written = file.topology.nodes.find((each: { name: string }) => each.name === "way");
  const asSeen =
    type === "toy"
      ? { node_type: "toy", properties: { delayed: true } }
      : { node_type: "docker", properties: { delayed: true, image: "wirelab/boxed", adapters: 2 } };
  expect(written).toMatchObject(asSeen);
  const copy = `/projects/${uuid()}`;
  const imported = await client.call("POST", `${copy}/import?name=${freshName()}`, { raw: bytes });
  expect(imported.status, imported.bytes.toString()).toBe(201);
  expect(await settingsOf(copy)).toEqual(await settingsOf(path));
  await client.post(`${copy}/open`);
  expect(await pings(copy)).toBe(true);
});

test("the built-in compute and the built-in templates have it", async () => {
  const { capabilities } = (await client.get("/computes/local")).json;
  expect(capabilities.node_types).toEqual(expect.arrayContaining(["toy", "boxed"]));
  const templates = (await client.get("/templates")).json;
  expect(templates).toContainEqual(expect.objectContaining({ template_type: "toy", name: "Repeater" }));
  expect(templates).toContainEqual(expect.objectContaining({ image: "wirelab/boxed" }));
  const made = await client.post("/templates", {
    name: freshName(),
    template_type: "toy",
    compute_id: "local",
  });
  expect(made.json).toMatchObject({ category: "switch", default_name_format: "Repeater{0}" });
  const path = await project();
  const used = await client.post(`${path}/templates/${made.json.template_id}`, { x: 0, y: 0 });
  expect(used.json).toMatchObject({ name: "Repeater1", node_type: "toy" });
  await client.delete(`/templates/${made.json.template_id}`);
});
