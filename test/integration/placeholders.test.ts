/** Placeholders of imported projects move to a compute that is registered later, against a compute in this process. */
import { unzipSync } from "fflate";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { SERVICE } from "../../functions/shared/edge/access.ts";
import { gns3Project, SWITCH } from "../helpers/archives/gns3-project.ts";
import { FakeCompute } from "../helpers/compute/fake-compute.ts";
import { perform, useServiceStores } from "../helpers/service/in-process.ts";
import { addNode, client, end, freshName, uuid } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";
import { danglingReferences } from "../helpers/stores/store-checker.ts";

// biome-ignore lint/suspicious/noExplicitAny: the service's responses, which the tests check
type Json = any;

const ROUTER = "6b1ec1b6-0a35-4d9d-a1cf-2f6d3a8a9b11";
const OTHER = "6b1ec1b6-0a35-4d9d-a1cf-2f6d3a8a9b12";
const MACHINE = "6b1ec1b6-0a35-4d9d-a1cf-2f6d3a8a9b13";
const CONFIG = (id: string) => `project-files/iou/${id}/startup-config.cfg`;

// No other test has placeholders of these types.
const TYPES = ["iou", "vpcs", "ethernet_switch"];
const compute = new FakeCompute(TYPES);
let port = 0;
let registered: string[] = [];
let power: typeof import("../../functions/runs/power.ts");
let real: typeof import("../../functions/shared/compute/nodes.ts");
const AFTER_THE_LEASE_MS = 60_000;

async function register(at = port): Promise<string> {
  const body = { protocol: "http", host: "127.0.0.1", port: at, name: freshName("compute") };
  const { status, json } = await client.post("/computes", body);
  expect(status).toBe(201);
  registered.push(json.compute_id);
  return json.compute_id;
}

beforeAll(async () => {
  useServiceStores();
  vi.stubEnv("COMPUTE_LOOPBACK", "true");
  power = await import("../../functions/runs/power.ts");
  real = await import("../../functions/shared/compute/nodes.ts");
  port = await compute.start();
});
afterAll(() => compute.stop());
beforeEach(() => {
  registered = [];
});
afterEach(async () => {
  compute.accept();
  compute.forget();
  compute.written.clear();
  compute.calls.length = 0;
  for (const id of registered) await client.delete(`/computes/${id}`);
});

const placeholder = (node_id: string, name: string, fields: object = {}): Json => ({
  compute_id: "vm",
  console: 5011,
  console_type: "telnet",
  custom_adapters: [],
  first_port_name: null,
  label: { rotation: 0, style: "font-size: 10;", text: name, x: 3, y: -21 },
  locked: false,
  name,
  node_id,
  node_type: "iou",
  port_name_format: "Ethernet{segment0}/{port0}",
  port_segment_size: 4,
  properties: { application_id: 7, ethernet_adapters: 2, path: "l3.bin", ram: 256, serial_adapters: 0 },
  symbol: ":/symbols/router.svg",
  x: 300,
  y: -150,
  z: 2,
  ...fields,
});

const link = (...ends: readonly (readonly [id: string, adapter: number, port: number])[]): Json => ({
  link_id: uuid(),
  filters: {},
  link_style: {},
  suspend: false,
  nodes: ends.map(([node_id, adapter_number, port_number]) => ({
    node_id,
    adapter_number,
    port_number,
    label: { style: "font-size: 10;", text: `${adapter_number}/${port_number}` },
  })),
});

/** R1 is linked to the switch of PC1 and PC2, and to R2; R2 is linked to a machine that no compute runs. */
const lab = gns3Project(
  ({ topology }) => {
    const machine = { node_type: "virtualbox", properties: { adapters: 1, vmname: "win" } };
    topology.nodes.push(
      placeholder(ROUTER, "R1"),
      placeholder(OTHER, "R2"),
      placeholder(MACHINE, "VM1", machine),
    );
    topology.links.push(
      link([ROUTER, 0, 0], [SWITCH, 0, 5]),
      { ...link([ROUTER, 0, 1], [OTHER, 0, 0]), filters: { delay: [30, 0] } },
      link([OTHER, 0, 1], [MACHINE, 0, 0]),
    );
  },
  { [CONFIG(ROUTER)]: "hostname R1\n" },
);

async function imported(archive: Uint8Array = lab) {
  const id = uuid();
  const path = `/projects/${id}`;
  const { status, bytes } = await client.call("POST", `${path}/import?name=${freshName("moved")}`, {
    raw: archive,
  });
  expect(status, bytes.toString()).toBe(201);
  await client.post(`${path}/open`);
  return { id, path, ...(await contentsOf(path)) };
}

async function contentsOf(path: string) {
  const nodes: Json[] = (await client.get(`${path}/nodes`)).json;
  const links: Json[] = (await client.get(`${path}/links`)).json;
  const named = (name: string): Json => nodes.find((node) => node.name === name);
  return { nodes, links, named };
}

/** Returns the files of an exported archive by path: documents, and texts. */
async function exported(path: string): Promise<Record<string, Json>> {
  const { status, bytes } = await client.get(`${path}/export`);
  expect(status, bytes.toString()).toBe(200);
  const entries = Object.entries(unzipSync(bytes));
  return Object.fromEntries(
    entries.map(([name, entry]) => {
      const text = Buffer.from(entry).toString();
      return [name, /\.(json|gns3)$/.test(name) ? JSON.parse(text) : text];
    }),
  );
}

const start = (path: string, node: Json) => client.post(`${path}/nodes/${node.node_id}/start`);

describe("a placeholder whose emulator a compute has that was registered later", () => {
  test("starts there, with its files, its links and what they join to it", async () => {
    const { path, named, id } = await imported();
    const before = await exported(path);
    expect((await start(path, named("R1"))).json.code).toBe("node.needs-compute");
    await register();
    const answer = await start(path, named("R1"));
    expect([answer.status, answer.json.status], answer.bytes.toString()).toEqual([200, "started"]);
    expect(answer.json.compute_id).toBe(registered[0]);
    const there = compute.nodes.get(named("R1").node_id)!;
    expect(there).toMatchObject({
      project: id,
      type: "iou",
      status: "started",
      settings: { name: "R1", path: "l3.bin", ethernet_adapters: 2, application_id: 7 },
    });
    expect(compute.written).toEqual(new Map([[`${id}/${CONFIG(named("R1").node_id)}`, "hostname R1\n"]]));

    const after = await contentsOf(path);
    expect(after.nodes.map(({ name, compute_id }) => [name, compute_id === registered[0]])).toEqual([
      ["PC1", true],
      ["PC2", true],
      ["Switch1", true],
      ["R1", true],
      ["R2", true],
      ["VM1", false],
    ]);
    const nodeId = (name: string): string => named(name).node_id;
    expect(compute.nodes.get(nodeId("PC1"))!.settings.startup_script).toBe(
      "set pcname PC1\nip 10.0.0.1/24\n",
    );
    const [toSwitch, atSwitch] = [compute.nio(nodeId("R1")), compute.nio(nodeId("Switch1"), "0/5")];
    expect(toSwitch).toMatchObject({ type: "nio_udp", rport: atSwitch!.lport });
    expect(compute.nio(nodeId("PC1"))).toBeDefined();
    expect(compute.nio(nodeId("R1"), "0/1")).toMatchObject({ filters: { delay: [30, 0] } });
    // A filter of such a link is sent to the compute.
    const tuned = after.links.find(({ filters }) => filters.delay?.[0] === 30);
    await client.put(`${path}/links/${tuned.link_id}`, { filters: { delay: [60, 0] } });
    expect(compute.nio(nodeId("R1"), "0/1")).toMatchObject({ filters: { delay: [60, 0] } });
    await client.put(`${path}/links/${tuned.link_id}`, { filters: { delay: [30, 0] } });
    // The link to the machine waits until a compute runs it.
    expect(compute.nio(nodeId("R2"), "0/1")).toBeUndefined();
    expect((await start(path, named("VM1"))).json.code).toBe("node.needs-compute");

    expect(await exported(path)).toEqual(before);
    expect(await danglingReferences(localStack())).toEqual([]);
    await client.delete(path);
    expect([...compute.nodes.keys()]).toEqual([]);
    expect(await danglingReferences(localStack())).toEqual([]);
  });

  test("starts with all nodes, and with a project that starts by itself", async () => {
    const { path, named } = await imported();
    await register();
    expect((await client.post(`${path}/nodes/start`)).status).toBe(204);
    const names = ["R1", "R2", "PC1", "PC2", "Switch1"];
    const statuses = () => names.map((name) => compute.nodes.get(named(name).node_id)?.status);
    expect(statuses()).toEqual(names.map(() => "started"));
    expect((await client.post(`${path}/nodes/stop`)).status).toBe(204);
    expect(statuses()).toEqual(["stopped", "stopped", "stopped", "stopped", "started"]);

    const other = await imported();
    await client.put(other.path, { auto_start: true });
    await client.post(`${other.path}/close`);
    expect((await client.post(`${other.path}/open`)).status).toBe(201);
    expect(compute.nodes.get(other.named("R2").node_id)!.status).toBe("started");
  });

  test("is as before when the compute lacks its image, which the response names, and starts on one that has it", async () => {
    const { path, named, nodes } = await imported();
    await register();
    compute.refuse(/iou\/nodes$/, 409, "The 'l3.bin' image is missing");
    const answer = await start(path, named("R1"));
    expect([answer.status, answer.json.code]).toEqual([409, "compute.image-missing"]);
    expect(answer.json.message).toContain("l3.bin");
    expect((await contentsOf(path)).nodes).toEqual(nodes);
    expect([...compute.nodes.keys()]).toEqual([]);
    const pc = `${path}/nodes/${named("PC1").node_id}`;
    expect((await client.post(`${pc}/start`)).status).toBe(200);
    const ping = await client.post(`${pc}/console`, { commands: ["show ip"] });
    expect(ping.json.output).toContain("10.0.0.1/24");

    const second = new FakeCompute(TYPES);
    const secondId = await register(await second.start());
    expect((await start(path, named("R1"))).json.compute_id).toBe(secondId);
    // A PC that was on is on there.
    expect(second.nodes.get(named("PC1").node_id)!.status).toBe("started");
    expect(second.nodes.get(named("PC2").node_id)!.status).toBe("stopped");
    await client.delete(path);
    await second.stop();
  });

  test("does not move with what no compute runs, or what real time has not", async () => {
    const { id, path, named } = await imported();
    await register();
    const server = await addNode({ projectId: id, path }, { name: "S1", node_type: "server" });
    const ends = [end(server), { ...end(named("Switch1").node_id), port_number: 6 }];
    const cable = (await client.post(`${path}/links`, { nodes: ends })).json.link_id;
    const refused = await start(path, named("R1"));
    expect([refused.status, refused.json.code]).toEqual([409, "node.cannot-move"]);
    expect(refused.json.message).toMatch(/^Node S1 cannot move to a compute: .*delete its link to Switch1/);
    await client.delete(`${path}/links/${cable}`);
    const toPc = (await contentsOf(path)).links.find(({ nodes }) =>
      nodes.some(({ node_id }: Json) => node_id === named("PC1").node_id),
    );
    await client.put(`${path}/links/${toPc.link_id}/impairments`, { a_to_b: { loss: { listed: [2] } } });
    expect((await start(path, named("R1"))).json.message).toContain("has impairments");
    await client.delete(`${path}/links/${toPc.link_id}/impairments`);
    await client.post(`${path}/links/${toPc.link_id}/start_capture`, {});
    expect((await start(path, named("R1"))).json.message).toContain("stop the capture");
    await client.post(`${path}/links/${toPc.link_id}/stop_capture`);
    expect((await start(path, named("R1"))).status).toBe(200);
  });

  test("keeps what is changed there, and a duplicate has a place of its own", async () => {
    const { path, named } = await imported();
    await register();
    await start(path, named("R1"));
    const node = `${path}/nodes/${named("R1").node_id}`;
    const { json } = await client.get(node);
    await client.put(node, { x: 1, properties: { ...json.properties, ram: 512 } });
    const file = (await exported(path))["project.gns3"];
    const written = file.topology.nodes.find(({ name }: Json) => name === "R1");
    expect([written.x, written.properties]).toEqual([
      1,
      { ...placeholder(ROUTER, "R1").properties, ram: 512 },
    ]);
    await client.post(`${node}/stop`);
    const copy = await client.post(`${node}/duplicate`, { x: 5, y: 5 });
    expect([copy.status, copy.json.compute_id]).toEqual([201, registered[0]]);
    expect((await client.get(`${path}/export`)).json.code).toBe("lab.on-computes");
    expect((await client.post(`${path}/snapshots`, { name: "s" })).json.code).toBe("lab.on-computes");
  });

  test("is put back, with all that moves with it, when the function that moves it dies", async () => {
    const { id: project_id, path, named, nodes, links } = await imported();
    await register();
    const node_id: string = named("R1").node_id;
    // The calls before: capabilities and load of the compute, its project, a file, five nodes; then two of each link.
    for (const call of [1, 4, 7, 11, 18]) {
      const died = compute.interrupt(call, "after");
      perform(power.startNode, { params: { project_id, node_id } }).catch(() => {});
      await died;
      compute.accept();
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + AFTER_THE_LEASE_MS });
      try {
        for (const node of nodes) await real.readSettled(SERVICE, project_id, node.node_id);
      } finally {
        vi.useRealTimers();
      }
      const left = await contentsOf(path);
      expect([left.nodes, left.links], String(call)).toEqual([nodes, links]);
      // The function goes on in this process with the calls that it makes beside the one at which it died.
      compute.forget();
    }
    expect((await start(path, named("R1"))).json.status).toBe("started");
    expect(compute.nio(node_id)).toBeDefined();
    await client.delete(path);
  });
});
