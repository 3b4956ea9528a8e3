/** Bodies that existing clients send: GNS3's web and desktop interfaces, and gns3fy. Each is accepted as it is. */
import { expect, test } from "vitest";
import { addNode, client, end, freshName, makeLab, makePair, uuid } from "../helpers/service/lab.ts";

/** The web interface sends the whole link with every Apply, each filter included. */
test("the web interface's Apply sets one filter and leaves the others off", async () => {
  const pair = await makePair();
  const link = (await client.get(pair.link)).json;
  const off = { bpf: [], corrupt: [0], delay: [0, 0], frequency_drop: [0], packet_loss: [0] };
  const applied = await client.put(pair.link, { ...link, filters: { ...off, packet_loss: [25] } });
  expect([applied.status, applied.json.filters]).toEqual([201, { packet_loss: [25] }]);
  const reset = await client.put(pair.link, { ...applied.json, filters: off });
  expect([reset.status, reset.json.filters]).toEqual([201, {}]);
});

test("a filter with a fraction is refused in an Apply", async () => {
  const pair = await makePair();
  const refused = await client.put(pair.link, { filters: { bpf: [], packet_loss: [2.5] } });
  expect([refused.status, refused.json.errors[0].path]).toEqual([400, "body.filters.packet_loss.0"]);
});

/** The web interface's links lack `link_style`, and a position that it does not know is NaN, which JSON writes as null. */
test("the web interface suspends a link whose labels have no position", async () => {
  const pair = await makePair();
  const { link_style: _, capture_compute_id: __, ...link } = (await client.get(pair.link)).json;
  const nodes = link.nodes.map((side: { label: object }) => ({
    ...side,
    label: { ...side.label, x: null, y: null },
  }));
  const { status, json } = await client.put(pair.link, { ...link, nodes, suspend: true });
  expect([status, json.suspend, json.nodes]).toEqual([201, true, nodes]);
});

test("labels without x or y are accepted by nodes and links", async () => {
  const lab = await makeLab();
  const [a, b] = [await addNode(lab, { label: { text: "PC1" } }), await addNode(lab)];
  const label = { text: "eth" };
  const link = await client.post(`${lab.path}/links`, { nodes: [{ ...end(a), label }, end(b)] });
  expect(link.json.nodes[0].label).toEqual(label);
  for (const place of [{ x: 3 }, { y: 4 }, { x: null, y: null }]) {
    const put = await client.put(`${lab.path}/nodes/${b}`, { label: { text: "PC2", ...place } });
    expect([put.status, put.json.label]).toEqual([200, { text: "PC2", ...place }]);
  }
});

const MAPPING = [{ name: "Ethernet0", port_number: 0, type: "access", vlan: 7, ethertype: "" }];

/** The desktop interface names the type, the id and the compute, and sends only properties that have changed. */
test("the desktop interface moves a node, whose properties stay", async () => {
  const lab = await makeLab();
  const fields = { name: "SW", node_type: "ethernet_switch", properties: { ports_mapping: MAPPING } };
  const node_id = await addNode(lab, fields);
  const body = {
    properties: {},
    node_type: "ethernet_switch",
    node_id,
    compute_id: "local",
    x: 5,
    y: -5,
    z: 2,
  };
  const { status, json } = await client.put(`${lab.path}/nodes/${node_id}`, body);
  expect([status, json.properties, json.ports.length]).toEqual([200, { ports_mapping: MAPPING }, 1]);
  expect([json.x, json.y, json.z]).toEqual([5, -5, 2]);
});

test("a PUT changes the properties that it names and keeps the others", async () => {
  const lab = await makeLab();
  const node_id = await addNode(lab, { properties: { startup_script: "ip 10.0.0.1/24" } });
  const put = await client.put(`${lab.path}/nodes/${node_id}`, { properties: { ignore_checksums: true } });
  expect(put.json.properties).toEqual({ startup_script: "ip 10.0.0.1/24", ignore_checksums: true });
});

/** The web interface adds a port without a VLAN when its field is left alone. */
test("a switch's port without a VLAN is in VLAN 1", async () => {
  const lab = await makeLab();
  const fields = { name: "SW", node_type: "ethernet_switch", properties: { ports_mapping: MAPPING } };
  const node = `${lab.path}/nodes/${await addNode(lab, fields)}`;
  const added = { name: "Ethernet1", port_number: 1, type: "dot1q" };
  const ports_mapping = [...MAPPING, added];
  const { console_type, console_auto_start, locked, name } = (await client.get(node)).json;
  const body = { console_type, console_auto_start, locked, name, properties: { ports_mapping } };
  const { status, json } = await client.put(node, body);
  expect([status, json.properties.ports_mapping]).toEqual([200, [...MAPPING, { ...added, vlan: 1 }]]);
});

test("the desktop interface creates a link, changes it and captures on it", async () => {
  const lab = await makeLab();
  const [a, b] = [await addNode(lab), await addNode(lab)];
  const label = {
    text: "e0",
    x: 12,
    y: -3,
    rotation: 0,
    style: "font-size: 10.0;fill: #000000;fill-opacity: 1.0;",
  };
  const body = {
    nodes: [{ ...end(a), label }, end(b)],
    filters: {},
    link_style: {},
    suspend: false,
  };
  const { status, json } = await client.post(`${lab.path}/links`, body);
  expect(status).toBe(201);
  const link = `${lab.path}/links/${json.link_id}`;
  const changed = await client.put(link, { ...body, link_style: { color: "#ff0000", width: 3, type: 1 } });
  expect([changed.status, changed.json.nodes]).toEqual([201, json.nodes]);
  const capture = { capture_file_name: "a.pcap", data_link_type: "DLT_EN10MB" };
  expect((await client.post(`${link}/start_capture`, capture)).json.capturing).toBe(true);
});

test("projects of the web interface, the desktop interface and gns3fy are created and changed", async () => {
  const web = await client.post("/projects", { name: freshName(), project_id: uuid() });
  expect(web.status).toBe(201);
  const grids = { grid_size: 75, drawing_grid_size: 25, show_interface_labels: false };
  const desktop = await client.post("/projects", {
    ...grids,
    name: freshName(),
    path: null,
    show_grid: false,
    snap_to_grid: false,
  });
  expect(desktop.status).toBe(201);
  const settings = {
    auto_open: false,
    auto_close: true,
    auto_start: false,
    scene_width: 2000,
    scene_height: 1000,
  };
  const changed = await client.put(`/projects/${desktop.json.project_id}`, {
    ...grids,
    ...settings,
    name: desktop.json.name,
    zoom: 80,
    show_layers: true,
    snap_to_grid: true,
    show_grid: true,
    variables: null,
    supplier: null,
  });
  expect([changed.status, changed.json.zoom]).toEqual([200, 80]);
  expect((await client.put(`/projects/${web.json.project_id}`, { ...grids, ...settings })).status).toBe(200);
  expect((await client.post("/projects", { name: freshName(), auto_close: false })).status).toBe(201);
});
