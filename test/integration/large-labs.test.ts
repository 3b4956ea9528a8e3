/**
 * A lab of many nodes on a table with DynamoDB's limits: what its calls write, and that all who read the states of devices find those
 * that a large run has stored apart.
 */
import { strToU8 } from "fflate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LocalStack } from "../../infra/local/local-stack.ts";
import { parsePcap } from "../helpers/captures/pcap.ts";
import {
  addressOf,
  largeLab,
  largeLabId,
  linkId,
  pcId,
  startupOf,
  switchId,
} from "../helpers/service/large-lab.ts";
import { startInMemory } from "../helpers/stack/in-memory.ts";
import { environmentOf, localStack } from "../helpers/stack/this-stack.ts";
import { PartitionLimits } from "../helpers/stores/partition-limits.ts";
import { danglingReferences, objectKeys } from "../helpers/stores/store-checker.ts";
import { type StoreProxy, startStoreProxy } from "../helpers/stores/store-proxy.ts";

const PCS = 120;
const FEW_PACKETS = 20;
const projectId = largeLabId(1);
const project = `/projects/${projectId}`;

const limits = new PartitionLimits();
let proxy: StoreProxy;
let stack: LocalStack;

beforeAll(async () => {
  stack = await startInMemory({
    synth: localStack().assembly,
    endpoints: async ({ dynamodb, s3 }) => {
      proxy = await startStoreProxy(dynamodb, limits.over());
      return { dynamodb: proxy.url, s3 };
    },
  });
  const response = await call("POST", `${project}/import?name=large`, largeLab(projectId, PCS));
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

const ping = (target: number) => ({ commands: [`ping ${addressOf(target)} -c 1`] });
const consoleOf = (index: number, of = project) => `${of}/nodes/${pcId(index)}/console`;

const statesObjects = async () => (await objectKeys(stack)).filter((key) => key.startsWith("states/"));

describe("a large lab", { timeout: 600_000 }, () => {
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
    const table = (await send("GET", `${project}/nodes/${switchId(0)}/mac_table`)) as object[];
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
    const file = `${project}/nodes/${pcId(7)}/files/startup.vpc`;
    expect(await send("GET", file)).toBe(startupOf(7));
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
    await send("POST", `${project}/nodes/${pcId(7)}/files/startup.vpc`, strToU8("ip 10.0.0.99/24\n"));
    await send("POST", consoleOf(4), ping(PCS - 5));
    await send("POST", `${project}/snapshots/${snapshot_id}/restore`);
    expect(await send("GET", `${project}/nodes/${pcId(7)}/files/startup.vpc`)).toBe("ip 10.0.0.208/24\n");
  });

  test("stores few packets in items, also when its changes follow the commit", async () => {
    const link = `${project}/links/${linkId(0)}`;
    await send("POST", `${project}/nodes/stop`);
    // Of the announcements of all PCs, so many are few.
    await send("POST", `${link}/start_capture`, { max_packets: FEW_PACKETS });
    const packets = async () => {
      const [{ capture_id, packets }] = await send("GET", `${link}/captures`);
      const file = await call("GET", `${link}/captures/${capture_id}/pcap`);
      expect(parsePcap(Buffer.from(await file.arrayBuffer()))).toHaveLength(packets);
      return packets as number;
    };
    // Turns on all nodes, which takes more than a transaction.
    await send("POST", `${project}/nodes/start`);
    expect(await packets()).toBe(FEW_PACKETS);
    expect((await objectKeys(stack)).filter((key) => key.startsWith(`segments/${projectId}/`))).toEqual([]);
    expect(await danglingReferences(stack)).toEqual([]);
    await send("POST", `${link}/stop_capture`);
    expect(await packets()).toBe(FEW_PACKETS);
  });

  test("gives a new node nothing of a deleted one with its id", async () => {
    await send("DELETE", `${project}/nodes/${pcId(9)}`);
    const node = { node_id: pcId(9), name: "NEW", node_type: "vpcs", compute_id: "local" };
    await send("POST", `${project}/nodes`, node);
    expect((await call("GET", `${project}/nodes/${pcId(9)}/files/startup.vpc`)).status).toBe(404);
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
    const { readStates } = await import("../../functions/shared/store/commit/lab-states.ts");
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
