import { FILTER_DESCRIPTORS } from "@wirelab/engine/link/filters/index";
import { describe, expect, test } from "vitest";
import { addLink, addNode, client, end, makeLab, makePair, uuid } from "../helpers/service/lab.ts";

describe("the link object", () => {
  test("has its eleven fields, with null, empty objects and empty arrays as defaults", async () => {
    const lab = await makeLab();
    const { status, json } = await client.post(`${lab.path}/links`, { nodes: [] });
    expect(status).toBe(201);
    expect(json).toEqual({
      capture_compute_id: null,
      capture_file_name: null,
      capture_file_path: null,
      capturing: false,
      filters: {},
      link_id: json.link_id,
      link_style: {},
      link_type: "ethernet",
      nodes: [],
      project_id: lab.projectId,
      suspend: false,
    });
    expect((await client.get(`${lab.path}/links/${json.link_id}`)).json).toEqual(json);
  });

  test("has both ends in the given order, with a label each", async () => {
    const pair = await makePair();
    const style =
      "font-family: TypeWriter;font-size: 10.0;font-weight: bold;fill: #000000;fill-opacity: 1.0;";
    expect((await client.get(pair.link)).json.nodes).toEqual([
      { node_id: pair.first, adapter_number: 0, port_number: 0, label: { style, text: "0/0" } },
      { node_id: pair.second, adapter_number: 0, port_number: 0, label: { style, text: "0/0" } },
    ]);
  });

  test("keeps the values that it is created with", async () => {
    const lab = await makeLab();
    const [a, b] = [await addNode(lab), await addNode(lab)];
    const label = { text: "here", x: 1, y: -2, rotation: 90 };
    const { json } = await client.post(`${lab.path}/links`, {
      link_id: uuid(),
      nodes: [{ ...end(a), label }, end(b)],
      filters: { delay: [10, 5] },
      link_style: { color: "#ff0000", width: 2, own: { nested: [1, null] } },
      suspend: true,
    });
    expect(json.nodes[0].label).toEqual(label);
    expect(json).toMatchObject({
      filters: { delay: [10, 5] },
      link_style: { color: "#ff0000", width: 2, own: { nested: [1, null] } },
      suspend: true,
    });
  });

  test("takes an id that the client chooses, once", async () => {
    const lab = await makeLab();
    const link_id = uuid();
    expect((await client.post(`${lab.path}/links`, { nodes: [], link_id })).json.link_id).toBe(link_id);
    expect((await client.post(`${lab.path}/links`, { nodes: [], link_id })).status).toBe(409);
    expect((await client.post(`${lab.path}/links`, { nodes: [], link_id: "x" })).status).toBe(400);
  });

  test("can have one end only", async () => {
    const lab = await makeLab();
    const id = await addLink(lab, [end(await addNode(lab))]);
    expect((await client.get(`${lab.path}/links/${id}`)).json.nodes).toHaveLength(1);
    expect((await client.delete(`${lab.path}/links/${id}`)).status).toBe(204);
  });
});

describe("ports", () => {
  test("an unknown node is 404, an unknown port 404, a port in use 409, two ends on one node 409", async () => {
    const pair = await makePair();
    const hub = await addNode(pair, { node_type: "ethernet_hub", name: "H1" });
    const third = await addNode(pair);
    const unknown = uuid();
    const cases: [unknown[], number, string][] = [
      [[end(third), end(unknown)], 404, `Node ID ${unknown} doesn't exist`],
      [[end(hub, 99), end(third)], 404, "Port 0/99 for H1 not found"],
      [[end(third), end(pair.first)], 409, "Port is already used"],
      [[end(hub, 0), end(hub, 1)], 409, "Cannot connect to itself"],
      [[end(hub, 0), end(hub, 0)], 409, "Cannot connect to itself"],
    ];
    for (const [nodes, status, message] of cases) {
      const answer = await client.post(`${pair.path}/links`, { nodes });
      expect([answer.status, answer.json.message]).toEqual([status, message]);
    }
    expect((await client.get(`${pair.path}/links`)).json).toHaveLength(1);
  });

  test.each([
    [{}, "body.nodes"],
    [{ nodes: [{ node_id: uuid(), adapter_number: 0 }] }, "body.nodes.0.port_number"],
    [{ nodes: [{ node_id: "x", adapter_number: 0, port_number: 0 }] }, "body.nodes.0.node_id"],
    [{ nodes: [{ node_id: uuid(), adapter_number: 0, port_number: 0, nosuch: 1 }] }, "body.nodes.0"],
    [{ nodes: [end(uuid()), end(uuid()), end(uuid())] }, "body.nodes"],
    [{ nodes: [], link_style: null }, "body.link_style"],
    [{ nodes: [], link_type: "optical" }, "body.link_type"],
    [{ nodes: [], suspend: "true" }, "body.suspend"],
  ])("rejects %j and creates no link", async (body, path) => {
    const lab = await makeLab();
    const { status, json } = await client.post(`${lab.path}/links`, body);
    expect(status).toBe(400);
    expect(json.errors.map((error: { path: string }) => error.path)).toContain(path);
    expect((await client.get(`${lab.path}/links`)).json).toEqual([]);
  });

  test("exactly one of fifty concurrent links on one port is created, and nothing is half-written", async () => {
    const lab = await makeLab();
    const hub = await addNode(lab, { node_type: "ethernet_hub", name: "H" });
    const others = await Promise.all(Array.from({ length: 50 }, () => addNode(lab)));
    const answers = await Promise.all(
      others.map((other) => client.post(`${lab.path}/links`, { nodes: [end(hub, 3), end(other)] })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(49).fill(409)]);
    const { json: links } = await client.get(`${lab.path}/links`);
    expect(links).toHaveLength(1);
    const free = others.filter((other) => other !== links[0].nodes[1].node_id);
    const spare = await addNode(lab, { node_type: "ethernet_hub", name: "H" });
    await addLink(lab, [end(spare, 0), end(free[0]!)]);
    await addLink(lab, [end(spare, 1), end(free[48]!)]);
  });

  test("concurrent links on different ports of one node are all created", async () => {
    const lab = await makeLab();
    const hub = await addNode(lab, { node_type: "ethernet_hub", name: "H" });
    const others = await Promise.all(Array.from({ length: 8 }, () => addNode(lab)));
    await Promise.all(others.map((other, port) => addLink(lab, [end(hub, port), end(other)])));
    expect((await client.get(`${lab.path}/nodes/${hub}/links`)).json).toHaveLength(8);
  });

  test("a deleted link frees its ports; deleting it again is 404", async () => {
    const pair = await makePair();
    expect((await client.delete(pair.link)).status).toBe(204);
    expect((await client.delete(pair.link)).status).toBe(404);
    await addLink(pair, [end(pair.second), end(pair.first)]);
  });

  test("a link deleted by several requests at once is deleted once", async () => {
    const pair = await makePair();
    const answers = await Promise.all(Array.from({ length: 5 }, () => client.delete(pair.link)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
  });

  test("a node deleted during the creation of links on it leaves no link behind", async () => {
    const lab = await makeLab();
    const hub = await addNode(lab, { node_type: "ethernet_hub", name: "H" });
    const others = await Promise.all(Array.from({ length: 8 }, () => addNode(lab)));
    const making = others.map((other, port) =>
      client.post(`${lab.path}/links`, { nodes: [end(hub, port), end(other)] }),
    );
    const deleted = await client.delete(`${lab.path}/nodes/${hub}`);
    await Promise.all(making);
    expect(deleted.status).toBe(204);
    expect((await client.get(`${lab.path}/links`)).json).toEqual([]);
  });
});

describe("available filters", () => {
  test("are the five of the interface, in order, on any link", async () => {
    const lab = await makeLab();
    const switches = [
      await addNode(lab, { node_type: "ethernet_switch", name: "A" }),
      await addNode(lab, { node_type: "ethernet_switch", name: "B" }),
    ];
    for (const ends of [[], switches.map((node) => end(node))]) {
      const id = await addLink(lab, ends);
      const { status, json } = await client.get(`${lab.path}/links/${id}/available_filters`);
      expect(status).toBe(200);
      expect(json).toEqual(FILTER_DESCRIPTORS);
    }
    expect((await client.get(`${lab.path}/links/${uuid()}/available_filters`)).status).toBe(404);
    expect((await client.get(`${lab.path}/links/x/available_filters`)).status).toBe(400);
  });
});

describe("updating a link", () => {
  test("returns 201 and replaces the whole set of filters", async () => {
    const pair = await makePair({ filters: { packet_loss: [5] } });
    const { status, json } = await client.put(pair.link, {
      filters: { delay: ["100", " 7 "], corrupt: ["3"] },
    });
    expect(status).toBe(201);
    expect(json.filters).toEqual({ delay: [100, 7], corrupt: [3] });
    expect((await client.put(pair.link, { filters: {} })).json.filters).toEqual({});
  });

  test("omits filters that are off", async () => {
    const pair = await makePair();
    const filters = { frequency_drop: [0], packet_loss: ["0"], delay: [0, 5], corrupt: [0], bpf: ["  \n "] };
    expect((await client.put(pair.link, { filters })).json.filters).toEqual({});
    expect((await client.put(pair.link, { filters: { delay: [10, 0] } })).json.filters).toEqual({
      delay: [10, 0],
    });
  });

  test.each([
    [{ nosuch: [1] }, "nosuch", ""],
    [{ constructor: [1] }, "constructor", ""],
    [{ packet_loss: [101] }, "packet_loss", "Chance"],
    [{ packet_loss: [-1] }, "packet_loss", "Chance"],
    [{ packet_loss: [1, 2] }, "packet_loss", ""],
    [{ packet_loss: "50" }, "packet_loss", ""],
    [{ packet_loss: [1.5] }, "packet_loss", "Chance"],
    [{ packet_loss: ["1e1"] }, "packet_loss", "Chance"],
    [{ packet_loss: [null] }, "packet_loss", "Chance"],
    [{ packet_loss: [true] }, "packet_loss", "Chance"],
    [{ packet_loss: null }, "packet_loss", ""],
    [{ frequency_drop: [-2] }, "frequency_drop", "Frequency"],
    [{ frequency_drop: [32_768] }, "frequency_drop", "Frequency"],
    [{ delay: [32_768] }, "delay", "Latency"],
    [{ delay: [1, -1] }, "delay", "Jitter"],
    [{ delay: [1, 2, 3] }, "delay", ""],
    [{ corrupt: [200] }, "corrupt", "Chance"],
    [{ bpf: [5] }, "bpf", "Filters"],
  ])(
    "rejects %j with the filter and the parameter, and changes nothing",
    async (filters, filter, parameter) => {
      const pair = await makePair({ filters: { corrupt: [1] } });
      const { status, json } = await client.put(pair.link, { filters });
      expect(status).toBe(400);
      expect(json.message).toContain(filter);
      expect(json.message).toContain(parameter);
      expect(json.errors[0].path).toMatch(new RegExp(`^body\\.filters\\.${filter}`));
      expect((await client.get(pair.link)).json.filters).toEqual({ corrupt: [1] });
      expect((await client.post(`${pair.path}/links`, { nodes: [], filters })).status).toBe(400);
    },
  );

  test.each([
    [{ packet_loss: [10.5] }, "packet_loss: Chance must be an integer from 0 to 100 (%), got 10.5"],
    [{ corrupt: ["0.1"] }, 'corrupt: Chance must be an integer from 0 to 100 (%), got "0.1"'],
    [
      { frequency_drop: [2.5] },
      "frequency_drop: Frequency must be an integer from -1 to 32767 (th packet), got 2.5",
    ],
    [{ delay: [1, 0.5] }, "delay: Jitter (-/+) must be an integer from 0 to 32767 (ms), got 0.5"],
  ])("rejects the fraction in %j wherever filters are set", async (filters, message) => {
    const pair = await makePair({ filters: { corrupt: [1] } });
    const action = { action: "set_filters", link_id: pair.link.split("/").at(-1), filters };
    const answers = [
      await client.post(`${pair.path}/links`, { nodes: [], filters }),
      await client.put(pair.link, { filters }),
      await client.post(`${pair.path}/run`, { actions: [action] }),
    ];
    for (const { status, json } of answers) {
      expect([status, json.message]).toEqual([
        400,
        expect.stringContaining(`${message}; fractions are not supported`),
      ]);
    }
    expect((await client.get(pair.link)).json.filters).toEqual({ corrupt: [1] });
  });

  test("rejects a bpf expression that does not compile with its line and column", async () => {
    const pair = await makePair({ filters: { corrupt: [1] } });
    const { status, json } = await client.put(pair.link, { filters: { bpf: ["icmp\n\ntcp port and"] } });
    expect(status).toBe(400);
    expect(json.errors).toEqual([
      {
        path: "body.filters.bpf.0",
        message: expect.stringMatching(/^bpf: Filters at line 3, column 10: .*expected/),
      },
    ]);
    const named = await client.put(pair.link, { filters: { bpf: ["host www.example.com"] } });
    expect(named.json.message).toMatch(/cannot look up names/);
    expect((await client.get(pair.link)).json.filters).toEqual({ corrupt: [1] });
  });

  test("changes only the labels of the ends; an end without an entry keeps its own", async () => {
    const pair = await makePair();
    const label = { text: "new" };
    const { json } = await client.put(pair.link, { nodes: [{ ...end(pair.second, 7), label }] });
    expect(json.nodes[0].label.text).toBe("0/0");
    expect(json.nodes[1]).toEqual({ ...end(pair.second), label });
    expect((await client.put(pair.link, { nodes: [end(uuid())] })).status).toBe(404);
  });

  test("accepts the object that a GET returned", async () => {
    const pair = await makePair();
    const { json: before } = await client.get(pair.link);
    const { status, json } = await client.put(pair.link, before);
    expect([status, json]).toEqual([201, before]);
  });

  test("applies all concurrent updates of different fields", async () => {
    const pair = await makePair();
    const updates = [{ suspend: true }, { link_style: { width: 3 } }, { filters: { corrupt: [9] } }];
    await Promise.all(updates.map((update) => client.put(pair.link, update)));
    expect((await client.get(pair.link)).json).toMatchObject({
      suspend: true,
      link_style: { width: 3 },
      filters: { corrupt: [9] },
    });
  });
});
