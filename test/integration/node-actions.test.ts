/** Duplicates of nodes, and actions of existing clients that have no effect here. */
import { describe, expect, test } from "vitest";
import { addLink, addNode, client, end, type Lab, makeLab, uuid } from "../helpers/service/lab.ts";

const duplicate = (lab: Lab, id: string, body: unknown = { x: 5, y: 6 }) =>
  client.post(`${lab.path}/nodes/${id}/duplicate`, body);
const type = async (lab: Lab, id: string, ...commands: string[]): Promise<string> => {
  const path = `${lab.path}/nodes/${id}`;
  await client.post(`${path}/start`);
  const { json } = await client.post(`${path}/console`, { commands });
  return json.output;
};

describe("a duplicate of a node", () => {
  test("has its settings and its label under a new name and a new console, and no links", async () => {
    const lab = await makeLab();
    const label = { text: "PC1", x: 3, y: -9, rotation: 45, style: "fill: #f00" };
    const properties = { startup_script: "ip 10.0.0.1/24" };
    const symbol = ":/symbols/classic/server.svg";
    const id = await addNode(lab, { label, properties, symbol, locked: true, z: 4, x: 100 });
    await addLink(lab, [end(id), end(await addNode(lab, { name: "Other" }))]);
    const original = (await client.get(`${lab.path}/nodes/${id}`)).json;
    const { status, json } = await duplicate(lab, id);
    expect(status).toBe(201);
    expect(json).toEqual({
      ...original,
      node_id: json.node_id,
      name: "PC2",
      console: 5002,
      label: { ...label, text: "PC2" },
      locked: false,
      x: 5,
      y: 6,
      z: 0,
    });
    expect((await client.get(`${lab.path}/nodes/${json.node_id}/links`)).json).toEqual([]);
    expect((await client.get(`${lab.path}/nodes/${json.node_id}`)).json).toEqual(json);
    expect((await duplicate(lab, id, { x: 0, y: 0, z: 7 })).json).toMatchObject({ name: "PC3", z: 7 });
  });

  test("has the saved files of a PC, and an address of its own", async () => {
    const lab = await makeLab();
    const id = await addNode(lab);
    await type(lab, id, "ip 10.0.0.7/24", "save");
    await client.post(`${lab.path}/nodes/${id}/stop`);
    const { json } = await duplicate(lab, id);
    const shown = await type(lab, json.node_id, "show ip");
    expect(shown).toContain("10.0.0.7/24");
    expect(shown).toContain("00:50:79:66:68:01");
  });

  test("has the saved configuration of a router", async () => {
    const lab = await makeLab();
    const id = await addNode(lab, { node_type: "router", name: "R1" });
    await type(lab, id, "ip address Ethernet0 10.9.3.1/24", "write");
    const configured = await type(lab, id, "show run");
    await client.post(`${lab.path}/nodes/${id}/stop`);
    const { json } = await duplicate(lab, id);
    expect(json).toMatchObject({ name: "R2", node_type: "docker" });
    const copied = await type(lab, json.node_id, "show run");
    expect(copied.replaceAll("R2", "R1")).toBe(configured);
  });

  test("of a switch is started, because switches always are", async () => {
    const lab = await makeLab();
    const id = await addNode(lab, { node_type: "ethernet_switch", name: "SW1" });
    expect((await duplicate(lab, id)).json).toMatchObject({ name: "SW2", status: "started" });
  });

  test("of a running PC is rejected", async () => {
    const lab = await makeLab();
    const id = await addNode(lab);
    for (const action of ["start", "suspend"]) {
      await client.post(`${lab.path}/nodes/${id}/${action}`);
      const { status, json } = await duplicate(lab, id);
      expect([status, json.code]).toEqual([409, "node.running"]);
      expect(json.message).toContain("Cannot duplicate node data while the node is running");
    }
    expect((await client.get(`${lab.path}/nodes`)).json).toHaveLength(1);
  });

  test.each(["cloud", "nat"])("of a %s is rejected", async (node_type) => {
    const lab = await makeLab();
    const { status, json } = await duplicate(lab, await addNode(lab, { node_type, name: "N" }));
    expect([status, json.code]).toEqual([409, "node.not-duplicable"]);
  });

  test("needs a place, a node and an opened project", async () => {
    const lab = await makeLab();
    const id = await addNode(lab);
    expect((await duplicate(lab, id, { x: 1 })).status).toBe(400);
    expect((await duplicate(lab, uuid())).json.code).toBe("node.not-found");
    await client.post(`${lab.path}/close`);
    expect((await duplicate(lab, id)).status).toBe(403);
  });
});

describe("actions without effect", () => {
  test("a reset of one console or of all is accepted, for a node that is there", async () => {
    const lab = await makeLab();
    const id = await addNode(lab);
    expect((await client.post(`${lab.path}/nodes/${id}/console/reset`)).status).toBe(204);
    expect((await client.post(`${lab.path}/nodes/console/reset`)).status).toBe(204);
    expect((await client.post(`${lab.path}/nodes/${uuid()}/console/reset`)).json.code).toBe("node.not-found");
    expect((await client.post(`/projects/${uuid()}/nodes/console/reset`)).json.code).toBe(
      "project.not-found",
    );
  });

  test.each([
    ["GET", "dynamips/auto_idlepc", "dynamips"],
    ["GET", "dynamips/idlepc_proposals", "dynamips"],
    ["POST", "resize_disk", "qemu"],
  ])("%s %s is 409 with the type that is not emulated", async (method, action, needed) => {
    const lab = await makeLab();
    const id = await addNode(lab, { node_type: "router", name: "R1" });
    const body = method === "POST" ? { body: { drive_name: "hda", extend: 1 } } : {};
    const { status, json } = await client.call(method, `${lab.path}/nodes/${id}/${action}`, body);
    expect([status, json.message]).toEqual([
      409,
      `Node R1 has the type docker; this needs a ${needed} node, and that type is not emulated here`,
    ]);
    const unknown = await client.call(method, `${lab.path}/nodes/${uuid()}/${action}`, body);
    expect([unknown.status, unknown.json.code]).toEqual([404, "node.not-found"]);
  });
});
