/**
 * A lab of many nodes on a table with DynamoDB's limits: what its calls write, and that all who read the states of devices find those
 * that a large run has stored apart.
 */
import { strToU8, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalStack, startLocalStack } from "../../infra/local/local-stack.ts";
import { environmentOf, localStack } from "../helpers/stack/this-stack.ts";
import { PartitionLimits } from "../helpers/stores/partition-limits.ts";
import { danglingReferences, objectKeys } from "../helpers/stores/store-checker.ts";
import { type StoreProxy, startStoreProxy } from "../helpers/stores/store-proxy.ts";

const PCS = 120;
const PCS_PER_SWITCH = 30;
const SWITCHES = PCS / PCS_PER_SWITCH;

const idOf = (kind: number, index: number) =>
  `0000000${kind}-0000-4000-8000-${String(index).padStart(12, "0")}`;
const [SWITCH, PC, LINK, PROJECT] = [1, 2, 3, 4];
const pc = (index: number) => idOf(PC, index);
const projectId = idOf(PROJECT, 1);
const project = `/projects/${projectId}`;

const limits = new PartitionLimits();
let proxy: StoreProxy;
let stack: LocalStack;

beforeAll(async () => {
  stack = await startLocalStack({
    inMemory: true,
    port: 0,
    quiet: true,
    synth: localStack().assembly,
    endpoints: async ({ dynamodb, s3 }) => {
      proxy = await startStoreProxy(dynamodb, limits.over());
      return { dynamodb: proxy.url, s3 };
    },
  });
  const response = await call("POST", `${project}/import?name=large`, archive());
  expect(response.status).toBe(201);
  await send("POST", `${project}/open`);
}, 300_000);

afterAll(async () => {
  await stack?.stop();
  proxy?.close();
});

const call = (method: string, path: string, body?: Uint8Array | object) =>
  fetch(`${stack.url}/${stack.stage}${path}`, {
    method,
    ...(body instanceof Uint8Array
      ? { body: Buffer.from(body), headers: { "content-type": "application/octet-stream" } }
      : body && { body: JSON.stringify(body) }),
  });

async function send(method: string, path: string, body?: Uint8Array | object) {
  const response = await call(method, path, body);
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return /^[[{]/.test(text) ? JSON.parse(text) : text;
}

/** Returns what a call has used of the table. */
async function unitsOf(method: string, path: string, body?: object) {
  limits.take();
  await send(method, path, body);
  return limits.take();
}

const ping = (target: number) => ({ commands: [`ping 10.0.0.${target + 1} -c 1`] });
const consoleOf = (index: number, of = project) => `${of}/nodes/${pc(index)}/console`;

/** An archive of switches on one core switch, with PCs that have a saved address each. */
function archive(): Uint8Array {
  const nodes: object[] = [];
  const links: object[] = [];
  const add = (node_id: string, name: string, node_type: string, properties: object) =>
    nodes.push({ node_id, name, node_type, properties, compute_id: "local", x: 0, y: 0, z: 1 });
  const connect = (...ends: [string, number][]) =>
    links.push({
      link_id: idOf(LINK, links.length),
      filters: {},
      nodes: ends.map(([node_id, port_number]) => ({ node_id, adapter_number: 0, port_number })),
    });
  const ports = (count: number) => ({
    ports_mapping: Array.from({ length: count }, (_, port_number) => ({
      name: `Ethernet${port_number}`,
      port_number,
      type: "access",
      vlan: 1,
    })),
  });
  add(idOf(SWITCH, 0), "CORE", "ethernet_switch", ports(8));
  for (let i = 0; i < SWITCHES; i++) {
    add(idOf(SWITCH, i + 1), `SW${i}`, "ethernet_switch", ports(PCS_PER_SWITCH + 1));
    connect([idOf(SWITCH, 0), i], [idOf(SWITCH, i + 1), PCS_PER_SWITCH]);
  }
  for (let i = 0; i < PCS; i++) {
    add(pc(i), `A${i}`, "vpcs", {});
    connect([pc(i), 0], [idOf(SWITCH, Math.floor(i / PCS_PER_SWITCH) + 1), i % PCS_PER_SWITCH]);
  }
  const topology = { computes: [], drawings: [], links, nodes };
  const document = {
    name: "large",
    project_id: projectId,
    revision: 9,
    type: "topology",
    version: "2.2.60",
    topology,
  };
  const files = Object.fromEntries(
    Array.from({ length: PCS }, (_, i) => [
      `project-files/vpcs/${pc(i)}/startup.vpc`,
      strToU8(`ip 10.0.0.${i + 1}/24\n`),
    ]),
  );
  return zipSync({ "project.gns3": strToU8(JSON.stringify(document)), ...files });
}

const statesObjects = async () => (await objectKeys(stack)).filter((key) => key.startsWith("states/"));

describe("a large lab", { timeout: 120_000 }, () => {
  test("starts with one unit for each node, and never more than a partition key takes", async () => {
    const { writeUnits, throttled } = await unitsOf("POST", `${project}/nodes/start`);
    expect(throttled).toBe(0);
    expect(writeUnits).toBeLessThan(1.2 * PCS);
    const nodes = (await send("GET", `${project}/nodes`)) as { status: string }[];
    expect(new Set(nodes.map(({ status }) => status))).toEqual(new Set(["started"]));
  });

  test("carries a ping whose broadcast all switches hear for a few units", async () => {
    const { output } = await send("POST", consoleOf(0), ping(PCS - 1));
    expect(output).toContain("84 bytes from 10.0.0.120");
    const { writeUnits, throttled } = await unitsOf("POST", consoleOf(1), ping(PCS - 2));
    expect([writeUnits < 10, throttled]).toEqual([true, 0]);
  });

  test("shows the tables of its switches, and the counters of its links", async () => {
    const table = (await send("GET", `${project}/nodes/${idOf(SWITCH, 0)}/mac_table`)) as object[];
    expect(table.length).toBe(PCS);
    const counters = async () => {
      const links = (await send("GET", `${project}/links/counters`)) as {
        a_to_b: { in: { packets: number } };
      }[];
      return links.map(({ a_to_b }) => a_to_b.in.packets);
    };
    const before = await counters();
    expect(Math.min(...before)).toBeGreaterThan(0);
    // Addresses are known by now: a small run, which counts in items.
    await send("POST", consoleOf(0), ping(PCS - 1));
    const between = await counters();
    await send("POST", consoleOf(2), ping(PCS - 3));
    const after = await counters();
    const sum = (all: readonly number[]) => all.reduce((one, other) => one + other);
    expect(sum(between) - sum(before)).toBeGreaterThan(0);
    expect(sum(between) - sum(before)).toBeLessThan(20);
    expect(sum(after) - sum(between)).toBeGreaterThan(0);
  });

  test("keeps a file that is stored on a node after a large run", async () => {
    const file = `${project}/nodes/${pc(7)}/files/startup.vpc`;
    expect(await send("GET", file)).toBe("ip 10.0.0.8/24\n");
    await send("POST", file, strToU8("ip 10.0.0.208/24\n"));
    expect(await send("GET", file)).toBe("ip 10.0.0.208/24\n");
    await send("POST", consoleOf(3), ping(PCS - 4));
    expect(await send("GET", file)).toBe("ip 10.0.0.208/24\n");
  });

  test("is copied with the states of its devices", async () => {
    const { project_id } = await send("POST", `${project}/duplicate`, { name: "copy of large" });
    const copy = `/projects/${project_id}`;
    await send("POST", `${copy}/open`);
    const nodes = (await send("GET", `${copy}/nodes`)) as { name: string; node_id: string }[];
    const { node_id } = nodes.find(({ name }) => name === "A7")!;
    expect(await send("GET", `${copy}/nodes/${node_id}/files/startup.vpc`)).toBe("ip 10.0.0.208/24\n");
  });

  test("is restored from a snapshot with the states that it had", async () => {
    const { snapshot_id } = await send("POST", `${project}/snapshots`, { name: "before" });
    await send("POST", `${project}/nodes/${pc(7)}/files/startup.vpc`, strToU8("ip 10.0.0.99/24\n"));
    await send("POST", consoleOf(4), ping(PCS - 5));
    await send("POST", `${project}/snapshots/${snapshot_id}/restore`);
    expect(await send("GET", `${project}/nodes/${pc(7)}/files/startup.vpc`)).toBe("ip 10.0.0.208/24\n");
  });

  test("gives a new node nothing of a deleted one with its id", async () => {
    await send("DELETE", `${project}/nodes/${pc(9)}`);
    const node = { node_id: pc(9), name: "NEW", node_type: "vpcs", compute_id: "local" };
    await send("POST", `${project}/nodes`, node);
    expect((await call("GET", `${project}/nodes/${pc(9)}/files/startup.vpc`)).status).toBe(404);
  });

  test("leaves no dangling reference; the sweeper keeps the object that the project names", async () => {
    await send("POST", `${project}/nodes/start`);
    await send("POST", `${project}/nodes/stop`);
    expect(await danglingReferences(stack)).toEqual([]);
    const own = (await statesObjects()).filter((key) => key.includes(projectId));
    expect(own.length).toBeGreaterThan(1);
    Object.assign(process.env, environmentOf({ ...stack, url: stack.url }));
    const { removeOrphans } = await import("../../functions/sweeper/orphans.ts");
    await removeOrphans(own.map((key) => ({ key, bytes: 1, modifiedMs: 0 })));
    expect((await statesObjects()).filter((key) => key.includes(projectId))).toHaveLength(1);
    expect(await danglingReferences(stack)).toEqual([]);
  });

  test("is reported as damaged when its states are missing, but not when it was deleted since it was read", async () => {
    const { readStates } = await import("../../functions/shared/store/run/lab-states.ts");
    const missing = (project_id: string) => readStates({ project_id, states: crypto.randomUUID() });
    await expect(missing(projectId)).rejects.toMatchObject({ code: "store.damaged" });
    await expect(missing(crypto.randomUUID())).rejects.toMatchObject({ code: "project.not-found" });
  });

  test("is deleted with its states", async () => {
    await send("POST", `${project}/close`);
    await send("DELETE", project);
    expect((await statesObjects()).filter((key) => key.includes(projectId))).toEqual([]);
  });
});
