/** Identifiers and names: which spellings are equal, and which are rejected. */
import { describe, expect, test } from "vitest";
import { client, end, freshName, makeLab, makePair, uuid } from "../helpers/service/lab.ts";

const NODE = { node_type: "vpcs", compute_id: "local" };

describe("UUIDs in capital letters", () => {
  test("identify the same project, node and link as in lowercase", async () => {
    const [project_id, node_id, other_id, link_id] = [uuid(), uuid(), uuid(), uuid()];
    const CAPITALS = project_id.toUpperCase();
    const made = await client.post("/projects", { name: freshName(), project_id: CAPITALS });
    expect(made.json).toMatchObject({ project_id, path: `/projects/${project_id}` });
    expect((await client.post("/projects", { name: freshName(), project_id })).json).toEqual(made.json);
    const lab = `/projects/${CAPITALS}`;
    const node = await client.post(`${lab}/nodes`, { ...NODE, name: "A", node_id: node_id.toUpperCase() });
    await client.post(`${lab}/nodes`, { ...NODE, name: "B", node_id: other_id });
    const nodes = [end(node_id.toUpperCase()), end(other_id)];
    const link = await client.post(`${lab}/links`, { nodes, link_id: link_id.toUpperCase() });
    expect([node.json.node_id, link.json.link_id]).toEqual([node_id, link_id]);
    expect(link.json.nodes[0].node_id).toBe(node_id);
    for (const [path, made] of [
      [`/projects/${project_id}/nodes/${node_id}`, node],
      [`${lab}/links/${link_id.toUpperCase()}`, link],
    ] as const) {
      expect((await client.get(path)).json).toEqual(made.json);
    }
  });

  test("identify a node in the body of a run", async () => {
    const pair = await makePair();
    await client.post(`${pair.path}/nodes/start`);
    const consoles = [{ node_id: pair.first.toUpperCase(), commands: ["show ip"] }];
    const { status, json } = await client.post(`${pair.path}/run`, { consoles });
    expect([status, json.consoles?.[0].node_id]).toEqual([200, pair.first]);
  });

  test("of a template are stored as the client spells them", async () => {
    const { path } = await makeLab();
    const template_id = uuid().toUpperCase();
    const { json } = await client.post(`${path}/nodes`, { ...NODE, name: "A", template_id });
    expect(json.template_id).toBe(template_id);
    expect((await client.put(`${path}/nodes/${json.node_id}`, json)).status).toBe(200);
  });
});

describe("a name", () => {
  const [DECOMPOSED, COMPOSED] = ["e\u0301", "\u00e9"];

  test("of a project is the same in every Unicode composition", async () => {
    const name = freshName();
    const made = await client.post("/projects", { name: `${name}${DECOMPOSED}` });
    expect(made.json.name).toBe(`${name}${COMPOSED}`);
    expect((await client.post("/projects", { name: `${name}${COMPOSED}` })).status).toBe(409);
  });

  test("of a node is the same in every Unicode composition", async () => {
    const { path } = await makeLab();
    await client.post(`${path}/nodes`, { ...NODE, name: COMPOSED });
    const { json } = await client.post(`${path}/nodes`, { ...NODE, name: DECOMPOSED });
    expect(json.name).toBe(`${COMPOSED}1`);
  });

  test.each([
    ["a line feed", "a\nb", "U+000A"],
    ["an escape", "\u001b[31m", "U+001B"],
    ["a control of the second set", "a\u0085", "U+0085"],
    ["a line separator", "a\u2028", "U+2028"],
    ["a right-to-left override", "PC\u202egpj", "U+202E"],
    ["a directional isolate", "a\u2066b", "U+2066"],
    ["an Arabic letter mark", "a\u061c", "U+061C"],
  ])("with %s is rejected", async (_what, name, codePoint) => {
    const { path } = await makeLab();
    const message = `holds the control character ${codePoint}; remove it`;
    for (const [place, answer] of [
      ["body.name", await client.post("/projects", { name })],
      ["body.name", await client.put(path, { name })],
      ["body.name", await client.post(`${path}/nodes`, { ...NODE, name })],
      ["body.variables.0.name", await client.put(path, { variables: [{ name, value: "1" }] })],
    ] as const) {
      expect([answer.status, answer.json.errors]).toEqual([400, [{ path: place, message }]]);
    }
  });

  test("in a right-to-left script is accepted", async () => {
    const { path } = await makeLab();
    const name = "\u05e9\u05dc\u05d5\u05dd";
    const { status, json } = await client.post(`${path}/nodes`, { ...NODE, name });
    expect([status, json.name]).toEqual([201, name]);
  });
});
