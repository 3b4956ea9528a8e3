/** Nodes and links of registered computes, against computes in this process. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { LAB_PCAP } from "../helpers/captures/pcap.ts";
import { FakeCompute } from "../helpers/compute/fake-compute.ts";
import { addLink, addNode, client, end, freshName, type Lab, makeLab, uuid } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";

const near = new FakeCompute();
const far = new FakeCompute();
let nearPort = 0;
let nearId = "";
let farId = "";
let lab: Lab;

async function register(port: number, fields: object = {}): Promise<string> {
  const body = { protocol: "http", host: "127.0.0.1", port, name: freshName("compute"), ...fields };
  const answer = await client.post("/computes", body);
  expect(answer.status).toBe(201);
  return answer.json.compute_id;
}

beforeAll(async () => {
  nearPort = await near.start();
  nearId = await register(nearPort);
  farId = await register(await far.start());
});

afterAll(async () => {
  for (const id of [nearId, farId]) await client.delete(`/computes/${id}`);
  await Promise.all([near.stop(), far.stop()]);
});

beforeEach(async () => {
  lab = await makeLab();
});

afterEach(() => {
  for (const compute of [near, far]) {
    compute.accept();
    compute.forget();
    compute.calls.length = 0;
  }
});

const pc = (fields: Record<string, unknown> = {}) => addNode(lab, { compute_id: nearId, ...fields });
const nodePath = (id: string): string => `${lab.path}/nodes/${id}`;
const read = async (id: string) => (await client.get(nodePath(id))).json;

describe("a node of a registered compute", () => {
  test("is created there, with its project, and shows what the compute answers", async () => {
    const id = await pc({ name: "PC1", properties: { startup_script: "set pcname %h" } });
    expect([...near.projects]).toEqual([lab.projectId]);
    expect(near.nodes.get(id)).toMatchObject({
      type: "vpcs",
      settings: { name: "PC1", node_id: id, startup_script: "set pcname %h" },
    });
    expect(await read(id)).toMatchObject({
      compute_id: nearId,
      console: near.nodes.get(id)!.settings.console,
      console_host: "127.0.0.1",
      console_type: "telnet",
      node_directory: `/nodes/${id}`,
      ports: [{ name: "Ethernet0", adapter_number: 0, port_number: 0 }],
      status: "stopped",
    });
  });

  test("may be of any type of the interface, with the ports of its adapters", async () => {
    const properties = { image: "debian", adapters: 2 };
    const docker = await read(await pc({ name: "D1", node_type: "docker", properties }));
    expect(docker.node_type).toBe("docker");
    expect(docker.ports.map((port: { name: string }) => port.name)).toEqual(["eth0", "eth1"]);
    const qemu = await pc({ name: "Q1", node_type: "qemu", properties: { adapters: 2, ram: 256 } });
    expect((await read(qemu)).ports.map((port: { name: string }) => port.name)).toEqual([
      "Ethernet0",
      "Ethernet1",
    ]);
  });

  test("is started, suspended, reloaded and stopped there", async () => {
    const id = await pc({ node_type: "qemu" });
    for (const [action, status] of [
      ["start", "started"],
      ["suspend", "suspended"],
      ["reload", "started"],
      ["stop", "stopped"],
    ]) {
      const answer = await client.post(`${nodePath(id)}/${action}`);
      expect([answer.status, answer.json.status], action).toEqual([200, status]);
      expect(near.nodes.get(id)!.status).toBe(status);
    }
  });

  test("is started with all nodes, beside those that are simulated", async () => {
    const [real, simulated] = [await pc(), await addNode(lab)];
    expect((await client.post(`${lab.path}/nodes/start`)).status).toBe(204);
    expect(near.nodes.get(real)!.status).toBe("started");
    expect([(await read(real)).status, (await read(simulated)).status]).toEqual(["started", "started"]);
  });

  test("keeps its status in a run, which has no part in it", async () => {
    const id = await pc();
    await client.post(`${nodePath(id)}/start`);
    await addNode(lab, { name: "PC9" });
    expect((await client.post(`${lab.path}/run`, { duration: 1 })).status).toBe(200);
    expect((await read(id)).status).toBe("started");
    const actions = [{ at: 0, action: "stop", node_id: id }];
    expect((await client.post(`${lab.path}/run`, { actions })).json.code).toBe("node.on-compute");
  });

  test("has its settings there after a change, and not those of the canvas", async () => {
    const id = await pc({ name: "PC1" });
    near.calls.length = 0;
    expect((await client.put(nodePath(id), { x: 5 })).json.x).toBe(5);
    expect(near.calls).toEqual([]);
    const changed = await client.put(nodePath(id), { name: "renamed", console: 5555 });
    expect([changed.status, changed.json.name, changed.json.console]).toEqual([200, "renamed", 5555]);
    expect(near.nodes.get(id)!.settings).toMatchObject({ name: "renamed", console: 5555 });
  });

  test("is as before when the compute refuses a change", async () => {
    const id = await pc({ name: "PC1" });
    near.refuse(/^PUT/, 409, '"PC1" must be stopped');
    const answer = await client.put(nodePath(id), { console_type: "none" });
    expect([answer.status, answer.json.code]).toEqual([409, "compute.refused"]);
    expect(answer.json.message).toContain('"PC1" must be stopped');
    expect((await read(id)).console_type).toBe("telnet");
    near.accept();
    expect((await client.put(nodePath(id), { name: "PC7" })).status).toBe(200);
  });

  test("is not there when the compute refuses its creation", async () => {
    near.refuse(/nodes$/, 409, "The 'a.qcow2' image is missing");
    const body = { name: "Q1", node_type: "qemu", compute_id: nearId };
    const answer = await client.post(`${lab.path}/nodes`, body);
    expect([answer.status, answer.json.code]).toEqual([409, "compute.image-missing"]);
    expect(answer.json.message).toContain("a.qcow2");
    expect((await client.get(`${lab.path}/nodes`)).json).toEqual([]);
    near.accept();
    expect((await client.post(`${lab.path}/nodes`, body)).json.name).toBe("Q1");
  });

  test("has a number of its own if it is an IOU node, as a copy of it has; the caller may choose one", async () => {
    const iou = (fields: object) => pc({ node_type: "iou", ...fields });
    const numberOf = (id: string) => near.nodes.get(id)!.settings.application_id as number;
    const first = await iou({ name: "IOU1", properties: { path: "l2.bin" } });
    const second = await iou({ name: "IOU2", properties: { path: "l2.bin" } });
    const chosen = await iou({ name: "IOU3", properties: { path: "l2.bin", application_id: 400 } });
    const copy = (await client.post(`${nodePath(first)}/duplicate`, { x: 1, y: 2 })).json.node_id;
    const given = numberOf(first);
    expect(given).toBeGreaterThanOrEqual(1);
    expect([second, chosen, copy].map(numberOf)).toEqual([given + 1, 400, given + 2]);
    expect((await read(first)).properties.application_id).toBe(given);
  });

  test("is returned when its id is in use", async () => {
    const id = await pc({ name: "PC1" });
    const again = await client.post(`${lab.path}/nodes`, {
      name: "other",
      node_type: "vpcs",
      compute_id: nearId,
      node_id: id,
    });
    expect([again.status, again.json.name]).toEqual([201, "PC1"]);
  });

  test("is deleted there, also when the compute does not have it any more", async () => {
    const [one, other] = [await pc(), await pc()];
    expect((await client.delete(nodePath(one))).status).toBe(204);
    expect([...near.nodes.keys()]).toEqual([other]);
    near.forget();
    expect((await client.delete(nodePath(other))).status).toBe(204);
    expect((await client.get(`${lab.path}/nodes`)).json).toEqual([]);
  });

  test("is refused for a compute that is not registered", async () => {
    const body = { name: "PC1", node_type: "vpcs", compute_id: uuid() };
    const answer = await client.post(`${lab.path}/nodes`, body);
    expect([answer.status, answer.json.code]).toEqual([404, "compute.not-found"]);
  });
});

describe("a duplicate of a node of a compute", () => {
  const duplicate = (id: string) => client.post(`${nodePath(id)}/duplicate`, { x: 30, y: 40 });

  test("has its settings, and its files there; its name, its console and its addresses are new", async () => {
    const properties = { adapters: 2, mac_address: "0c:00:00:00:00:01", ram: 256 };
    const id = await pc({ name: "Q{0}", node_type: "qemu", properties, locked: true, symbol: "router" });
    const original = await read(id);
    const answer = await duplicate(id);
    expect(answer.status).toBe(201);
    expect(answer.json).toMatchObject({
      x: 30,
      y: 40,
      z: 0,
      locked: false,
      symbol: "router",
      status: "stopped",
    });
    const copy = near.nodes.get(answer.json.node_id)!;
    expect(copy.files).toBe(near.nodes.get(id)!.files);
    expect(copy.settings).toMatchObject({ name: answer.json.name, adapters: 2, ram: 256 });
    expect(copy.settings).not.toHaveProperty("mac_address");
    expect(answer.json.name).not.toBe(original.name);
    expect(answer.json.console).not.toBe(original.console);
  });

  test("is made when the compute has forgotten the node", async () => {
    const id = await pc();
    near.forget();
    const answer = await duplicate(id);
    expect(answer.status).toBe(201);
    expect([...near.nodes.keys()].toSorted()).toEqual([id, answer.json.node_id].toSorted());
  });

  test("is refused while the node runs, and for types that are not duplicated", async () => {
    const id = await pc();
    await client.post(`${nodePath(id)}/start`);
    const cloud = await pc({ node_type: "cloud", name: "CLOUD" });
    near.calls.length = 0;
    expect((await duplicate(id)).json.code).toBe("node.running");
    expect((await duplicate(cloud)).json.code).toBe("node.not-duplicable");
    expect(near.calls).toEqual([]);
  });

  test("is not there when the compute refuses it", async () => {
    const id = await pc();
    near.refuse(/duplicate$/, 409, "no space left");
    const answer = await duplicate(id);
    expect([answer.status, answer.json.code]).toEqual([409, "compute.refused"]);
    expect([...near.nodes.keys()]).toEqual([id]);
    expect((await client.get(`${lab.path}/nodes`)).json).toHaveLength(1);
  });
});

describe("a link between nodes of computes", () => {
  const join = async (fields: Record<string, unknown> = {}) => {
    const ids = [await pc(), await pc({ compute_id: farId })] as const;
    const linkId = await addLink(
      lab,
      ids.map((id) => end(id)),
      fields,
    );
    return { ids, linkId, link: `${lab.path}/links/${linkId}` };
  };

  test("is a tunnel between their ports", async () => {
    const { ids } = await join();
    const [a, b] = [near.nio(ids[0])!, far.nio(ids[1])!];
    expect(a).toMatchObject({
      type: "nio_udp",
      rhost: "127.0.0.1",
      rport: b.lport,
      filters: {},
      suspend: false,
    });
    expect(b).toMatchObject({ type: "nio_udp", rhost: "127.0.0.1", rport: a.lport, filters: {} });
  });

  test("filters at its first end that can, and drops everything while it is suspended", async () => {
    const { ids, link } = await join({ filters: { delay: [30] } });
    expect(near.nio(ids[0])!.filters).toEqual({ delay: [30] });
    expect(far.nio(ids[1])!.filters).toEqual({});
    expect((await client.put(link, { filters: { packet_loss: [10] } })).status).toBe(201);
    expect(near.nio(ids[0])!.filters).toEqual({ packet_loss: [10] });
    expect((await client.put(link, { suspend: true })).json.filters).toEqual({ packet_loss: [10] });
    expect(near.nio(ids[0])).toMatchObject({ filters: { frequency_drop: [-1] }, suspend: true });
    expect(far.nio(ids[1])).toMatchObject({ filters: {}, suspend: true });
  });

  test("offers filters if the compute of an end can filter", async () => {
    const available = async (link: string) => (await client.get(`${link}/available_filters`)).json;
    const { link } = await join();
    expect((await available(link)).map(({ type }: { type: string }) => type)).toEqual([
      "frequency_drop",
      "packet_loss",
      "delay",
      "corrupt",
      "bpf",
    ]);
    const switches = [
      await pc({ node_type: "ethernet_switch", name: "SW1" }),
      await pc({ node_type: "ethernet_hub", name: "HUB1" }),
    ];
    const between = await addLink(
      lab,
      switches.map((id) => end(id)),
    );
    expect(await available(`${lab.path}/links/${between}`)).toEqual([]);
  });

  test("is as before when a compute refuses its filters", async () => {
    const { ids, link } = await join({ filters: { delay: [30] } });
    far.refuse(/^PUT/, 409, "no such filter");
    const answer = await client.put(link, { filters: { delay: [60] } });
    expect([answer.status, answer.json.code]).toEqual([409, "compute.refused"]);
    expect((await client.get(link)).json.filters).toEqual({ delay: [30] });
    expect(near.nio(ids[0])!.filters).toEqual({ delay: [30] });
  });

  test("is not there when a compute refuses it, and leaves no end behind", async () => {
    const ids = [await pc(), await pc({ compute_id: farId })];
    far.refuse(/nio$/, 409, "Port 0 isn't free");
    const answer = await client.post(`${lab.path}/links`, { nodes: ids.map((id) => end(id)) });
    expect([answer.status, answer.json.code]).toEqual([409, "compute.refused"]);
    expect((await client.get(`${lab.path}/links`)).json).toEqual([]);
    expect(near.nio(ids[0]!)).toBeUndefined();
    far.accept();
    await addLink(
      lab,
      ids.map((id) => end(id)),
    );
  });

  test("is removed on both computes, and with a node of it", async () => {
    const { ids, link } = await join();
    expect((await client.delete(link)).status).toBe(204);
    expect([near.nio(ids[0]), far.nio(ids[1])]).toEqual([undefined, undefined]);
    await addLink(
      lab,
      ids.map((id) => end(id)),
    );
    expect((await client.delete(nodePath(ids[0]))).status).toBe(204);
    expect(far.nio(ids[1])).toBeUndefined();
    expect((await client.get(`${lab.path}/links`)).json).toEqual([]);
  });

  test("does not join a simulated node", async () => {
    const nodes = [end(await pc({ name: "REAL" })), end(await addNode(lab, { name: "SIM" }))];
    const answer = await client.post(`${lab.path}/links`, { nodes });
    expect([answer.status, answer.json.code]).toEqual([409, "link.real-and-virtual"]);
    expect(answer.json.message).toContain("REAL");
  });
});

describe("a compute that was restarted", () => {
  test("gets a node, its links and the nodes at their other ends again", async () => {
    const ids = [await pc(), await pc(), await pc({ compute_id: farId })] as const;
    const hub = await pc({ node_type: "ethernet_hub", name: "HUB" });
    for (const [port, id] of ids.entries()) await addLink(lab, [end(id), end(hub, port)]);
    near.forget();
    expect((await client.post(`${nodePath(ids[0])}/start`)).json.status).toBe("started");
    expect([...near.nodes.keys()].toSorted()).toEqual([ids[0], ids[1], hub].toSorted());
    for (const [port, id] of ids.entries()) {
      const compute = id === ids[2] ? far : near;
      expect(compute.nio(id)!.rport, `port ${port}`).toBe(near.nio(hub, `0/${port}`)!.lport);
    }
  });
});

/** Returns status and code; the client of the tests takes a status from 500 up for a fault. */
async function send(method: string, path: string, body?: object): Promise<[number, string]> {
  const init = { method, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(`${localStack().baseUrl}${path}`, init);
  return [response.status, ((await response.json()) as { code: string }).code];
}

describe("a compute that is away", () => {
  test("is reported, nothing is lost, and everything works when it is back", async () => {
    const compute = new FakeCompute();
    const port = await compute.start();
    const compute_id = await register(port);
    const node = await pc({ compute_id, name: "AWAY" });
    await compute.stop();
    const away = [503, "compute.unreachable"];
    expect(await send("POST", `${nodePath(node)}/start`)).toEqual(away);
    expect(await send("PUT", nodePath(node), { name: "NEW" })).toEqual(away);
    expect(await send("DELETE", nodePath(node))).toEqual(away);
    const other = { name: "PC2", node_type: "vpcs", compute_id };
    expect(await send("POST", `${lab.path}/nodes`, other)).toEqual(away);
    expect((await client.get(`${lab.path}/nodes`)).json).toMatchObject([{ name: "AWAY", status: "stopped" }]);
    const again = new FakeCompute();
    await again.start(port);
    expect((await client.post(`${nodePath(node)}/start`)).json.status).toBe("started");
    await again.stop();
    // What a compute had is gone with it.
    await client.delete(`/computes/${compute_id}`);
    expect((await client.delete(nodePath(node))).status).toBe(204);
  });
});

describe("a project with nodes of computes", () => {
  test("is closed there with ours, and its nodes start again when it is opened", async () => {
    const id = await pc();
    await client.post(`${nodePath(id)}/start`);
    expect((await client.post(`${lab.path}/close`)).status).toBe(204);
    expect([...near.projects]).toEqual([]);
    await client.post(`${lab.path}/open`);
    expect((await read(id)).status).toBe("stopped");
    expect((await client.post(`${nodePath(id)}/start`)).json.status).toBe("started");
  });

  test("starts them when it is opened, if it is set to", async () => {
    const id = await pc();
    await client.put(lab.path, { auto_start: true });
    await client.post(`${lab.path}/close`);
    expect((await client.post(`${lab.path}/open`)).status).toBe(201);
    expect(near.nodes.get(id)!.status).toBe("started");
  });

  test("is deleted there with ours", async () => {
    await pc();
    expect((await client.delete(lab.path)).status).toBe(204);
    expect([...near.projects]).toEqual([]);
  });

  test("is not copied: computes keep the disks and files of their nodes", async () => {
    await client.post(`${lab.path}/snapshots`, { name: "empty" });
    const [{ snapshot_id }] = (await client.get(`${lab.path}/snapshots`)).json;
    await pc({ name: "REAL" });
    const refused = [409, "lab.on-computes"];
    for (const [method, path, body] of [
      ["POST", `${lab.path}/snapshots`, { name: "full" }],
      ["POST", `${lab.path}/snapshots/${snapshot_id}/restore`, {}],
      ["POST", `${lab.path}/duplicate`, { name: freshName() }],
      ["GET", `${lab.path}/export`, undefined],
    ] as const) {
      expect(await send(method, path, body), path).toEqual(refused);
    }
  });

  test("takes no part in what is simulated", async () => {
    const ids = [await pc(), await pc()];
    const link = `${lab.path}/links/${await addLink(
      lab,
      ids.map((id) => end(id)),
    )}`;
    const replayed = await client.call("POST", `${link}/replay?from=${ids[0]}`, { raw: LAB_PCAP });
    expect([replayed.status, replayed.json.code]).toEqual([409, "link.real"]);
  });
});

test("a compute is called with its password, which is never returned", async () => {
  const seen: (string | undefined)[] = [];
  const { createServer } = await import("node:http");
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(409).end('{"message": "enough"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const compute_id = await register(port, { user: "ann", password: "secret" });
  const body = { name: "PC1", node_type: "vpcs", compute_id };
  await client.post(`${lab.path}/nodes`, body);
  await client.put(`/computes/${compute_id}`, { password: "changed" });
  await client.post(`${lab.path}/nodes`, body);
  await client.put(`/computes/${compute_id}`, { password: null });
  await client.post(`${lab.path}/nodes`, body);
  const basic = (password: string) => `Basic ${Buffer.from(`ann:${password}`).toString("base64")}`;
  expect(seen).toEqual([basic("secret"), basic("changed"), basic("")]);
  expect(JSON.stringify((await client.get("/computes")).json)).not.toContain("secret");
  await client.delete(`/computes/${compute_id}`);
  server.close();
});
