/** Import of projects over HTTP: archives of GNS3 and of this service, and archives that are refused. */
import { unzipSync } from "fflate";
import { beforeAll, describe, expect, test } from "vitest";
import { gns3Project, PC1, PC2, SWITCH } from "../helpers/archives/gns3-project.ts";
import { withField, zip } from "../helpers/archives/zip.ts";
import { user } from "../helpers/service/callers.ts";
import { perform, useServiceStores } from "../helpers/service/in-process.ts";
import { addLink, addNode, client, end, freshName, makeLab, uuid } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";
import { danglingReferences, objectKeys } from "../helpers/stores/store-checker.ts";
import { PNG, svg } from "../unit/symbols/images.ts";

// biome-ignore lint/suspicious/noExplicitAny: the service's responses, which the tests check
type Json = any;

let operations: typeof import("../../functions/archives/import-project.ts");
beforeAll(async () => {
  useServiceStores();
  operations = await import("../../functions/archives/import-project.ts");
});

const put = (path: string, raw: string | Uint8Array) => client.call("POST", path, { raw });

async function imported(archive: Uint8Array, query = `?name=${freshName("imported")}`, id = uuid()) {
  const answer = await put(`/projects/${id}/import${query}`, archive);
  expect(answer.status, answer.bytes.toString()).toBe(201);
  return { path: `/projects/${id}`, project: answer.json as Json };
}

/** Imports what must be refused. @returns the message, without its beginning. */
async function refused(archive: Uint8Array, status = 409, query = ""): Promise<string> {
  const id = uuid();
  const answer = await put(`/projects/${id}/import${query}`, archive);
  expect([answer.status, (await client.get(`/projects/${id}`)).status]).toEqual([status, 404]);
  return answer.json.message.replace("Cannot import project, ", "");
}

const topologyOf = async (path: string) => ({
  nodes: (await client.get(`${path}/nodes`)).json as Json[],
  links: (await client.get(`${path}/links`)).json as Json[],
  drawings: (await client.get(`${path}/drawings`)).json as Json[],
});

describe("an archive of GNS3", () => {
  test("becomes a closed project with its nodes, links, drawings and files", async () => {
    const { path, project } = await imported(gns3Project());
    expect(project).toMatchObject({
      status: "closed",
      auto_close: true,
      auto_open: false,
      auto_start: false,
      zoom: 100,
    });
    expect((await client.get(path)).json).toEqual(project);
    const { nodes, links, drawings } = await topologyOf(path);
    expect(nodes.map(({ name, node_type, x, status }) => [name, node_type, x, status])).toEqual([
      ["PC1", "vpcs", -87, "stopped"],
      ["PC2", "vpcs", 123, "stopped"],
      ["Switch1", "ethernet_switch", 0, "started"],
    ]);
    expect(nodes.map(({ node_id }) => node_id)).not.toContain(PC1);
    expect(nodes.map(({ console }) => console)).toEqual([5000, 5001, 5000]);
    expect(nodes[0].label).toMatchObject({ text: "PC1", x: 18, y: -25 });
    expect(links).toMatchObject([
      {
        filters: { delay: [10, 0], packet_loss: [5] },
        nodes: [{ node_id: nodes[0].node_id }, { node_id: nodes[2].node_id, port_number: 0 }],
      },
      { filters: {}, nodes: [{ node_id: nodes[1].node_id }, { node_id: nodes[2].node_id, port_number: 1 }] },
    ]);
    expect(drawings).toMatchObject([{ x: -210, y: -108, z: 0, svg: expect.stringContaining("<rect") }]);
    expect((await client.get(`${path}/files/README.txt`)).bytes.toString()).toBe("A lab of GNS3");
    const file = await client.get(`${path}/nodes/${nodes[0].node_id}/files/startup.vpc`);
    expect(file.bytes.toString()).toBe("set pcname PC1\nip 10.0.0.1/24\n");
    expect(await danglingReferences(localStack())).toEqual([]);
  });

  test("runs: its PCs read their start-up files and reach each other", async () => {
    const { path } = await imported(
      gns3Project((file) => {
        file.topology.links[0].filters = {};
      }),
    );
    await client.post(`${path}/open`);
    await client.post(`${path}/nodes/start`);
    const { nodes } = await topologyOf(path);
    const { json } = await client.post(`${path}/nodes/${nodes[0].node_id}/console`, {
      commands: ["ping 10.0.0.2 -c 1"],
    });
    expect(json.output).toContain("84 bytes from 10.0.0.2");
    const added = await client.post(`${path}/nodes`, { name: "PC1", node_type: "vpcs", compute_id: "local" });
    expect(added.json.name).toBe("PC3");
    await client.delete(`${path}/nodes/${nodes[0].node_id}`);
    await client.delete(path);
    expect(await danglingReferences(localStack())).toEqual([]);
  });

  test("keeps its ids in a project with its own id, which a repetition returns unchanged", async () => {
    const id = uuid();
    const archive = gns3Project((file) => {
      file.project_id = id.toUpperCase();
    });
    const first = await imported(archive, `?name=${freshName()}`, id);
    const { nodes } = await topologyOf(first.path);
    expect(nodes.map(({ node_id }) => node_id)).toEqual([PC1, PC2, SWITCH]);
    const again = await imported(Buffer.from("anything"), "?name=other", id);
    expect(again.project).toEqual(first.project);
  });

  test("gets a number behind its name when that is taken", async () => {
    const name = freshName("taken");
    const archive = gns3Project((file) => {
      file.name = name;
    });
    const names = [];
    for (let count = 0; count < 3; count++) names.push((await imported(archive, "")).project.name);
    expect(names).toEqual([name, `${name}-1`, `${name}-2`]);
    expect((await imported(archive, `?name=${name}`)).project.name).toBe(`${name}-3`);
  });

  test.each([5, 6, 7, 8])("of revision %i is read, with fields that it lacks", async (revision) => {
    const archive = gns3Project((file) => {
      file.revision = revision;
      for (const key of ["zoom", "grid_size", "variables", "supplier", "auto_close"]) delete file[key];
      for (const node of file.topology.nodes) {
        for (const key of ["z", "first_port_name", "port_segment_size"]) delete node[key];
        node.console_type = node.node_type === "vpcs" ? "serial" : null;
        node.x += 0.4;
      }
      for (const link of file.topology.links)
        for (const key of ["filters", "link_style", "suspend"]) delete link[key];
      file.topology.nodes[0].properties = { startup_script_path: "startup.vpc" };
    });
    const { path } = await imported(archive);
    const { nodes, links } = await topologyOf(path);
    expect(nodes[0]).toMatchObject({ x: -87, z: 1, console_type: "telnet", properties: {} });
    expect(links[0]).toMatchObject({ filters: {}, suspend: false, link_style: {} });
  });

  test("may have a cloud, a NAT and a hub, and names with spaces or twice", async () => {
    const archive = gns3Project((file) => {
      const [pc] = file.topology.nodes;
      const other = (fields: object) => ({ ...pc, node_id: uuid(), ...fields });
      file.topology.nodes.push(
        other({
          node_type: "cloud",
          name: "Cloud 1",
          properties: {
            ports_mapping: [{ interface: "eth0", name: "eth0", port_number: 0, type: "ethernet" }],
            interfaces: [],
          },
        }),
        other({ node_type: "nat", name: "NAT1", properties: { ports_mapping: [{}] } }),
        other({
          node_type: "ethernet_hub",
          name: "Hub1",
          properties: { ports_mapping: [{ port_number: 0 }, { port_number: 1 }] },
        }),
        other({ name: "PC1" }),
      );
    });
    const { nodes } = await topologyOf((await imported(archive)).path);
    expect(nodes.slice(3).map(({ name, node_type, ports }) => [name, node_type, ports.length])).toEqual([
      ["Cloud1", "cloud", 1],
      ["NAT1", "nat", 1],
      ["Hub1", "ethernet_hub", 2],
      ["PC3", "vpcs", 1],
    ]);
  });

  test("may have drawings and pictures in files", async () => {
    const archive = gns3Project(
      (file) => {
        file.topology.drawings = [
          { drawing_id: uuid(), rotation: 0, svg: "a.svg", x: 1, y: 1, z: 1 },
          { drawing_id: uuid(), rotation: 0, svg: "b.png", x: 1, y: 1, z: 1 },
          { drawing_id: uuid(), rotation: 0, svg: "missing.png", x: 1, y: 1, z: 1 },
        ];
      },
      { "project-files/images/a.svg": svg(7, 8, "in a file"), "project-files/images/b.png": PNG },
    );
    const { drawings } = await topologyOf((await imported(archive)).path);
    expect(drawings[0].svg).toContain("in a file");
    expect(drawings[1].svg).toContain(`base64,${Buffer.from(PNG).toString("base64")}`);
    expect(drawings[2].svg).toBe("<svg><desc>The picture missing.png is missing</desc></svg>");
  });

  test("is exported as it was: consoles, sizes of unknown symbols, interfaces, names of pictures", async () => {
    const id = uuid();
    const large = Buffer.concat([PNG, Buffer.alloc(200_000)]);
    const picture = (svg: string) => ({
      drawing_id: uuid(),
      locked: false,
      rotation: 0,
      svg,
      x: 1,
      y: 1,
      z: 1,
    });
    const appearance = { console_auto_start: false, custom_adapters: [], locked: false, template_id: null };
    let written: Json;
    const archive = gns3Project(
      (file) => {
        file.project_id = id;
        const [pc1, pc2, ethernet] = file.topology.nodes;
        for (const node of file.topology.nodes) Object.assign(node, appearance);
        Object.assign(pc1, { console: 5002, symbol: "own.png", width: 200, height: 188 });
        Object.assign(pc2, { console: 5000, width: 65, height: 59, symbol: ":/symbols/computer.svg" });
        Object.assign(ethernet, { console: 5000, width: 72, height: 32 });
        for (const port of ethernet.properties.ports_mapping) port.ethertype = "";
        const mapping = { interface: "virbr0", name: "nat0", port_number: 0, type: "ethernet" };
        const nat = { name: "NAT1", node_id: uuid(), node_type: "nat", console: null, symbol: "cloud.png" };
        const qemu = { name: "VM1", node_id: uuid(), node_type: "qemu", console: 5002, symbol: "vm.png" };
        file.topology.nodes.push(
          { ...ethernet, ...nat, properties: { ports_mapping: [mapping] } },
          { ...pc1, ...qemu, properties: { adapters: 1 } },
        );
        for (const node of file.topology.nodes) node.label = { ...node.label, text: node.name };
        for (const [index, link] of file.topology.links.entries())
          link.nodes[1].label = { style: "", text: `0/${index}` };
        file.topology.drawings = [
          "a.svg",
          "a picture.png",
          "large.png",
          "gone <1> & 2.png",
          "plan.tiff",
          "<svg></svg>",
        ].map(picture);
        written = structuredClone(file);
      },
      {
        "project-files/images/a.svg": svg(7, 8, "in a file"),
        "project-files/images/a picture.png": PNG,
        "project-files/images/large.png": large,
        "project-files/images/plan.tiff": "II*",
      },
    );
    const { path, project } = await imported(archive, `?name=${freshName()}`, id);
    const shown = (await topologyOf(path)).drawings.map(({ svg: text }) => text);
    expect(shown[2]).toContain("The picture large.png is too large to be shown");
    expect(shown[3]).toContain("The picture gone &lt;1&gt; &amp; 2.png is missing");
    expect(shown[4]).toContain("The picture plan.tiff is in a format that is not shown");
    const exported = unzipSync((await client.get(`${path}/export`)).bytes);
    const again = JSON.parse(Buffer.from(exported["project.gns3"]!).toString());
    expect(again.topology).toEqual(written.topology);
    expect({ ...again, topology: 0 }).toEqual({
      ...written,
      auto_start: false,
      name: project.name,
      topology: 0,
      version: again.version,
    });
    expect(exported["project-files/images/large.png"]).toHaveLength(large.length);
    const twice = await imported(archive, `?name=${freshName()}`);
    await client.delete(path);
    await client.delete(twice.path);
    expect(await danglingReferences(localStack())).toEqual([]);
  });

  test("is read with values that other releases and tools write", async () => {
    const template_id = "";
    const machine = {
      ...{
        compute_id: "vm",
        console: 0,
        console_type: "telnet",
        node_id: uuid(),
        node_type: "qemu",
        template_id,
      },
      ...{ custom_adapters: [{ adapter_number: 0, port_name: null, adapter_type: "e1000" }], name: "VM 1" },
      ...{
        label: { text: "VM 1", rotation: -720.4, x: 1.6, y: null },
        properties: { adapters: 1 },
        x: 1.2,
        y: 2,
      },
    };
    const archive = gns3Project((file) => {
      Object.assign(file, { zoom: 90.5, variables: [{ name: "a", value: null }] });
      file.topology.nodes.push(machine);
      file.topology.drawings[0].rotation = 450;
    });
    const { path, project } = await imported(archive);
    expect(project).toMatchObject({ zoom: 91, variables: [{ name: "a" }] });
    const { nodes, drawings } = await topologyOf(path);
    expect(nodes[3]).toMatchObject({
      console: null,
      custom_adapters: [{ adapter_number: 0, adapter_type: "e1000" }],
      label: { text: "VM1", rotation: 0, x: 2, y: null },
      template_id: null,
    });
    expect(drawings[0].rotation).toBe(90);
  });

  test("may be its project file alone, which may leave out lists", async () => {
    const file = unzipSync(gns3Project())["project.gns3"]!;
    expect((await topologyOf((await imported(file)).path)).nodes).toHaveLength(3);
    const empty = { name: "empty", revision: 9, topology: { nodes: null, links: null, drawings: null } };
    const { path } = await imported(Buffer.from(`\uFEFF\n${JSON.stringify(empty)}`));
    expect(await topologyOf(path)).toEqual({ nodes: [], links: [], drawings: [] });
    expect(await refused(Buffer.from('{"name": "a",}'))).toBe(
      "the project.gns3 file is corrupted (not JSON)",
    );
  });

  test("gives each PC a console of its own; a switch only keeps its number", async () => {
    const { path } = await imported(gns3Project());
    await client.post(`${path}/open`);
    const { nodes } = await topologyOf(path);
    expect(nodes.map(({ console }) => console)).toEqual([5000, 5001, 5000]);
    const moved = await client.put(`${path}/nodes/${nodes[2].node_id}`, { x: 7 });
    expect([moved.status, moved.json.console]).toEqual([200, 5000]);
    expect((await client.put(`${path}/nodes/${nodes[1].node_id}`, { console: 5000 })).json.console).toBe(
      5002,
    );
    await client.delete(`${path}/nodes/${nodes[2].node_id}`);
    const added = await client.post(`${path}/nodes`, { name: "PC", node_type: "vpcs", compute_id: "local" });
    expect(added.json.console).not.toBe(5000);
    await client.delete(path);
    expect(await danglingReferences(localStack())).toEqual([]);
  });

  test("leaves out what no device here reads, images and captures", async () => {
    const archive = gns3Project(undefined, {
      [`project-files/vpcs/${PC1}/vpcs.hist`]: "x",
      [`project-files/dynamips/${uuid()}/nvram`]: "x",
      "images/QEMU/a.img": "x",
      "project-files/snapshots/one.gns3": "x",
      "snapshots/notes.txt": "x",
      "project-files/captures/a.pcap": "x",
      "other.gns3": "{}",
      "docs/a.txt": "kept",
    });
    const { path, project } = await imported(archive);
    const keys = (await objectKeys(localStack())).filter((key) =>
      key.startsWith(`files/${project.project_id}/`),
    );
    expect(keys).toHaveLength(2);
    expect((await client.get(`${path}/files/docs/a.txt`)).bytes.toString()).toBe("kept");
  });
});

describe("a node that does not run here", () => {
  const ROUTER = "6b1ec1b6-0a35-4d9d-a1cf-2f6d3a8a9b01";
  const MACHINE = "6b1ec1b6-0a35-4d9d-a1cf-2f6d3a8a9b02";
  const CONFIG = "project-files/dynamips/ID/configs/i1_startup-config.cfg";
  const other = (fields: object) => ({
    compute_id: "vm",
    console: 5011,
    console_type: "telnet",
    first_port_name: null,
    label: { rotation: 0, style: "font-size: 10;", text: "R1", x: 3, y: -21 },
    locked: true,
    port_name_format: "Ethernet{0}",
    port_segment_size: 0,
    symbol: ":/symbols/router.svg",
    x: 300,
    y: -150,
    z: 2,
    ...fields,
  });
  const dynamips = other({
    name: "R1",
    node_id: ROUTER,
    node_type: "dynamips",
    properties: {
      platform: "c7200",
      image: "c7200.image",
      slot0: "C7200-IO-FE",
      slot1: "PA-4E",
      ram: 512,
      wic0: null,
    },
  });
  const qemu = other({
    name: "VM 1",
    node_id: MACHINE,
    node_type: "qemu",
    console: 5012,
    properties: { hda_disk_image: "vm.qcow2", adapters: 2, options: "-nographic" },
  });
  const mixed = gns3Project(
    (file) => {
      file.topology.nodes.push(dynamips, qemu);
      const [at, to] = [
        (adapter_number: number) => ({ adapter_number, port_number: 0 }),
        file.topology.links,
      ];
      to.push(
        {
          nodes: [
            { node_id: ROUTER, ...at(1) },
            { node_id: SWITCH, adapter_number: 0, port_number: 4 },
          ],
        },
        // An adapter that the properties do not have.
        {
          nodes: [
            { node_id: ROUTER, ...at(0) },
            { node_id: MACHINE, ...at(5) },
          ],
        },
      );
    },
    {
      [CONFIG.replace("ID", ROUTER)]: "hostname R1",
      [`project-files/qemu/${uuid()}/hda.qcow2`]: "of no node",
    },
  );

  test("is kept with its place, its cables, its properties and its files", async () => {
    const { path } = await imported(mixed);
    const { nodes, links } = await topologyOf(path);
    const [router, machine] = nodes.slice(3);
    const { name: _name, node_id: _id, compute_id: _compute, ...kept } = dynamips as Json;
    expect(router).toMatchObject({ ...kept, name: "R1", status: "stopped", compute_id: "local" });
    expect(router.ports.map(({ name }: Json) => name)).toContain("FastEthernet0/0");
    expect(machine).toMatchObject({
      name: "VM1",
      node_type: "qemu",
      properties: { hda_disk_image: "vm.qcow2" },
    });
    expect(machine.ports.map(({ adapter_number }: Json) => adapter_number)).toEqual([0, 1, 5]);
    expect(links).toHaveLength(4);
    const file = await client.get(`${path}/files/${CONFIG.replace("ID", router.node_id)}`);
    expect(file.bytes.toString()).toBe("hostname R1");
    expect(await danglingReferences(localStack())).toEqual([]);
  });

  test("says what it needs when it is started; the others start and run without it", async () => {
    const { path } = await imported(mixed);
    await client.post(`${path}/open`);
    const { nodes } = await topologyOf(path);
    const [pc, , , router, machine] = nodes;
    const start = await client.post(`${path}/nodes/${router.node_id}/start`);
    expect([start.status, start.json.message]).toEqual([
      409,
      "Node R1 cannot be started: a dynamips node with c7200.image needs a compute, and it is on none",
    ]);
    expect((await client.post(`${path}/nodes/${machine.node_id}/reload`)).json.message).toContain(
      "a qemu node with vm.qcow2 needs",
    );
    await client.post(`${path}/nodes/start`);
    const statuses = (await topologyOf(path)).nodes.map(({ status }) => status);
    expect(statuses).toEqual(["started", "started", "started", "stopped", "stopped"]);
    const { json } = await client.post(`${path}/nodes/${pc.node_id}/console`, {
      commands: ["ping 10.0.0.2 -c 1"],
    });
    expect(json.output).toContain("84 bytes from 10.0.0.2");
    const duplicate = await client.post(`${path}/nodes/${router.node_id}/duplicate`, { x: 0, y: 0 });
    expect([duplicate.status, duplicate.json.code]).toEqual([409, "node.not-duplicable"]);
    const typed = await client.post(`${path}/nodes/${router.node_id}/console`, { commands: ["show"] });
    expect([typed.status, typed.json.code]).toEqual([409, "node.no-console"]);
  });

  test("is changed, copied by snapshots and deleted like others, and exported unchanged", async () => {
    const id = uuid();
    const own = gns3Project(
      (file) => {
        file.project_id = id;
        file.topology.nodes.push({ ...dynamips, compute_id: "local" });
        file.topology.links.push({
          link_id: uuid(),
          filters: {},
          link_style: {},
          suspend: false,
          nodes: [
            { node_id: ROUTER, adapter_number: 1, port_number: 3, label: { style: "x", text: "e1/3" } },
            { node_id: SWITCH, adapter_number: 0, port_number: 7, label: { style: "x", text: "e7" } },
          ],
        });
      },
      { [CONFIG.replace("ID", ROUTER)]: "hostname R1" },
    );
    const { path } = await imported(own, `?name=${freshName()}`, id);
    const { bytes } = await client.get(`${path}/export`);
    const entries = unzipSync(bytes);
    const written = JSON.parse(Buffer.from(entries["project.gns3"]!).toString()).topology;
    expect(written.nodes[3]).toMatchObject({ ...dynamips, compute_id: "local" });
    expect(written.links[2].nodes[0]).toMatchObject({ node_id: ROUTER, adapter_number: 1, port_number: 3 });
    expect(Buffer.from(entries[CONFIG.replace("ID", ROUTER)]!).toString()).toBe("hostname R1");
    const again = await imported(bytes);
    expect((await topologyOf(again.path)).nodes[3]).toMatchObject({
      properties: (dynamips as Json).properties,
    });

    await client.post(`${path}/open`);
    const node = `${path}/nodes/${ROUTER}`;
    const put = await client.put(node, { x: 1, properties: { ram: 256 } });
    expect([put.status, put.json.x, put.json.properties]).toEqual([
      200,
      1,
      { ...(dynamips as Json).properties, ram: 256 },
    ]);
    const { json: snapshot } = await client.post(`${path}/snapshots`, { name: "s" });
    expect((await client.delete(node)).status).toBe(409);
    await client.put(node, { locked: false });
    expect((await client.delete(node)).status).toBe(204);
    await client.post(`${path}/snapshots/${snapshot.snapshot_id}/restore`);
    expect((await topologyOf(path)).nodes.map(({ node_type }) => node_type)).toContain("dynamips");
    await client.delete(path);
    expect(await danglingReferences(localStack())).toEqual([]);
  });

  test("is refused for callers who want that", async () => {
    const found = await refused(mixed, 409, "?missing=refuse");
    expect(found).toMatch(
      /^no compute can run its nodes R1 \(dynamips\), VM 1 \(qemu\); the types that run here are /,
    );
    expect(await refused(mixed, 400, "?missing=perhaps")).toContain("missing");
  });

  test("is made by an import alone", async () => {
    const lab = await makeLab();
    const body = { name: "R1", node_type: "dynamips", compute_id: "local" };
    const { status, json } = await client.post(`${lab.path}/nodes`, body);
    expect([status, json.code]).toEqual([409, "node.type-not-runnable"]);
  });
});

describe("an archive is refused, and leaves no project,", () => {
  const changed = (change: (file: Json) => unknown) => gns3Project(change);
  test.each([
    ["no zip", Buffer.from("no zip"), "not a GNS3 project (invalid zip)"],
    ["nothing", Buffer.alloc(0), "not a GNS3 project (invalid zip)"],
    ["no project.gns3", zip({ "a.txt": "a" }), "project.gns3 file could not be found"],
    ["no JSON in it", zip({ "project.gns3": "{" }), "the project.gns3 file is corrupted (not JSON)"],
    ["a list in it", zip({ "project.gns3": "[]" }), "the project.gns3 file is corrupted (not an object)"],
    ["no name", changed((file) => delete file.name), /^the project.gns3 file is corrupted \(name: /],
    ["a wrong setting", changed((file) => (file.zoom = "x")), /^the project.gns3 file is corrupted \(zoom: /],
    [
      "revision 10",
      changed((file) => (file.revision = 10)),
      /^the project.gns3 file is of revision 10; revisions 5 to 9 are read/,
    ],
    ["revision 4", changed((file) => (file.revision = 4)), /^the project.gns3 file is of revision 4/],
    ["no revision", changed((file) => delete file.revision), /^the project.gns3 file has no revision/],
    [
      "nodes of a type that nobody knows",
      changed((file) => (file.topology.nodes[0].node_type = "toaster")),
      /^no compute can run its nodes PC1 \(toaster\); the types that run here are /,
    ],
    [
      "a wrong field of a node",
      changed((file) => (file.topology.nodes[1].console = "x")),
      /^node PC2: console /,
    ],
    [
      "a wrong property",
      changed((file) => (file.topology.nodes[2].properties.ports_mapping[3].vlan = 5000)),
      /^node Switch1: properties.ports_mapping.3.vlan/,
    ],
    [
      "two nodes of one id",
      changed((file) => (file.topology.nodes[1].node_id = PC1)),
      "node PC2 has the id of another node",
    ],
    [
      "a link of an unknown node",
      changed((file) => (file.topology.links[1].nodes[0].node_id = uuid())),
      /^link 2: node ID .* is not in the project$/,
    ],
    [
      "a link on no port",
      changed((file) => (file.topology.links[0].nodes[1].port_number = 9)),
      "link 1: port 0/9 for Switch1 not found",
    ],
    [
      "two links on a port",
      changed((file) => (file.topology.links[1].nodes[1].port_number = 0)),
      "link 2: port 0/0 of Switch1 is already used",
    ],
    [
      "a link of a node to itself",
      changed(
        (file) => (file.topology.links[0].nodes[0] = { node_id: SWITCH, adapter_number: 0, port_number: 5 }),
      ),
      "link 1: it connects Switch1 to itself",
    ],
    [
      "a link of three ends",
      changed((file) => file.topology.links[0].nodes.push(file.topology.links[1].nodes[0])),
      "link 1: it has 3 ends, and a link has two",
    ],
    [
      "a filter out of range",
      changed((file) => (file.topology.links[0].filters = { packet_loss: [101] })),
      /^link 1: filters.packet_loss/,
    ],
    [
      "a drawing that is no SVG",
      changed((file) => (file.topology.drawings[0].svg = "<svg><g></svg>")),
      /^drawing 1: expected an SVG document, found /,
    ],
    [
      "a start-up file that is too long",
      gns3Project(undefined, { [`project-files/vpcs/${PC1}/startup.vpc`]: "x".repeat(16_385) }),
      /^file startup.vpc of node PC1: /,
    ],
    [
      "an entry outside of the project",
      gns3Project(undefined, { "../a": "x" }),
      'its entry "../a" has a path outside of the project',
    ],
    [
      "an entry with a control character",
      gns3Project(undefined, { "a\nb": "x" }),
      /^the path of its entry "a\\nb" holds the control character/,
    ],
    [
      "a damaged entry that is not used",
      withField(
        zip({ "project.gns3": JSON.stringify({ name: "x", topology: {} }), "images/a": "abc" }),
        1,
        16,
        1,
        4,
      ),
      'its entry "images/a" is damaged',
    ],
    [
      "a lab of this service that is damaged",
      gns3Project(undefined, { "wirelab/lab.json": "{}" }),
      /^its wirelab\/lab.json is not a lab that this release can read/,
    ],
  ] as const)("with %s", async (_what, archive, message) => {
    const found = await refused(archive);
    if (typeof message === "string") expect(found).toBe(message);
    else expect(found).toMatch(message);
  });

  test("when it is larger than 4 MiB, or the project's place is given", async () => {
    expect(await refused(new Uint8Array(4 * 1024 * 1024 + 1), 413)).toContain("larger");
    expect((await put(`/projects/${uuid()}/import?path=/tmp/x`, gns3Project())).status).toBe(403);
    expect((await put("/projects/none/import", gns3Project())).status).toBe(400);
  });

  test.each([
    ["QUOTA_NODES", "2", "The project would have 3 nodes, and its quota is 2"],
    ["QUOTA_LINKS", "1", "its quota is 1"],
    ["QUOTA_DRAWINGS", "0", "its quota is 0"],
    ["QUOTA_FILES", "0", "its quota is 0"],
    ["QUOTA_STORED_BYTES", "5", "its quota of 5"],
    ["QUOTA_USER_STORED_BYTES", "5", "the quota of 5"],
    ["QUOTA_PROJECTS", "0", "which is the quota"],
  ])("when it does not fit into %s", async (variable, value, message) => {
    const project_id = uuid();
    const name = `importer-${project_id}`;
    process.env[variable] = value;
    try {
      const request = { params: { project_id }, query: { name: freshName() }, body: gns3Project() };
      await expect(
        perform(operations.importProject, request, { name, role: "editor", isAnonymous: false } as never),
      ).rejects.toThrow(message);
    } finally {
      delete process.env[variable];
    }
    expect((await client.get(`/projects/${project_id}`)).status).toBe(404);
    expect((await objectKeys(localStack())).filter((key) => key.includes(project_id))).toEqual([]);
    // The id is free.
    await imported(gns3Project(), `?name=${freshName()}`, project_id);
  });
});

test("one of several concurrent imports of one id creates the project, and the others return it or conflict", async () => {
  const id = uuid();
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => put(`/projects/${id}/import?name=${freshName()}`, gns3Project())),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses).toContain(201);
  for (const status of statuses) expect([201, 409]).toContain(status);
  expect((await topologyOf(`/projects/${id}`)).nodes).toHaveLength(3);
  expect(await danglingReferences(localStack())).toEqual([]);
});

test("another user's project is not touched by an import with its id", async () => {
  const [ann, ben] = [user("import-ann", "editor"), user("import-ben", "editor")];
  const { json } = await ann.post("/projects", { name: freshName() });
  const answer = await ben.call("POST", `/projects/${json.project_id}/import`, { raw: gns3Project() });
  expect([answer.status, answer.json.code]).toEqual([409, "project.id-taken"]);
  expect((await ann.get(`/projects/${json.project_id}/stats`)).json.nodes).toBe(0);
});

describe("snapshots in an archive", () => {
  const snapshotsOf = async (path: string): Promise<Json[]> => (await client.get(`${path}/snapshots`)).json;

  /** A lab that was changed after two snapshots: a PC was renamed, one was added, a file has other text. */
  async function makeChangedLab() {
    const lab = await makeLab({ zoom: 80 });
    const kept = await addNode(lab, { name: "Kept", properties: { startup_script: "ip 10.0.0.1/24" } });
    const other = await addNode(lab);
    await addLink(lab, [end(kept), end(other)], { filters: { delay: [10, 0] } });
    await client.post(`${lab.path}/drawings`, { x: 5, svg: "<svg><g/></svg>" });
    await put(`${lab.path}/files/README.txt`, "before");
    for (const name of ["a/b", "a:b"]) await client.post(`${lab.path}/snapshots`, { name });
    await put(`${lab.path}/files/README.txt`, "after");
    await client.put(`${lab.path}/nodes/${kept}`, { name: "Renamed" });
    await addNode(lab, { name: "Added" });
    await client.put(lab.path, { zoom: 10 });
    return lab;
  }

  test("are left out by default", async () => {
    const { path } = await makeChangedLab();
    const names = Object.keys(unzipSync((await client.get(`${path}/export`)).bytes));
    expect(names.filter((name) => name.startsWith("snapshots/"))).toEqual([]);
  });

  test("are archives themselves, in the format of existing programs, and a list of them", async () => {
    const { path, projectId } = await makeChangedLab();
    const files = unzipSync((await client.get(`${path}/export?include_snapshots=yes`)).bytes);
    const list = JSON.parse(Buffer.from(files["snapshots/snapshots.conf"]!).toString());
    const snapshots = await snapshotsOf(path);
    expect(list).toEqual(
      snapshots.map((each) => ({
        ...each,
        filename: expect.stringMatching(/^(a-b|[0-9a-f-]{36})_\d{6}_\d{6}\.gns3snapshot$/),
      })),
    );
    const archives = list.map(({ filename }: Json) => files[`snapshots/${filename}`]!);
    expect(new Set(list.map(({ filename }: Json) => filename)).size).toBe(2);
    for (const archive of archives) {
      const inside = unzipSync(archive);
      const topology = JSON.parse(Buffer.from(inside["project.gns3"]!).toString());
      expect([topology.project_id, topology.zoom]).toEqual([projectId, 80]);
      expect(topology.topology.nodes.map(({ name }: Json) => name)).toEqual(["Kept", "PC1"]);
      expect(Buffer.from(inside["README.txt"]!).toString()).toBe("before");
    }
  });

  test("are imported, counted, and can be restored, with the ids of the lab's parts", async () => {
    const { path } = await makeChangedLab();
    const archive = (await client.get(`${path}/export?include_snapshots=yes`)).bytes;
    const copy = await imported(archive);
    const [before, after] = [await snapshotsOf(path), await snapshotsOf(copy.path)];
    const shown = (all: Json[]) =>
      all.map(({ name, created_at, description }) => [name, created_at, description]);
    expect(shown(after)).toEqual(shown(before));
    expect((await client.get(`${copy.path}/stats`)).json.snapshots).toBe(2);
    const [renamed] = (await topologyOf(copy.path)).nodes;
    expect(await danglingReferences(localStack())).toEqual([]);

    const { status } = await client.post(`${copy.path}/snapshots/${after[0].snapshot_id}/restore`, {});
    expect(status).toBe(201);
    const { nodes, links, drawings } = await topologyOf(copy.path);
    expect(nodes.map(({ name }) => name)).toEqual(["Kept", "PC1"]);
    expect([renamed.name, nodes[0].node_id]).toEqual(["Renamed", renamed.node_id]);
    expect([links[0].filters, drawings[0].x]).toEqual([{ delay: [10, 0] }, 5]);
    expect((await client.get(`${copy.path}/files/README.txt`)).bytes.toString()).toBe("before");
    expect((await client.get(copy.path)).json.zoom).toBe(80);
    await client.post(`${copy.path}/nodes/start`);
    const commands = ["show ip"];
    const { json } = await client.post(`${copy.path}/nodes/${nodes[0].node_id}/console`, { commands });
    expect(json.output).toContain("10.0.0.1/24");
    expect(await danglingReferences(localStack())).toEqual([]);
  });

  test("of programs that write no list have name and time from the name of their file", async () => {
    const { path } = await imported(
      gns3Project(undefined, {
        "snapshots/my_lab_221126_101112.gns3snapshot": gns3Project(),
        "snapshots/old.gns3project": gns3Project(),
      }),
    );
    const [first, second] = await snapshotsOf(path);
    expect([first.name, first.created_at]).toEqual(["my_lab", Date.UTC(2026, 10, 22, 10, 11, 12) / 1000]);
    expect(second.name).toBe("old");
    expect((await client.post(`${path}/snapshots/${first.snapshot_id}/restore`, {})).status).toBe(201);
    expect((await topologyOf(path)).nodes).toHaveLength(3);
  });

  test.each<[string, Record<string, string | Uint8Array>, RegExp]>([
    [
      "is no archive",
      { "snapshots/a.gns3snapshot": "text" },
      /^its snapshot a\.gns3snapshot: not a GNS3 project .*; without this entry, the archive is imported$/,
    ],
    [
      "has a node that cannot be",
      { "snapshots/a.gns3snapshot": gns3Project((file) => (file.topology.nodes[0].node_type = "toaster")) },
      /^its snapshot a\.gns3snapshot: no compute can run its nodes PC1 \(toaster\)/,
    ],
    [
      "is in a damaged list",
      { "snapshots/snapshots.conf": "{}" },
      /^its snapshots\/snapshots\.conf is not a list/,
    ],
  ])("that %s is refused, and nothing is imported", async (_what, files, message) => {
    const whole = { "snapshots/b.gns3snapshot": gns3Project(), ...files };
    expect(await refused(gns3Project(undefined, whole))).toMatch(message);
  });
});

describe("an exported project", () => {
  /** The parts of a lab without ids, as they must be after a round trip. */
  async function shapeOf(path: string) {
    const { nodes, links, drawings } = await topologyOf(path);
    const names = new Map(nodes.map(({ node_id, name }) => [node_id, name]));
    return {
      nodes: nodes.map(({ node_id: _id, project_id: _project, status: _status, ...node }) => node),
      links: links.map(({ link_id: _id, project_id: _project, nodes: ends, ...link }) => ({
        ...link,
        ends: ends.map(({ node_id, ...rest }: Json) => ({ ...rest, node: names.get(node_id) })),
      })),
      drawings: drawings.map(({ drawing_id: _id, project_id: _project, ...drawing }) => drawing),
    };
  }

  async function makeFullLab() {
    const lab = await makeLab({ zoom: 80, grid_size: 10, variables: [{ name: "seed", value: "7" }] });
    const first = await addNode(lab, {
      x: -100,
      y: 50,
      z: 3,
      locked: true,
      symbol: ":/symbols/affinity/circle/blue/client.svg",
      label: { text: "x", style: "fill: red", x: 4, y: 5, rotation: 10 },
      properties: { startup_script: "set pcname %h\nip 10.0.0.1/24", ignore_checksums: true },
    });
    const gone = await addNode(lab);
    const second = await addNode(lab);
    await client.delete(`${lab.path}/nodes/${gone}`);
    const ports = [{ ipv4: "10.0.0.254/24" }, { name: "wan", ipv4: "10.1.0.1/24" }];
    const router = await addNode(lab, { node_type: "router", name: "R1", properties: { ports } });
    const hub = await addNode(lab, { node_type: "ethernet_hub", name: "HUB" });
    await addNode(lab, { node_type: "cloud", name: "Cloud" });
    await addLink(lab, [end(first), end(hub, 3)], {
      filters: { delay: [10, 2], bpf: ["icmp"] },
      suspend: true,
    });
    await addLink(lab, [end(second), end(hub, 1)], { link_style: { width: 3 } });
    await addLink(lab, [end(hub, 7), end(router, 1)]);
    await client.post(`${lab.path}/drawings`, {
      svg: svg(3, 4, "drawn").toString(),
      x: 5,
      rotation: 45,
      locked: true,
    });
    await put(`${lab.path}/files/docs/README.txt`, "A lab");
    await client.post(`${lab.path}/nodes/start`);
    await client.post(`${lab.path}/nodes/${second}/console`, {
      commands: ["ip 10.0.0.2/24", "save", "save other"],
    });
    await client.post(`${lab.path}/nodes/${router}/console`, { commands: ["ip 0 10.0.0.253/24", "write"] });
    return lab;
  }

  test("is imported as the same lab, with what its devices have saved", async () => {
    const lab = await makeFullLab();
    const archive = (await client.get(`${lab.path}/export`)).bytes;
    const { path, project } = await imported(archive);
    expect(await shapeOf(path)).toEqual(await shapeOf(lab.path));
    expect(project).toMatchObject({ zoom: 80, grid_size: 10, variables: [{ name: "seed", value: "7" }] });
    const [before, after] = [await topologyOf(lab.path), await topologyOf(path)];
    expect(after.nodes[0].node_id).not.toBe(before.nodes[0].node_id);
    for (const [index, name] of [
      [0, "startup.vpc"],
      [1, "startup.vpc"],
      [1, "other.vpc"],
      [2, "startup-config.json"],
    ] as const) {
      const [old, copy] = await Promise.all(
        [
          `${lab.path}/nodes/${before.nodes[index].node_id}`,
          `${path}/nodes/${after.nodes[index].node_id}`,
        ].map(async (node) => (await client.get(`${node}/files/${name}`)).bytes.toString()),
      );
      expect(copy, name).toBe(old);
    }
    expect((await client.get(`${path}/files/docs/README.txt`)).bytes.toString()).toBe("A lab");
    // A PC's MAC address follows from its number.
    await client.post(`${path}/open`);
    await client.post(`${path}/nodes/start`);
    const macs = await Promise.all(
      [lab.path, path].map(async (each) => {
        const { nodes } = await topologyOf(each);
        const { json } = await client.post(`${each}/nodes/${nodes[1].node_id}/console`, {
          commands: ["show ip"],
        });
        expect(json.output).toContain("10.0.0.2/24");
        return /MAC\s*: (\S+)/.exec(json.output)?.[1];
      }),
    );
    expect(macs).toEqual(["00:50:79:66:68:02", "00:50:79:66:68:02"]);
    expect(await danglingReferences(localStack())).toEqual([]);
  });

  test("is the same archive again after its import, except for ids and names", async () => {
    const lab = await makeFullLab();
    const archive = (await client.get(`${lab.path}/export`)).bytes;
    const { path } = await imported(archive);
    const again = unzipSync((await client.get(`${path}/export`)).bytes);
    const withoutIds = (names: string[]) =>
      names.map((name) => name.replace(/[0-9a-f-]{36}/, "ID")).toSorted();
    expect(withoutIds(Object.keys(again))).toEqual(withoutIds(Object.keys(unzipSync(archive))));
  });

  /** Two PCs behind a switch, on a link that loses half of the packets, after a ping; the PCs are off. */
  async function makeUsedLab() {
    const variables = [
      { name: "seed", value: "7" },
      { name: "clock", value: "2030-01-01T00:00:00Z" },
    ];
    const lab = await makeLab({ variables });
    const script = (last: number) => ({ properties: { startup_script: `ip 10.0.0.${last}/24` } });
    const [first, second] = [await addNode(lab, script(1)), await addNode(lab, script(2))];
    const hub = await addNode(lab, { node_type: "ethernet_switch", name: "SW" });
    await addLink(lab, [end(first), end(hub, 0)], { filters: { packet_loss: [50] } });
    await addLink(lab, [end(second), end(hub, 1)]);
    await pingIn(lab.path);
    return lab.path;
  }

  /** Starts the PCs, pings, and stops them again. @returns what the ping prints. */
  async function pingIn(path: string): Promise<string> {
    await client.post(`${path}/nodes/start`);
    const { nodes } = await topologyOf(path);
    const commands = ["ping 10.0.0.2 -c 20"];
    const { json } = await client.post(`${path}/nodes/${nodes[0].node_id}/console`, { commands });
    await client.post(`${path}/nodes/stop`);
    return json.output;
  }

  async function macsIn(path: string): Promise<Json> {
    const { nodes } = await topologyOf(path);
    return (await client.get(`${path}/nodes/${nodes[2].node_id}/mac_table`)).json;
  }

  test("goes on where it was: clock, positions of filters, addresses that a switch has learned", async () => {
    const path = await makeUsedLab();
    const copy = await imported((await client.get(`${path}/export`)).bytes);
    await client.post(`${copy.path}/open`);
    const learned = await macsIn(path);
    expect(learned.length).toBe(2);
    expect(await macsIn(copy.path)).toEqual(learned);
    const output = await pingIn(path);
    expect(output).toContain("timeout");
    expect(await pingIn(copy.path)).toBe(output);
    expect(await macsIn(copy.path)).toEqual(await macsIn(path));
  });

  test.each<[string, (lab: Json) => void]>([
    ["node .*\\.device\\.macs\\.0\\.1: ", (lab) => (lab.nodes[2].state.device.macs[0][1] = 2 ** 48)],
    ["node .*\\.random: ", (lab) => (lab.nodes[2].state.random = [0, 0, 0, 0])],
    ["link .*\\.a-to-b: ", (lab) => (lab.links[0].state["a-to-b"] = { other: 1 })],
    ["clock_us: ", (lab) => (lab.clock_us = 4_102_444_800_000_001)],
  ])("with a state that no lab has is refused: %s", async (message, change) => {
    const files = unzipSync((await client.get(`${await makeUsedLab()}/export`)).bytes);
    const lab = JSON.parse(Buffer.from(files["wirelab/lab.json"]!).toString());
    change(lab);
    const archive = zip({ ...files, "wirelab/lab.json": JSON.stringify(lab) });
    expect(await refused(archive)).toMatch(new RegExp(`^its wirelab/lab.json is damaged: ${message}`));
  });

  test("without what only this service has is a fresh lab", async () => {
    const lab = await makeFullLab();
    const files = unzipSync((await client.get(`${lab.path}/export`)).bytes);
    const { path } = await imported(zip({ "project.gns3": files["project.gns3"]! }));
    const { nodes } = await topologyOf(path);
    expect(nodes.map(({ name, node_type }) => [name, node_type])).toEqual([
      ["PC1", "vpcs"],
      ["PC3", "vpcs"],
      ["R1", "docker"],
      ["HUB", "ethernet_hub"],
      ["Cloud", "cloud"],
    ]);
    expect(nodes[2].ports.map(({ name }: Json) => name)).toEqual(["Ethernet0", "wan"]);
    expect((await client.get(`${path}/nodes/${nodes[1].node_id}/files/startup.vpc`)).status).toBe(404);
  });

  test("brings uploaded symbols, and does not replace those of the stack", async () => {
    const lab = await makeLab();
    const [mine, theirs] = [`${freshName("mine")}.svg`, `${freshName("theirs")}.svg`];
    for (const id of [mine, theirs]) await put(`/symbols/${id}/raw`, svg(21, 31, "old"));
    await addNode(lab, { symbol: mine });
    await addNode(lab, { symbol: theirs });
    const archive = (await client.get(`${lab.path}/export`)).bytes;
    await client.delete(`/symbols/${mine}/raw`);
    await put(`/symbols/${theirs}/raw`, svg(21, 31, "new"));
    const { path } = await imported(archive);
    const { nodes } = await topologyOf(path);
    expect(nodes.map(({ symbol, width }) => [symbol, width])).toEqual([
      [mine, 21],
      [theirs, 21],
    ]);
    expect((await client.get(`/symbols/${mine}/raw`)).bytes.toString()).toContain("old");
    expect((await client.get(`/symbols/${theirs}/raw`)).bytes.toString()).toContain("new");
  });

  test("with a symbol that is no image is refused", async () => {
    const archive = gns3Project(
      (file) => {
        file.topology.nodes[0].symbol = "odd.svg";
      },
      { "wirelab/symbols/odd.svg": "no image" },
    );
    expect(await refused(archive)).toMatch(/^symbol odd.svg: expected /);
  });
});
