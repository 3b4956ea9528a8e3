/**
 * Snapshots: what they keep, and that restoring one happens at once or not at all. The interrupted ones run in the test's process,
 * through proxies that cut it off from its stores at every call in turn.
 */
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makePcap } from "../helpers/captures/pcap.ts";
import { perform } from "../helpers/service/in-process.ts";
import { addLink, addNode, client, end, type Lab, makeLab, uuid } from "../helpers/service/lab.ts";
import { environmentOf, localStack } from "../helpers/stack/this-stack.ts";
import { FaultPlan, type FaultProxy, startFaultProxy } from "../helpers/stores/fault-proxy.ts";
import { danglingReferences, objectKeys } from "../helpers/stores/store-checker.ts";

const stack = localStack();
const plan = new FaultPlan();
const proxies: FaultProxy[] = [];
let restoreSnapshot: typeof import("../../functions/snapshots/restore-snapshot.ts").restoreSnapshot;

beforeAll(async () => {
  const dynamodb = await startFaultProxy(stack.dynamodbEndpoint, plan);
  const s3 = await startFaultProxy(stack.s3Endpoint, plan);
  proxies.push(dynamodb, s3);
  Object.assign(process.env, environmentOf(stack), {
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    AWS_ENDPOINT_URL_S3: s3.url,
    AWS_MAX_ATTEMPTS: "1",
  });
  ({ restoreSnapshot } = await import("../../functions/snapshots/restore-snapshot.ts"));
});
afterAll(() => {
  for (const proxy of proxies) proxy.close();
});
beforeEach(() => plan.clear());

interface Running extends Lab {
  readonly first: string;
  readonly second: string;
  readonly link: string;
  readonly linkId: string;
  readonly drawing: string;
}

/** Two running PCs that know each other's address, on a link with a filter and a running capture, a drawing and a file. */
async function makeRunning(): Promise<Running> {
  const variables = [
    { name: "seed", value: "7" },
    { name: "clock", value: "2026-01-01T00:00:00Z" },
  ];
  const lab = await makeLab({ variables, zoom: 80 });
  const script = (last: number) => ({ properties: { startup_script: `ip 10.0.0.${last}/24` } });
  const first = await addNode(lab, script(1));
  const second = await addNode(lab, script(2));
  const linkId = await addLink(lab, [end(first), end(second)], { filters: { delay: [10, 0] } });
  const link = `${lab.path}/links/${linkId}`;
  const { json: drawing } = await client.post(`${lab.path}/drawings`, { x: 5, svg: "<svg><g/></svg>" });
  await client.call("POST", `${lab.path}/files/notes/README.txt`, { raw: "read me" });
  await client.post(`${lab.path}/nodes/start`);
  await client.post(`${link}/start_capture`, {});
  await type({ ...lab, first }, ["ping 10.0.0.2 -c 1", "save"]);
  return { ...lab, first, second, linkId, link, drawing: `${lab.path}/drawings/${drawing.drawing_id}` };
}

async function type(lab: Lab & { readonly first: string }, commands: string[]): Promise<string> {
  const { status, json } = await client.post(`${lab.path}/nodes/${lab.first}/console`, { commands });
  expect(status).toBe(200);
  return json.output;
}

const take = async ({ path }: Lab, name = "s"): Promise<string> => {
  const { status, json } = await client.post(`${path}/snapshots`, { name });
  expect(status).toBe(201);
  return `${path}/snapshots/${json.snapshot_id}`;
};

/** What clients see of a lab, without captures. */
async function labOf({ path }: Lab) {
  const [project, nodes, links, drawings, stats] = await Promise.all(
    ["", "/nodes", "/links", "/drawings", "/stats"].map(async (part) => (await client.get(path + part)).json),
  );
  const withoutCapture = links.map(
    ({
      capturing: _capturing,
      capture_file_name: _name,
      capture_file_path: _path,
      capture_compute_id: _compute,
      ...link
    }: Record<string, unknown>) => link,
  );
  const file = await client.get(`${path}/files/notes/README.txt`);
  return { project, nodes, links: withoutCapture, drawings, stats, file: [file.status, String(file.bytes)] };
}

/** Changes all that a snapshot keeps. */
async function wreck(lab: Running): Promise<void> {
  await client.post(`${lab.path}/nodes/stop`);
  await client.delete(`${lab.path}/nodes/${lab.second}`);
  const hub = await addNode(lab, { name: "PC2", node_type: "ethernet_hub" });
  await addLink(lab, [end(lab.first), end(hub)]);
  await client.put(`${lab.path}/nodes/${lab.first}`, { name: "Renamed", x: 99 });
  await client.put(lab.drawing, { x: -1, svg: "<svg/>" });
  await client.post(`${lab.path}/drawings`, { x: 6 });
  await client.call("POST", `${lab.path}/files/notes/README.txt`, { raw: "other text" });
  await client.put(lab.path, { zoom: 10, variables: null });
}

describe("a snapshot", () => {
  test("has the fields that clients expect, and is listed, counted and deleted", async () => {
    const lab = await makeLab();
    const before = Math.floor(Date.now() / 1000);
    const { status, json } = await client.post(`${lab.path}/snapshots`, {
      name: "s",
      description: "ignored",
    });
    expect([status, json]).toEqual([
      201,
      {
        snapshot_id: json.snapshot_id,
        project_id: lab.projectId,
        name: "s",
        created_at: json.created_at,
        description: expect.stringMatching(/^Snapshot 's' taken on \d{4}-\d\d-\d\d at \d\d:\d\d:\d\d$/),
        filename: "s.gns3snapshot",
      },
    ]);
    expect(json.created_at).toBeGreaterThanOrEqual(before);
    const { json: second } = await client.post(`${lab.path}/snapshots`, { name: "a" });
    expect((await client.get(`${lab.path}/snapshots`)).json).toEqual([json, second]);
    expect((await client.get(`${lab.path}/stats`)).json.snapshots).toBe(2);
    const path = `${lab.path}/snapshots/${json.snapshot_id}`;
    expect((await client.delete(path)).status).toBe(204);
    expect((await client.delete(path)).status).toBe(404);
    expect((await client.get(`${lab.path}/snapshots`)).json).toEqual([second]);
    expect((await client.get(`${lab.path}/stats`)).json.snapshots).toBe(1);
    await client.delete(lab.path);
    expect((await objectKeys(stack)).filter((key) => key.includes(lab.projectId))).toEqual([]);
  });

  test("of a name that is taken is 409, and leaves no object", async () => {
    const lab = await makeLab();
    await take(lab);
    const { status, json } = await client.post(`${lab.path}/snapshots`, { name: "s" });
    expect([status, json.code, json.message]).toEqual([
      409,
      "snapshot.name-taken",
      "The snapshot name s already exists",
    ]);
    expect((await objectKeys(stack)).filter((key) => key.includes(lab.projectId))).toHaveLength(1);
    const both = await Promise.all([1, 2].map(() => client.post(`${lab.path}/snapshots`, { name: "t" })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });

  test("frees its name when it is deleted", async () => {
    const lab = await makeLab();
    await client.delete(await take(lab));
    await take(lab);
  });

  test("of a closed project can be listed, deleted and restored, and not taken", async () => {
    const lab = await makeLab();
    const [kept, other] = [await take(lab), await take(lab, "t")];
    await client.post(`${lab.path}/close`);
    expect((await client.get(`${lab.path}/snapshots`)).json).toHaveLength(2);
    expect((await client.post(`${lab.path}/snapshots`, { name: "u" })).status).toBe(403);
    expect((await client.delete(other)).status).toBe(204);
    const { status, json } = await client.post(`${kept}/restore`, {});
    expect([status, json.status]).toEqual([201, "opened"]);
  });

  test("that does not exist cannot be restored", async () => {
    const lab = await makeLab();
    const id = uuid();
    const { status, json } = await client.post(`${lab.path}/snapshots/${id}/restore`, {});
    expect([status, json.message]).toEqual([404, `Snapshot ID ${id} doesn't exist`]);
  });
});

describe("restoring a snapshot", () => {
  test("brings back the topology, the files, the drawings, the settings and the state of each device", async () => {
    const lab = await makeRunning();
    const before = await labOf(lab);
    const snapshot = await take(lab);
    const shown = await type(lab, ["show ip", "show arp"]);
    expect(shown).toContain("10.0.0.2 expires in");
    await wreck(lab);
    const { status, json } = await client.post(`${snapshot}/restore`, {});
    expect([status, json]).toEqual([201, (await client.get(lab.path)).json]);
    expect(await labOf(lab)).toEqual({ ...before, stats: { ...before.stats, snapshots: 1 } });
    expect(await type(lab, ["show ip", "show arp"])).toBe(shown);
    expect(await type(lab, ["ping 10.0.0.2 -c 1"])).toMatch(/bytes from 10\.0\.0\.2/);
    const { bytes } = await client.get(`${lab.path}/nodes/${lab.first}/files/startup.vpc`);
    expect(String(bytes)).toContain("ip 10.0.0.1");
    expect((await client.get(lab.link)).json.filters).toEqual({ delay: [10, 0] });
    expect(await danglingReferences(stack)).toEqual([]);
  });

  test("makes the same calls print the same again, because clock and random numbers are those of the snapshot", async () => {
    const lab = await makeRunning();
    await client.put(lab.link, { filters: { delay: [10, 9], packet_loss: [30] } });
    const snapshot = await take(lab);
    const ping = () => type(lab, ["ping 10.0.0.2 -c 20"]);
    const first = await ping();
    expect(await ping()).not.toBe(first);
    await client.post(`${snapshot}/restore`, {});
    expect(await ping()).toBe(first);
  });

  test("stops a running capture and keeps it; removes the captures of links that the snapshot does not have", async () => {
    const lab = await makeRunning();
    const snapshot = await take(lab);
    const later = await addNode(lab, { name: "SW", node_type: "ethernet_switch" });
    const loose = `${lab.path}/links/${await addLink(lab, [end(later), end(await addNode(lab))])}`;
    await client.post(`${loose}/start_capture`, {});
    await client.call("POST", `${loose}/replay`, { raw: makePcap(2) });
    const [running] = (await client.get(`${lab.link}/captures`)).json;
    await client.post(`${snapshot}/restore`, {});
    const [stopped] = (await client.get(`${lab.link}/captures`)).json;
    expect(stopped).toEqual({ ...running, status: "stopped", stopped_at: expect.any(String) });
    expect((await client.get(lab.link)).json.capturing).toBe(false);
    const { bytes } = await client.get(`${lab.link}/captures/${stopped.capture_id}/pcap`);
    expect(bytes).toHaveLength(running.bytes);
    expect((await client.get(`${loose}/captures`)).status).toBe(404);
    expect((await client.post(`${lab.link}/start_capture`, {})).json.capturing).toBe(true);
    expect(await danglingReferences(stack)).toEqual([]);
  });

  test("leaves names and numbers as they were: the next PC gets the lowest free ones", async () => {
    const lab = await makeRunning();
    const snapshot = await take(lab);
    for (let count = 0; count < 3; count++) await addNode(lab, { name: "PC{0}" });
    await client.post(`${snapshot}/restore`, {});
    const added = await addNode(lab, { name: "PC{0}" });
    expect((await client.get(`${lab.path}/nodes/${added}`)).json.name).toBe("PC3");
    expect((await client.get(`${lab.path}/stats`)).json.nodes).toBe(3);
  });

  test("keeps who shares the project, when it expires, and what opening and closing does", async () => {
    const lab = await makeLab({ auto_start: true });
    const snapshot = await take(lab);
    const changed = {
      auto_start: false,
      auto_close: false,
      expires_at: "2099-01-01T00:00:00Z",
      shared_with: [{ user: "bob", role: "viewer" }],
    };
    await client.put(lab.path, { ...changed, zoom: 33 });
    expect((await client.post(`${snapshot}/restore`, {})).json).toMatchObject({ ...changed, zoom: 100 });
  });

  test("beside runs, new nodes and other changes gives a lab that one order of them gives", async () => {
    const lab = await makeRunning();
    const snapshot = await take(lab);
    const requests = [
      () => client.post(`${snapshot}/restore`, {}),
      () => client.post(`${lab.path}/nodes/${lab.first}/console`, { commands: ["ping 10.0.0.2 -c 2"] }),
      () => client.post(`${lab.path}/nodes`, { name: "PC{0}", node_type: "vpcs", compute_id: "local" }),
      () => client.put(`${lab.path}/nodes/${lab.second}`, { name: "Other" }),
      () => client.delete(`${lab.path}/nodes/${lab.first}`),
      () => client.post(`${lab.path}/drawings`, {}),
      () => client.post(`${lab.link}/stop_capture`),
      () => client.call("POST", `${lab.path}/files/new.txt`, { raw: "new" }),
    ];
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all([...requests, requests[0]!].map((request) => request()));
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
      expect(answers[0]!.status).toBe(201);
      expect(await danglingReferences(stack)).toEqual([]);
    }
    expect((await client.post(`${snapshot}/restore`, {})).status).toBe(201);
    expect(await type(lab, ["ping 10.0.0.2 -c 1"])).toMatch(/bytes from 10\.0\.0\.2/);
  });

  test("is done or not done after an interruption at any call", async () => {
    const lab = await makeRunning();
    const snapshot = await take(lab);
    const after = await labOf(lab);
    const params = { project_id: lab.projectId, snapshot_id: snapshot.split("/").at(-1) };
    const calls = await countCalls(() => perform(restoreSnapshot, { params }));
    expect(calls).toBeGreaterThan(5);
    const seen = new Set<string>();
    for (let index = 0; index < calls; index++) {
      await client.put(`${lab.path}/nodes/${lab.first}`, { x: 1000 + index, name: `Name${index}` });
      await client.post(`${lab.path}/nodes/stop`);
      const before = await labOf(lab);
      plan.killAt(index, index % 2 === 0 ? "before" : "after");
      await perform(restoreSnapshot, { params }).catch(() => undefined);
      expect(plan.struck, `call ${index}`).toBe(true);
      plan.clear();
      const found = await labOf(lab);
      const isBefore = isDeepStrictEqual(found, before);
      seen.add(isBefore ? "before" : "after");
      if (!isBefore) expect(found, `call ${index}`).toEqual(after);
    }
    expect(seen).toEqual(new Set(["before", "after"]));
    expect(await danglingReferences(stack)).toEqual([]);
  });
});

test("a file that is read right after an interrupted restore is the one that stays", async () => {
  const lab = await makeLab();
  const file = `${lab.path}/files/README.txt`;
  await client.call("POST", file, { raw: "snapshot" });
  const snapshot = await take(lab);
  const params = { project_id: lab.projectId, snapshot_id: snapshot.split("/").at(-1) };
  const calls = await countCalls(() => perform(restoreSnapshot, { params }));
  const seen = new Set<string>();
  for (let index = 0; index < calls; index++) {
    await client.call("POST", file, { raw: "later" });
    plan.killAt(index, "after");
    await perform(restoreSnapshot, { params }).catch(() => undefined);
    plan.clear();
    const read = await client.get(file);
    expect(read.status, `call ${index}`).toBe(200);
    await labOf(lab);
    expect((await client.get(file)).bytes.equals(read.bytes), `call ${index}`).toBe(true);
    seen.add(String(read.bytes));
  }
  expect(seen).toEqual(new Set(["later", "snapshot"]));
});

/** Returns how many calls of an operation change something. */
async function countCalls(operation: () => Promise<unknown>): Promise<number> {
  plan.clear();
  await operation();
  return plan.passed.length;
}
