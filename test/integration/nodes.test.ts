import { describe, expect, test } from "vitest";
import { addLink, addNode, client, end, makeLab, makePair, uuid } from "../helpers/service/lab.ts";

const vpcs = { name: "PC1", node_type: "vpcs", compute_id: "local" };

test("concurrently created PCs all exist, each with its own name and number", async () => {
  const lab = await makeLab();
  const made = await Promise.all(
    Array.from({ length: 24 }, (_, i) =>
      addNode(lab, { name: `PC${i + 1}`, node_type: i % 3 ? "vpcs" : "router" }),
    ),
  );
  const { json } = await client.get(`${lab.path}/nodes`);
  expect(json.map((node: { node_id: string }) => node.node_id).toSorted()).toEqual(made.toSorted());
  const vpcs = json.filter((node: { node_type: string }) => node.node_type === "vpcs");
  await client.post(`${lab.path}/nodes/start`);
  const shown = await Promise.all(
    vpcs.map(async ({ node_id }: { node_id: string }) => {
      const { json } = await client.post(`${lab.path}/nodes/${node_id}/console`, { commands: ["show ip"] });
      return /MAC +: (\S+)/.exec(json.output)?.[1];
    }),
  );
  expect(new Set(shown).size).toBe(vpcs.length);
});

describe("nodes", () => {
  test("a simulated PC has the fields that clients expect", async () => {
    const lab = await makeLab();
    const { status, json } = await client.post(`${lab.path}/nodes`, vpcs);
    expect(status).toBe(201);
    expect(json).toEqual({
      command_line: null,
      compute_id: "local",
      console: 5000,
      console_auto_start: false,
      console_host: "127.0.0.1",
      console_type: "telnet",
      custom_adapters: [],
      first_port_name: null,
      height: 59,
      label: { rotation: 0, style: null, text: "PC1", x: null, y: -40 },
      locked: false,
      name: "PC1",
      node_directory: null,
      node_id: json.node_id,
      node_type: "vpcs",
      port_name_format: "Ethernet{0}",
      port_segment_size: 0,
      ports: [
        {
          adapter_number: 0,
          data_link_types: { Ethernet: "DLT_EN10MB" },
          link_type: "ethernet",
          name: "Ethernet0",
          port_number: 0,
          short_name: "e0",
        },
      ],
      project_id: lab.projectId,
      properties: {},
      status: "stopped",
      symbol: ":/symbols/computer.svg",
      template_id: null,
      width: 65,
      x: 0,
      y: 0,
      z: 1,
    });
    expect((await client.get(`${lab.path}/nodes/${json.node_id}`)).json).toEqual(json);
  });

  test.each(["ethernet_switch", "ethernet_hub"])(
    "an %s starts at once and has eight ports",
    async (node_type) => {
      const lab = await makeLab();
      const { json } = await client.post(`${lab.path}/nodes`, { ...vpcs, node_type });
      expect(json.status).toBe("started");
      expect(json.ports.map((port: { name: string }) => port.name)).toEqual(
        Array.from({ length: 8 }, (_, index) => `Ethernet${index}`),
      );
      expect(json.properties.ports_mapping).toHaveLength(8);
    },
  );

  test("ports are numbered by their place in the mapping, whatever port_number they have", async () => {
    const lab = await makeLab();
    const ports_mapping = [
      { name: "uplink", port_number: 7, type: "dot1q", vlan: 1 },
      { name: "access", port_number: 3, type: "access", vlan: 20 },
    ];
    const { json } = await client.post(`${lab.path}/nodes`, {
      ...vpcs,
      node_type: "ethernet_switch",
      properties: { ports_mapping },
    });
    expect(
      json.ports.map((port: { name: string; port_number: number }) => [port.name, port.port_number]),
    ).toEqual([
      ["uplink", 0],
      ["access", 1],
    ]);
    expect(json.properties).toEqual({ ports_mapping });
  });

  test.each(["qemu", "docker", "dynamips", "iou", "virtualbox", "vmware", "traceng"])(
    "a node of type %s is rejected",
    async (node_type) => {
      const lab = await makeLab();
      const { status, json } = await client.post(`${lab.path}/nodes`, { ...vpcs, node_type });
      expect(status).toBe(409);
      expect(json.message).toMatch(new RegExp(`No compute can run a node of type ${node_type}`));
      expect((await client.get(`${lab.path}/nodes`)).json).toEqual([]);
    },
  );

  test("an unknown compute is 404", async () => {
    const lab = await makeLab();
    const unknown = await client.post(`${lab.path}/nodes`, { ...vpcs, compute_id: "nope" });
    expect([unknown.status, unknown.json.message]).toEqual([404, "Compute ID nope doesn't exist"]);
  });

  test("an id that the client chooses is used, and repeated returns the same node", async () => {
    const lab = await makeLab();
    const node_id = uuid();
    expect((await client.post(`${lab.path}/nodes`, { ...vpcs, node_id })).json.node_id).toBe(node_id);
    const again = await client.post(`${lab.path}/nodes`, { ...vpcs, name: "other", node_id });
    expect([again.status, again.json.name]).toEqual([201, "PC1"]);
  });

  test("names are unique in a project, also for concurrent requests", async () => {
    const lab = await makeLab();
    await Promise.all(Array.from({ length: 12 }, () => addNode(lab)));
    const names = (await client.get(`${lab.path}/nodes`)).json.map((node: { name: string }) => node.name);
    expect(new Set(names)).toEqual(new Set(Array.from({ length: 12 }, (_, index) => `PC${index + 1}`)));
  });

  test("an update changes only the given fields; the label follows the name", async () => {
    const lab = await makeLab();
    const id = await addNode(lab);
    const { status, json } = await client.put(`${lab.path}/nodes/${id}`, {
      name: "R 1",
      x: -5,
      locked: true,
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({ name: "R1", x: -5, y: 0, locked: true, label: { text: "R1" } });
    await addNode(lab, { name: "X1" });
    expect((await client.put(`${lab.path}/nodes/${id}`, { name: "X1" })).json.name).toBe("X2");
    expect(
      await addNode(lab, { name: "R1" }).then((free) => client.get(`${lab.path}/nodes/${free}`)),
    ).toMatchObject({
      json: { name: "R1" },
    });
  });

  test("accepts a whole node in a PUT; a read-only field with another value is 400", async () => {
    const lab = await makeLab();
    const path = `${lab.path}/nodes/${await addNode(lab)}`;
    const { json: before } = await client.get(path);
    expect((await client.put(path, before)).json).toEqual(before);
    const { status, json } = await client.put(path, { ...before, status: "started", width: 1 });
    expect(status).toBe(400);
    expect(json.errors).toEqual([
      { path: "body.status", message: "is read only" },
      { path: "body.width", message: "is read only" },
    ]);
  });

  test.each([
    { nosuch: 1 },
    { x: 1.5 },
    { label: {} },
    { properties: { nosuch: 1 } },
    { console: 0 },
    { name: "   " },
    { name: "" },
    { symbol: "" },
  ])("rejects %j", async (fields) => {
    const lab = await makeLab();
    expect((await client.post(`${lab.path}/nodes`, { ...vpcs, ...fields })).status).toBe(400);
    const path = `${lab.path}/nodes/${await addNode(lab)}`;
    expect((await client.put(path, fields)).status).toBe(400);
  });

  test("start, suspend, stop and reload return the new status", async () => {
    const lab = await makeLab();
    const path = `${lab.path}/nodes/${await addNode(lab)}`;
    const statuses = [];
    for (const action of ["suspend", "start", "start", "suspend", "start", "stop", "stop", "reload"]) {
      const answer = await client.post(`${path}/${action}`);
      expect(answer.status).toBe(200);
      statuses.push(answer.json.status);
    }
    expect(statuses).toEqual([
      "stopped",
      "started",
      "started",
      "suspended",
      "started",
      "stopped",
      "stopped",
      "started",
    ]);
    expect((await client.get(path)).json.status).toBe("started");
  });

  test("all nodes are started, suspended, stopped and reloaded together", async () => {
    const lab = await makeLab();
    await addNode(lab);
    await addNode(lab);
    await addNode(lab, { node_type: "ethernet_switch", name: "SW" });
    const seen = [];
    for (const action of ["start", "suspend", "stop", "reload"]) {
      expect((await client.post(`${lab.path}/nodes/${action}`)).status).toBe(204);
      const { json } = await client.get(`${lab.path}/nodes`);
      seen.push(json.map((node: { status: string }) => node.status));
    }
    expect(seen).toEqual([
      ["started", "started", "started"],
      ["suspended", "suspended", "started"],
      ["stopped", "stopped", "started"],
      ["started", "started", "started"],
    ]);
  });

  test.each([[null], [[]], ["all"], [7]])("an action on all nodes ignores the body %j", async (body) => {
    const { path } = await makeLab();
    expect((await client.post(`${path}/nodes/start`, body)).status).toBe(204);
  });

  test("an action on chosen nodes leaves the others as they are", async () => {
    const lab = await makeLab();
    const [first, second] = [await addNode(lab), await addNode(lab)];
    const hub = await addNode(lab, { node_type: "ethernet_hub", name: "HUB" });
    const statuses = async () =>
      (await client.get(`${lab.path}/nodes`)).json.map((node: { status: string }) => node.status);
    const nodes = [second.toUpperCase(), hub, second];
    expect((await client.post(`${lab.path}/nodes/start`, { nodes })).status).toBe(204);
    expect(await statuses()).toEqual(["stopped", "started", "started"]);
    expect((await client.post(`${lab.path}/nodes/suspend`, { nodes })).status).toBe(204);
    expect(await statuses()).toEqual(["stopped", "suspended", "started"]);
    const missing = uuid();
    const unknown = await client.post(`${lab.path}/nodes/start`, { nodes: [first, missing] });
    expect([unknown.status, unknown.json.code]).toEqual([404, "node.not-found"]);
    expect(unknown.json.message).toContain(missing);
    const none = await client.post(`${lab.path}/nodes/start`, { nodes: [] });
    expect([none.status, none.json.errors[0].path]).toEqual([400, "body.nodes"]);
    expect(await statuses()).toEqual(["stopped", "suspended", "started"]);
  });

  test("a node lists its links", async () => {
    const pair = await makePair();
    const { json } = await client.get(`${pair.path}/nodes/${pair.first}/links`);
    expect(json).toEqual([(await client.get(pair.link)).json]);
    expect((await client.get(`${pair.path}/nodes/${uuid()}/links`)).status).toBe(404);
  });

  test("deleting a node deletes its links and frees the ports at their other ends", async () => {
    const lab = await makeLab();
    const hub = await addNode(lab, { node_type: "ethernet_hub", name: "H1" });
    const other = await addNode(lab, { node_type: "ethernet_hub", name: "H2" });
    const pcs = [await addNode(lab), await addNode(lab)];
    await addLink(lab, [end(hub, 0), end(pcs[0]!)]);
    await addLink(lab, [end(other, 0), end(hub, 1)]);
    await addLink(lab, [end(hub, 2), end(other, 1)]);
    const kept = await addLink(lab, [end(other, 2), end(pcs[1]!)]);
    expect((await client.delete(`${lab.path}/nodes/${hub}`)).status).toBe(204);
    const { json } = await client.get(`${lab.path}/links`);
    expect(json.map((link: { link_id: string }) => link.link_id)).toEqual([kept]);
    await addLink(lab, [end(other, 0), end(pcs[0]!)]);
    expect((await client.get(`${lab.path}/nodes/${hub}`)).status).toBe(404);
    expect((await client.delete(`${lab.path}/nodes/${hub}`)).status).toBe(404);
  });

  test("a node with more links than fit one transaction is deleted with all of them", async () => {
    const lab = await makeLab();
    const ports_mapping = Array.from({ length: 120 }, (_, index) => ({
      name: `e${index}`,
      port_number: index,
    }));
    const hub = await addNode(lab, { node_type: "ethernet_hub", name: "big", properties: { ports_mapping } });
    for (let index = 0; index < 120; index += 10) {
      const batch = Array.from({ length: 10 }, async (_, offset) =>
        addLink(lab, [end(hub, index + offset), end(await addNode(lab))]),
      );
      await Promise.all(batch);
    }
    expect((await client.get(`${lab.path}/stats`)).json).toMatchObject({ nodes: 121, links: 120 });
    expect((await client.delete(`${lab.path}/nodes/${hub}`)).status).toBe(204);
    expect((await client.get(`${lab.path}/stats`)).json).toMatchObject({ nodes: 120, links: 0 });
  });

  test("a locked node cannot be deleted", async () => {
    const lab = await makeLab();
    const id = await addNode(lab, { locked: true });
    const { status, json } = await client.delete(`${lab.path}/nodes/${id}`);
    expect([status, json.message]).toEqual([409, "Node PC1 cannot be deleted because it is locked"]);
  });

  test("a port with a link cannot be removed from the mapping", async () => {
    const lab = await makeLab();
    const hub = await addNode(lab, { node_type: "ethernet_hub", name: "H" });
    await addLink(lab, [end(hub, 5), end(await addNode(lab))]);
    const mapping = (count: number) => ({
      properties: {
        ports_mapping: Array.from({ length: count }, (_, i) => ({ name: `p${i}`, port_number: i })),
      },
    });
    expect((await client.put(`${lab.path}/nodes/${hub}`, mapping(5))).status).toBe(409);
    const grown = await client.put(`${lab.path}/nodes/${hub}`, mapping(6));
    expect([grown.status, grown.json.ports.length]).toEqual([200, 6]);
  });

  test.each(["ethernet_switch", "ethernet_hub", "cloud"])(
    "a %s keeps the port of each cable: another one cannot take its place",
    async (node_type) => {
      const lab = await makeLab();
      const type = { ethernet_switch: "access", ethernet_hub: undefined, cloud: "ethernet" }[node_type];
      const ports = Array.from({ length: 4 }, (_, i) => ({
        name: `p${i}`,
        port_number: i,
        ...(type && { type }),
      }));
      const id = await addNode(lab, { node_type, name: "S", properties: { ports_mapping: ports } });
      const path = `${lab.path}/nodes/${id}`;
      await addLink(lab, [end(id, 1), end(await addNode(lab))]);
      const put = (ports_mapping: object[]) => client.put(path, { properties: { ports_mapping } });
      const before = (await client.get(path)).json;
      const moved = await put(ports.slice(1));
      expect([moved.status, moved.json.code]).toEqual([409, "node.port-moved"]);
      expect(moved.json.message).toContain("puts port p2 at the place of port p1");
      expect((await client.get(path)).json).toEqual(before);
      for (const kept of [ports.slice(0, 2), [...ports, { ...ports[0], name: "new", port_number: 9 }]])
        expect((await put(kept)).status).toBe(200);
      const renamed = await put(ports.map((port) => ({ ...port, name: `q${port.port_number}` })));
      expect(renamed.json.ports[1].name).toBe("q1");
    },
  );

  test.each([
    ["number", { name: "b", port_number: 0 }, "port_number 0"],
    ["name", { name: "a", port_number: 1 }, "name a"],
  ])("two ports with one %s are refused", async (_what, second, text) => {
    const lab = await makeLab();
    const properties = { ports_mapping: [{ name: "a", port_number: 0 }, second] };
    const body = { name: "H", node_type: "ethernet_hub", compute_id: "local" };
    const created = await client.post(`${lab.path}/nodes`, { ...body, properties });
    expect([created.status, created.json.code]).toEqual([409, "node.port-repeated"]);
    expect(created.json.message).toContain(text);
    const id = await addNode(lab, { node_type: "ethernet_hub", name: "H" });
    expect((await client.put(`${lab.path}/nodes/${id}`, { properties })).status).toBe(409);
  });

  test("base_script_file is omitted, as for a file that does not exist", async () => {
    const lab = await makeLab();
    const properties = { base_script_file: "vpcs_base_config.txt", startup_script: "ip 10.0.0.1/24" };
    const id = await addNode(lab, { properties });
    const { json } = await client.get(`${lab.path}/nodes/${id}`);
    expect(json.properties).toEqual({ startup_script: "ip 10.0.0.1/24" });
  });

  test("a boolean makes a PC ignore checksums", async () => {
    const lab = await makeLab();
    const id = await addNode(lab, { properties: { ignore_checksums: true } });
    expect((await client.get(`${lab.path}/nodes/${id}`)).json.properties).toEqual({ ignore_checksums: true });
    const refused = await client.put(`${lab.path}/nodes/${id}`, { properties: { ignore_checksums: "yes" } });
    expect([refused.status, refused.json.errors[0].path]).toEqual([400, "body.properties.ignore_checksums"]);
  });
});

test("a router started during a PUT of its properties runs with the properties that it shows", async () => {
  for (let round = 0; round < 6; round++) {
    const lab = await makeLab();
    const path = `${lab.path}/nodes/${await addNode(lab, { node_type: "router" })}`;
    const [put] = await Promise.all([
      client.put(path, { properties: { ports: [{ ipv4: "10.99.1.1/24" }] } }),
      client.post(`${path}/start`),
    ]);
    expect([200, 409]).toContain(put.status);
    const { ports } = (await client.get(path)).json.properties;
    const { json } = await client.post(`${path}/console`, { commands: ["show run"] });
    if (put.status === 200) expect(json.output).toContain("10.99.1.1");
    else expect(JSON.stringify(ports ?? "") + json.output).not.toContain("10.99.1.1");
  }
});
