import { describe, expect, test } from "vitest";
import { addLink, addNode, client, end, freshName, makeLab, makePair, uuid } from "../helpers/service/lab.ts";

describe("projects", () => {
  test("a new project has the defaults that clients expect", async () => {
    const name = freshName();
    const { status, json } = await client.post("/projects", { name });
    expect(status).toBe(201);
    expect(json).toEqual({
      auto_close: true,
      auto_open: false,
      auto_start: false,
      drawing_grid_size: 25,
      expires_at: null,
      filename: `${name}.gns3`,
      grid_size: 75,
      name,
      owner: null,
      path: `/projects/${json.project_id}`,
      project_id: json.project_id,
      scene_height: 1000,
      scene_width: 2000,
      shared_with: [],
      show_grid: false,
      show_interface_labels: false,
      show_layers: false,
      snap_to_grid: false,
      status: "opened",
      supplier: null,
      variables: null,
      zoom: 100,
    });
    expect((await client.get(`/projects/${json.project_id}`)).json).toEqual(json);
    expect((await client.get("/projects")).json).toContainEqual(json);
  });

  test("every validation error is reported with its path", async () => {
    const variables = [{ value: "1" }];
    const { status, json } = await client.post("/projects", { grid_size: "wide", variables });
    expect([status, json.message]).toEqual([
      400,
      "Invalid request: body.grid_size: Invalid input: expected number, received string; " +
        "body.variables.0.name: is missing; body.name: is missing",
    ]);
  });

  test("an id that the client chooses is used, and repeated returns the same project", async () => {
    const project_id = uuid();
    const name = freshName();
    expect((await client.post("/projects", { name, project_id })).json.project_id).toBe(project_id);
    const again = await client.post("/projects", { name: freshName(), project_id, zoom: 50 });
    expect(again.status).toBe(201);
    expect(again.json).toMatchObject({ name, zoom: 100 });
  });

  test("exactly one of many concurrent requests gets a name", async () => {
    const name = freshName();
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.post("/projects", { name })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    expect(answers.find(({ status }) => status === 409)!.json.message).toBe(
      `Project "${name}" already exists`,
    );
  });

  test.each([
    [{}, "body.name"],
    [{ name: "" }, "body.name"],
    [{ name: null }, "body.name"],
    [{ name: "x", nosuch: 1 }, "body"],
    [{ name: "x", zoom: 1.5 }, "body.zoom"],
    [{ name: "x", project_id: "zz" }, "body.project_id"],
    [{ name: "x", variables: [{ value: "v" }] }, "body.variables.0.name"],
  ])("rejects %j with the path of the error", async (body, path) => {
    const { status, json } = await client.post("/projects", body);
    expect(status).toBe(400);
    expect(json.errors.map((error: { path: string }) => error.path)).toContain(path);
  });

  test("a path in the request is forbidden", async () => {
    const { status, json } = await client.post("/projects", { name: freshName(), path: "/tmp/x" });
    expect([status, json.message]).toEqual([403, "The path is not allowed"]);
    const lab = await makeLab();
    expect((await client.put(lab.path, { path: "/tmp/x" })).status).toBe(403);
    expect((await client.put(lab.path, { path: lab.path })).status).toBe(200);
  });

  test("an update changes only the given fields, and frees the old name", async () => {
    const lab = await makeLab();
    const { json: before } = await client.get(lab.path);
    const name = freshName();
    const { status, json } = await client.put(lab.path, {
      name,
      zoom: 42,
      variables: [{ name: "a", value: "b" }],
    });
    expect(status).toBe(200);
    expect(json).toEqual({ ...before, name, zoom: 42, variables: [{ name: "a", value: "b" }] });
    expect((await client.post("/projects", { name: before.name })).status).toBe(201);
    expect((await client.put(lab.path, { name: before.name })).status).toBe(409);
    expect((await client.get(lab.path)).json.name).toBe(name);
  });

  test("a concurrent rename and deletion leave no name behind", async () => {
    for (let round = 0; round < 10; round++) {
      const lab = await makeLab();
      const [before, after] = [(await client.get(lab.path)).json.name, freshName()];
      await Promise.all([client.put(lab.path, { name: after }), client.delete(lab.path)]);
      expect((await client.get(lab.path)).status).toBe(404);
      for (const name of [before, after]) expect((await client.post("/projects", { name })).status).toBe(201);
    }
  });

  test("applies all concurrent updates of different fields", async () => {
    const lab = await makeLab();
    const fields = { zoom: 11, grid_size: 12, scene_height: 13, scene_width: 14, drawing_grid_size: 15 };
    await Promise.all(Object.entries(fields).map(([key, value]) => client.put(lab.path, { [key]: value })));
    expect((await client.get(lab.path)).json).toMatchObject(fields);
  });

  test("an unknown project is 404 and a malformed id 400, on every route", async () => {
    for (const suffix of ["", "/stats", "/nodes", "/links"]) {
      const unknown = await client.get(`/projects/${uuid()}${suffix}`);
      expect(unknown.status).toBe(404);
      expect(unknown.json.message).toMatch(/^Project ID .* doesn't exist$/);
      expect((await client.get(`/projects/not-a-uuid${suffix}`)).status).toBe(400);
    }
    expect((await client.delete(`/projects/${uuid()}`)).status).toBe(404);
  });

  test("stats count nodes and links", async () => {
    const pair = await makePair();
    expect((await client.get(`${pair.path}/stats`)).json).toEqual({
      drawings: 0,
      links: 1,
      nodes: 2,
      snapshots: 0,
    });
  });

  test("a closed project can be read, and rejects changes until it is opened", async () => {
    const pair = await makePair();
    await client.post(`${pair.path}/nodes/start`);
    await client.post(`${pair.link}/start_capture`, {});
    expect((await client.post(`${pair.path}/close`)).status).toBe(204);
    expect((await client.post(`${pair.path}/close`)).status).toBe(204);
    expect((await client.get(pair.path)).json.status).toBe("closed");

    const { json: nodes } = await client.get(`${pair.path}/nodes`);
    expect(nodes.map((node: { status: string }) => node.status)).toEqual(["stopped", "stopped"]);
    const { json: links } = await client.get(`${pair.path}/links`);
    expect(links).toHaveLength(1);
    expect(links[0]).toMatchObject({ capturing: false, capture_file_name: null });
    expect((await client.get(`${pair.link}/captures`)).json).toMatchObject([
      { status: "stopped", packets: 0 },
    ]);

    for (const [method, path] of [
      ["GET", `${pair.path}/nodes/${pair.first}`],
      ["POST", `${pair.path}/nodes/start`],
      ["GET", pair.link],
      ["PUT", pair.link],
      ["DELETE", `${pair.path}/nodes/${pair.first}`],
      ["POST", `${pair.link}/start_capture`],
    ] as const) {
      const { status, json } = await client.call(method, path, { raw: "{}" });
      expect([status, json.message]).toEqual([403, "The project is not opened"]);
    }
    const create = { name: "PC9", node_type: "vpcs", compute_id: "local" };
    expect((await client.post(`${pair.path}/nodes`, create)).status).toBe(403);

    const opened = await client.post(`${pair.path}/open`);
    expect([opened.status, opened.json.status]).toEqual([201, "opened"]);
    expect((await client.post(`${pair.path}/open`)).status).toBe(201);
    expect((await client.get(pair.link)).status).toBe(200);
  });

  test("a project with auto_start starts its nodes when it is opened", async () => {
    const pair = await makePair();
    await client.put(pair.path, { auto_start: true });
    await client.post(`${pair.path}/close`);
    await client.post(`${pair.path}/open`);
    const { json: nodes } = await client.get(`${pair.path}/nodes`);
    expect(nodes.map((node: { status: string }) => node.status)).toEqual(["started", "started"]);
  });

  test("deleting a project deletes everything in it: 300 nodes and 600 links", async () => {
    const lab = await makeLab();
    const nodes: string[] = [];
    const mapping = Array.from({ length: 8 }, (_, index) => ({ name: `e${index}`, port_number: index }));
    const hub = { node_type: "ethernet_hub", properties: { ports_mapping: mapping } };
    for (let index = 0; index < 300; index += 10) {
      const batch = Array.from({ length: 10 }, (_, offset) =>
        addNode(lab, { ...hub, name: `H${index + offset}` }),
      );
      nodes.push(...(await Promise.all(batch)));
    }
    const ring = (distance: number, port: number) =>
      nodes.map((node, index) => [end(node, port), end(nodes[(index + distance) % 300]!, port + 1)]);
    const ends = [...ring(1, 0), ...ring(7, 2)];
    for (let index = 0; index < ends.length; index += 10) {
      await Promise.all(ends.slice(index, index + 10).map((pair) => addLink(lab, pair)));
    }
    expect((await client.get(`${lab.path}/stats`)).json).toMatchObject({ nodes: 300, links: 600 });
    const name = (await client.get(lab.path)).json.name;

    expect((await client.delete(lab.path)).status).toBe(204);
    expect((await client.get(lab.path)).status).toBe(404);
    expect((await client.get(`${lab.path}/nodes`)).status).toBe(404);
    expect((await client.get("/projects")).json.map((p: { name: string }) => p.name)).not.toContain(name);
    const again = await client.post("/projects", { name, project_id: lab.projectId });
    expect(again.status).toBe(201);
    expect((await client.get(`${lab.path}/stats`)).json).toMatchObject({ nodes: 0, links: 0 });
  });
});
