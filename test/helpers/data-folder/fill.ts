/** Makes something of every kind that a client can make, by requests of its users. states.ts makes the rest. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceUser } from "./service-user.ts";

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="65" height="59"><circle r="9"/></svg>';
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
/** More segments than a link and one page have place for: functions/shared/store/lab/segment.ts. */
const MANY_SEGMENTS = 20;
const VPCS_TEMPLATE = "19021f99-e36f-394d-b4a1-8aaa902ab9cc";

const end = (node_id: string, port_number = 0, adapter_number = 0) => ({
  node_id,
  adapter_number,
  port_number,
});

const add = async (user: ServiceUser, project: string, fields: object): Promise<string> =>
  (await user.post(`${project}/nodes`, { compute_id: "local", ...fields })).node_id;

const join = async (
  user: ServiceUser,
  project: string,
  ends: readonly object[],
  more: object = {},
): Promise<string> =>
  `${project}/links/${(await user.post(`${project}/links`, { nodes: ends, ...more })).link_id}`;

const ping = (user: ServiceUser, project: string, node: string, address: string) =>
  user.post(`${project}/nodes/${node}/console`, { commands: [`ping ${address} -c 1`] });

/** Two PCs whose lab a test goes on with. */
export interface MadePair {
  /** Path of the project. */
  readonly project: string;
  readonly pc: string;
  /** Path of the link, which has a running capture. */
  readonly link: string;
}

/** Of a service that asks no caller for credentials. */
export async function fillWithoutUsers(caller: ServiceUser): Promise<MadePair> {
  const { project_id } = await caller.ask("POST", "/projects", {
    body: { name: "Of no user" },
    headers: { "idempotency-key": "of-no-user" },
  });
  const pair = await makePair(caller, `/projects/${project_id}`);
  await caller.ask("POST", "/symbols/of-no-user.svg/raw", { raw: SVG });
  return pair;
}

async function makePair(user: ServiceUser, project: string): Promise<MadePair> {
  const pc = await add(user, project, {
    name: "PC1",
    node_type: "vpcs",
    properties: { startup_script: "ip 10.0.0.1/24" },
  });
  const other = await add(user, project, {
    name: "PC2",
    node_type: "vpcs",
    properties: { startup_script: "ip 10.0.0.2/24" },
  });
  const link = await join(user, project, [end(pc), end(other)]);
  await user.post(`${link}/start_capture`, { capture_file_name: "pair.pcap" });
  await user.post(`${project}/nodes/start`);
  await ping(user, project, pc, "10.0.0.2");
  return { project, pc, link };
}

export interface Made {
  readonly pair: MadePair;
  /** Path of a project with a node of each type that the service simulates, but Linux. */
  readonly lab: string;
  /** A Linux node that is off, in a project of its own. */
  readonly linux: { readonly project: string; readonly node: string };
  /** Path of the project whose nodes are on a registered compute. */
  readonly real: string;
  /** A project whose large commit a function has begun and not finished, and its node that the commit stops. */
  readonly interrupted: { readonly project: string; readonly node: string };
  readonly sweep: string;
  /** Paths of runs of labs with Linux nodes. */
  readonly runs: readonly string[];
}

/**
 * @param editor a user with the role `editor`, who shares projects with the user `viewer`.
 * @param computePort where a compute listens on this machine.
 */
export async function fill(
  admin: ServiceUser,
  editor: ServiceUser,
  computePort: number,
): Promise<Omit<Made, "runs">> {
  await fillService(admin, editor);
  const lab = await fillLab(editor);
  await fillSnapshots(editor, lab);
  const pair = await makeShared(editor);
  return {
    pair,
    lab,
    linux: await makeLinux(editor),
    real: await makeReal(admin, editor, computePort),
    interrupted: await makeInterrupted(editor),
    sweep: await makeSweep(editor),
  };
}

async function fillService(admin: ServiceUser, editor: ServiceUser): Promise<void> {
  await editor.ask("POST", "/symbols/square.svg/raw", { raw: SVG });
  await editor.ask("POST", "/symbols/folder/dot.png/raw", { raw: PNG });
  const { template_id } = await admin.post("/templates", {
    name: "Office PC",
    template_type: "vpcs",
    compute_id: "local",
    default_name_format: "Office{0}",
    startup_script: "ip dhcp",
    symbol: "square.svg",
  });
  await admin.post(`/templates/${template_id}/duplicate`);
  await admin.put(`/templates/${VPCS_TEMPLATE}`, { default_name_format: "Host{0}" });
  await admin.put("/simvm", { ram: 4096, vcpus: 2 });
  await admin.put("/iou_license", { iourc_content: "[license]\nhost = 0123456789abcdef;\n" });
}

async function fillLab(user: ServiceUser): Promise<string> {
  const { project_id } = await user.post("/projects", {
    name: "Every node",
    variables: [
      { name: "seed", value: "fixture" },
      { name: "clock", value: "2026-01-01T00:00:00Z" },
    ],
    expires_at: "2999-01-01T00:00:00Z",
    scene_width: 3000,
  });
  const project = `/projects/${project_id}`;
  const node = (fields: object) => add(user, project, fields);
  const pc1 = await node({ name: "PC{0}", node_type: "vpcs", properties: { startup_script: "ip dhcp" } });
  const gone = await node({ name: "PC{0}", node_type: "vpcs" });
  const pc3 = await node({
    name: "PC{0}",
    node_type: "vpcs",
    properties: { startup_script: "ip 10.2.0.9/24 10.2.0.1" },
    symbol: "square.svg",
    x: -120,
    label: { text: "third", x: 1, y: 2, rotation: 0, style: "" },
  });
  const switch_ = await node({ name: "SW1", node_type: "ethernet_switch" });
  const hub = await node({ name: "HUB1", node_type: "ethernet_hub" });
  const router = await node({
    name: "R1",
    node_type: "router",
    properties: {
      ports: [
        { ipv4: "10.1.0.1/24", dhcp: { first: "10.1.0.100", last: "10.1.0.199" } },
        { ipv4: "10.2.0.1/24" },
        { ipv4: "192.168.122.9/24" },
      ],
      nat: { source: [{ out: "Ethernet2", from: "10.0.0.0/8", to: "interface" }] },
    },
  });
  const server = await node({
    name: "S1",
    node_type: "server",
    properties: { ipv4: "10.1.0.2/24", gateway: "10.1.0.1", http: { files: { "/": "a page" } } },
  });
  const nat = await node({
    name: "NAT1",
    node_type: "nat",
    properties: { internet: [{ name: "www.example.com", files: { "/": "hello" } }] },
  });
  await node({ name: "CLOUD1", node_type: "cloud" });
  await user.ask("DELETE", `${project}/nodes/${gone}`);
  const lan = await join(user, project, [end(pc1), end(switch_)], { filters: { delay: [5, 1] } });
  await join(user, project, [end(server), end(switch_, 1)]);
  const uplink = await join(user, project, [end(router), end(switch_, 2)]);
  await join(user, project, [end(router, 1), end(hub)]);
  const slow = await join(user, project, [end(pc3), end(hub, 1)]);
  await join(user, project, [end(router, 2), end(nat)]);
  await user.put(`${slow}/impairments`, { both: { delay: "20ms" }, a_to_b: { rate: "1mbit" } });
  await user.put(uplink, { link_style: { color: "#ff0000", width: 3 } });
  await user.post(`${lan}/start_capture`, { capture_file_name: "stopped.pcap", bpf: "icmp" });
  await user.post(`${project}/nodes/start`);
  await ping(user, project, pc1, "10.1.0.2");
  await ping(user, project, pc3, "10.2.0.1");
  await user.post(`${lan}/stop_capture`);
  await user.post(`${uplink}/start_capture`, { capture_file_name: "running.pcap" });
  for (let run = 0; run < MANY_SEGMENTS; run++) await ping(user, project, pc1, "10.1.0.1");
  await user.post(`${project}/nodes/${pc1}/console`, { commands: ["set pcname first", "save"] });
  await user.ask("POST", `${project}/nodes/${pc3}/files/startup.vpc`, {
    raw: "set pcname third\nip 10.2.0.9/24 10.2.0.1\n",
  });
  await user.ask("POST", `${project}/files/README.txt`, { raw: "About this lab\n" });
  await user.ask("POST", `${project}/files/folder/picture.png`, { raw: PNG });
  await user.post(`${project}/drawings`, { svg: SVG, x: 5, y: 6, rotation: 15, locked: true });
  const { node_id: copy } = await user.post(`${project}/nodes/${hub}/duplicate`, { x: 50, y: 75 });
  await user.post(`${project}/nodes/${copy}/suspend`);
  await user.post(`${project}/templates/${VPCS_TEMPLATE}`, { x: 0, y: 0, compute_id: "local" });
  return project;
}

async function fillSnapshots(user: ServiceUser, project: string): Promise<void> {
  await user.post(`${project}/snapshots`, { name: "as it was" });
  await user.post(`${project}/duplicate`, { name: "A copy of every node" });
}

async function makeShared(user: ServiceUser): Promise<MadePair> {
  const body = { name: "Shared", shared_with: [{ user: "viewer", role: "viewer" }] };
  const headers = { "idempotency-key": "shared" };
  const { project_id } = await user.ask("POST", "/projects", { body, headers });
  return makePair(user, `/projects/${project_id}`);
}

async function makeLinux(user: ServiceUser): Promise<Made["linux"]> {
  const project = `/projects/${(await user.post("/projects", { name: "Linux" })).project_id}`;
  const properties = {
    image: "absent",
    ports: ["10.0.0.1/24"],
    files: { "etc/motd": "hello\n" },
    commands: ["true"],
  };
  return { project, node: await add(user, project, { name: "H1", node_type: "linux", properties }) };
}

async function makeReal(admin: ServiceUser, user: ServiceUser, port: number): Promise<string> {
  const { compute_id } = await admin.post("/computes", {
    protocol: "http",
    host: "127.0.0.1",
    port,
    name: "Rack 1",
    user: "rack",
    password: "of the rack",
  });
  const project = `/projects/${(await user.post("/projects", { name: "Real nodes" })).project_id}`;
  const real = (fields: object) => add(user, project, { compute_id, ...fields });
  const docker = await real({
    name: "D1",
    node_type: "docker",
    properties: { image: "debian", adapters: 2 },
  });
  const qemu = await real({ name: "Q1", node_type: "qemu", properties: { adapters: 2, ram: 256 } });
  await real({ name: "IOU1", node_type: "iou", properties: { path: "l2.bin" } });
  const link = await join(user, project, [end(docker), end(qemu)]);
  await user.post(`${project}/nodes/${docker}/start`);
  await user.post(`${link}/start_capture`, { capture_file_name: "real.pcap" });
  return project;
}

async function makeInterrupted(user: ServiceUser): Promise<Made["interrupted"]> {
  const project = `/projects/${(await user.post("/projects", { name: "Interrupted" })).project_id}`;
  const node = await add(user, project, { name: "PC1", node_type: "vpcs" });
  await user.post(`${project}/nodes/start`);
  return { project, node };
}

async function makeSweep(user: ServiceUser): Promise<string> {
  const raw =
    "nodes: {a: 10.0.0.1/24, b: 10.0.0.2/24, s: switch}\nlinks: [a -- s, b -- s]\nexpect: [reach: a -> b]";
  const path = `/labs/sweep/${(await user.ask("POST", "/labs/sweep?links=1", { raw })).sweep_id}`;
  while ((await user.get(path)).status === "running") await sleep(100);
  await user.ask("POST", "/labs/run?captures=lab", { raw });
  return path;
}
