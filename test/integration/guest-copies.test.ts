/**
 * The states of guests in snapshots, duplicates and exports: none is lost, none is left, and an interruption at any call of a snapshot or
 * of a restore leaves it done or not done. The interrupted ones run in the test's process, through proxies that cut it off from its
 * stores at every call in turn. test/integration/linux-nodes.test.ts has guests that run.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { LAB_FILE } from "../../functions/archives/names.ts";
import { readZip } from "../../functions/archives/zip-reader.ts";
import { forEachParallel } from "../../functions/shared/store/base/parallel.ts";
import { addGuest, setGuest, textOfGuest } from "../helpers/service/guest-node.ts";
import { perform } from "../helpers/service/in-process.ts";
import { addNode, client, freshName, type Lab, makeLab } from "../helpers/service/lab.ts";
import { environmentOf, localStack } from "../helpers/stack/this-stack.ts";
import { allFaults } from "../helpers/stores/call-faults.ts";
import { FaultPlan, type FaultProxy, startFaultProxy } from "../helpers/stores/fault-proxy.ts";
import { danglingReferences, objectKeys } from "../helpers/stores/store-checker.ts";

const stack = localStack();
const plan = new FaultPlan();
const proxies: FaultProxy[] = [];
let createSnapshot: typeof import("../../functions/snapshots/create-snapshot.ts").createSnapshot;
let restoreSnapshot: typeof import("../../functions/snapshots/restore-snapshot.ts").restoreSnapshot;
let sweep: typeof import("../../functions/sweeper/sweep.ts").sweep;

beforeAll(async () => {
  const dynamodb = await startFaultProxy(stack.dynamodbEndpoint, plan);
  const s3 = await startFaultProxy(stack.s3Endpoint, plan);
  proxies.push(dynamodb, s3);
  Object.assign(process.env, environmentOf(stack), {
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    AWS_ENDPOINT_URL_S3: s3.url,
    AWS_MAX_ATTEMPTS: "1",
  });
  ({ createSnapshot } = await import("../../functions/snapshots/create-snapshot.ts"));
  ({ restoreSnapshot } = await import("../../functions/snapshots/restore-snapshot.ts"));
  ({ sweep } = await import("../../functions/sweeper/sweep.ts"));
});
afterAll(() => {
  for (const proxy of proxies) proxy.close();
});
beforeEach(() => plan.clear());

const DAY_MS = 86_400_000;

/** Sweeps as if two days had passed. */
const sweepLater = () =>
  sweep({
    nowMs: Date.now() + 2 * DAY_MS,
    abandonedMs: 30 * DAY_MS,
    remainingTimeMs: () => 600_000,
  });

/** The states of the guests of a lab; a run that changes many nodes has an object with the states of the others. */
const objectsOf = async ({ projectId }: Lab): Promise<string[]> =>
  (await objectKeys(stack)).filter((key) => key.includes(projectId) && !key.startsWith("states/"));

/** Other tests use the stack at the same time. */
const danglingOf = async ({ projectId }: Lab): Promise<string[]> =>
  (await danglingReferences(stack)).filter((line) => line.includes(projectId));

const take = async ({ path }: Lab, name = "s"): Promise<string> => {
  const { status, json } = await client.post(`${path}/snapshots`, { name });
  expect(status, JSON.stringify(json)).toBe(201);
  return `${path}/snapshots/${json.snapshot_id}`;
};

const restore = async (snapshot: string) => {
  const { status, json } = await client.post(`${snapshot}/restore`, {});
  expect(status, JSON.stringify(json)).toBe(201);
};

const paramsOf = ({ projectId }: Lab, snapshot: string) => ({
  project_id: projectId,
  snapshot_id: snapshot.split("/").at(-1),
});

async function countCalls(operation: () => Promise<unknown>): Promise<number> {
  plan.clear();
  await operation();
  return plan.passed.length;
}

interface Moment {
  readonly index: number;
  readonly moment: "before" | "after";
}

/** Before and after each call. */
const momentsOf = (calls: number): Moment[] =>
  Array.from({ length: calls }, (_, index) => index).flatMap((index) =>
    (["before", "after"] as const).map((moment) => ({ index, moment })),
  );

/** Before or after each call, in turn; with FAULTS=full, both. */
const inTurn = (moments: readonly Moment[]): readonly Moment[] =>
  allFaults ? moments : moments.filter(({ index, moment }) => (index % 2 === 0) === (moment === "before"));

type Started = { readonly status: string };

async function storedBytes({ projectId }: Lab): Promise<number> {
  const { getProject } = await import("../../functions/shared/store/project/project.ts");
  const { SERVICE } = await import("../../functions/shared/edge/access.ts");
  return (await getProject(SERVICE, projectId))!.stored_bytes ?? 0;
}

describe("the bytes of a guest's state", () => {
  const MEGABYTE = 1_000_000;

  test("count in its project until the node is deleted, which deletes the state", async () => {
    const lab = await makeLab();
    const [a, b] = [await addGuest(lab, "a", "x".repeat(MEGABYTE)), await addGuest(lab, "b", "y")];
    const both = await storedBytes(lab);
    expect(both).toBeGreaterThan(MEGABYTE);
    await client.delete(`${lab.path}/nodes/${a}`);
    expect(both - (await storedBytes(lab))).toBeGreaterThan(MEGABYTE);
    expect(await objectsOf(lab)).toEqual([expect.stringContaining(b)]);
    await client.delete(`${lab.path}/nodes/${b}`);
    expect(await storedBytes(lab)).toBe(0);
    expect(await danglingOf(lab)).toEqual([]);
  });

  test.each([
    ["in one transaction", 0],
    ["in several", 100],
  ])("count until the project is closed %s, which deletes the states", async (_how, pcs) => {
    const lab = await makeLab();
    const names = Array.from({ length: pcs }, (_, at) => `pc${at}`);
    await forEachParallel(names, 8, async (name) => void (await addNode(lab, { name })));
    expect((await client.post(`${lab.path}/nodes/start`, {})).status).toBe(204);
    for (const name of ["a", "b"]) await addGuest(lab, name, "x".repeat(MEGABYTE));
    expect(await storedBytes(lab)).toBeGreaterThan(2 * MEGABYTE);
    const answers = await Promise.all([1, 2].map(() => client.post(`${lab.path}/close`)));
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    const statuses = (await client.get(`${lab.path}/nodes`)).json.map((node: Started) => node.status);
    expect(new Set(statuses)).toEqual(new Set(["stopped"]));
    expect(await storedBytes(lab)).toBe(0);
    expect(await objectsOf(lab)).toEqual([]);
    expect(await danglingOf(lab)).toEqual([]);
  });

  test("of a state that the close of a project could not delete is left to the sweeper", async () => {
    const lab = await makeLab();
    const node = await addGuest(lab, "a", "one");
    const [key] = await objectsOf(lab);
    await client.post(`${lab.path}/close`);
    const { putObject } = await import("../../functions/shared/store/base/objects.ts");
    await putObject(key!, Buffer.from("one"), "application/octet-stream");
    await sweepLater();
    expect(await objectsOf(lab)).toEqual([]);
    expect(await textOfGuest(lab, node)).toBeUndefined();
  });

  test("of a snapshot's guests count for its project once more when it is restored", async () => {
    const lab = await makeLab();
    const node = await addGuest(lab, "a", "x".repeat(MEGABYTE));
    const snapshot = await take(lab);
    await setGuest(lab, node, "y");
    const before = await storedBytes(lab);
    await restore(snapshot);
    const after = await storedBytes(lab);
    expect(after - before).toBe(MEGABYTE - 1);
    await restore(snapshot);
    expect(await storedBytes(lab)).toBe(after);
    expect(await danglingOf(lab)).toEqual([]);
  });
});

describe("a snapshot of a lab with Linux nodes", () => {
  test("has the guests' states, which later runs, the stop of a node and its removal do not change", async () => {
    const lab = await makeLab();
    const [a, b] = [await addGuest(lab, "a", "a before"), await addGuest(lab, "b", "b before")];
    const snapshot = await take(lab);
    await setGuest(lab, a, "a after");
    await client.delete(`${lab.path}/nodes/${b}`);
    await sweepLater();
    expect(await textOfGuest(lab, a)).toBe("a after");
    await restore(snapshot);
    expect([await textOfGuest(lab, a), await textOfGuest(lab, b)]).toEqual(["a before", "b before"]);
    await setGuest(lab, a, "a later");
    await restore(snapshot);
    expect(await textOfGuest(lab, a)).toBe("a before");
    expect(await danglingOf(lab)).toEqual([]);
  });

  test("leaves no object: those that a restore replaces go with it, the others with the snapshot and the project", async () => {
    const lab = await makeLab();
    await addGuest(lab, "a", "one");
    const snapshot = await take(lab);
    expect(await objectsOf(lab)).toHaveLength(3);
    await restore(snapshot);
    await restore(snapshot);
    expect(await objectsOf(lab)).toHaveLength(3);
    await client.delete(snapshot);
    expect(await objectsOf(lab)).toEqual([expect.stringMatching(/^guests\//)]);
    await take(lab);
    await client.delete(lab.path);
    expect(await objectsOf(lab)).toEqual([]);
  });

  test("counts the states' bytes", async () => {
    const lab = await makeLab();
    const node = await addGuest(lab, "a", "x".repeat(1_000_000));
    await take(lab, "large");
    const large = await storedBytes(lab);
    expect(large).toBeGreaterThan(2_000_000);
    await setGuest(lab, node, "x");
    await take(lab, "small");
    expect(large - (await storedBytes(lab))).toBeGreaterThan(990_000);
    expect(await danglingOf(lab)).toEqual([]);
  });

  test("of a node that was switched off by the close of its project has it off", async () => {
    const lab = await makeLab();
    const node = await addGuest(lab, "a", "one");
    await client.post(`${lab.path}/close`);
    await client.post(`${lab.path}/open`);
    const snapshot = await take(lab);
    await restore(snapshot);
    expect((await client.get(`${lab.path}/nodes/${node}`)).json.status).toBe("stopped");
    expect(await objectsOf(lab)).toEqual([expect.stringMatching(/^snapshots\//)]);
  });

  test("is taken or not after an interruption at any call, and the guests go on", async () => {
    const lab = await makeLab();
    const node = await addGuest(lab, "a", "one");
    const take = (name: string) =>
      perform(createSnapshot, { params: { project_id: lab.projectId }, body: { name } });
    const calls = await countCalls(() => take("first"));
    expect(calls).toBeGreaterThan(2);
    const moments = momentsOf(calls);
    for (const { index, moment } of moments) {
      plan.killAt(index, moment);
      await take(`${moment}-${index}`).catch(() => undefined);
      expect(plan.struck).toBe(true);
      plan.clear();
      expect(await textOfGuest(lab, node)).toBe("one");
    }
    const snapshots = (await client.get(`${lab.path}/snapshots`)).json;
    expect(snapshots.length).toBeGreaterThan(1);
    expect(snapshots.length).toBeLessThan(moments.length);
    await sweepLater();
    // A document and a state each, and the state of the node.
    expect(await objectsOf(lab)).toHaveLength(2 * snapshots.length + 1);
    await setGuest(lab, node, "two");
    for (const { snapshot_id } of snapshots) {
      await restore(`${lab.path}/snapshots/${snapshot_id}`);
      expect(await textOfGuest(lab, node)).toBe("one");
    }
    expect(await danglingOf(lab)).toEqual([]);
  });

  test("is restored or not after an interruption at any call, and the guest has one state or the other", async () => {
    const lab = await makeLab();
    const node = await addGuest(lab, "a", "before");
    const snapshot = await take(lab);
    const params = paramsOf(lab, snapshot);
    const calls = await countCalls(() => perform(restoreSnapshot, { params }));
    expect(calls).toBeGreaterThan(5);
    const seen = new Set<string | undefined>();
    for (const { index, moment } of inTurn(momentsOf(calls))) {
      await setGuest(lab, node, "after");
      plan.killAt(index, moment);
      await perform(restoreSnapshot, { params }).catch(() => undefined);
      expect(plan.struck, `call ${index}`).toBe(true);
      plan.clear();
      seen.add(await textOfGuest(lab, node));
    }
    expect(seen).toEqual(new Set(["before", "after"]));
    await sweepLater();
    await textOfGuest(lab, node);
    expect(await objectsOf(lab)).toHaveLength(3);
    expect(await danglingOf(lab)).toEqual([]);
  });

  test("beside restores is whole", async () => {
    const lab = await makeLab();
    const node = await addGuest(lab, "a", "0");
    const first = await take(lab, "first");
    for (let round = 1; round <= 3; round++) {
      const answers = await Promise.all([
        client.post(`${lab.path}/snapshots`, { name: `s${round}` }),
        client.post(`${first}/restore`, {}),
        client.post(`${lab.path}/snapshots`, { name: `t${round}` }),
        client.post(`${first}/restore`, {}),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      expect(await textOfGuest(lab, node)).toBe("0");
      expect(await danglingOf(lab)).toEqual([]);
    }
    await sweepLater();
    for (const { snapshot_id } of (await client.get(`${lab.path}/snapshots`)).json) {
      await restore(`${lab.path}/snapshots/${snapshot_id}`);
      expect(await textOfGuest(lab, node)).toBe("0");
    }
  });
});

describe("a duplicate of a project with Linux nodes", () => {
  test("has them off, as it has PCs, and its snapshots have the states of their guests", async () => {
    const lab = await makeLab();
    await addGuest(lab, "a", "before");
    await take(lab);
    const { json } = await client.post(`${lab.path}/duplicate`, { name: freshName() });
    const copy = { projectId: json.project_id, path: `/projects/${json.project_id}` };
    await client.delete(lab.path);
    const [{ node_id, status }] = (await client.get(`${copy.path}/nodes`)).json;
    expect(status).toBe("stopped");
    const [{ snapshot_id }] = (await client.get(`${copy.path}/snapshots`)).json;
    await sweepLater();
    await restore(`${copy.path}/snapshots/${snapshot_id}`);
    expect(await textOfGuest(copy, node_id)).toBe("before");
    expect(await danglingOf(copy)).toEqual([]);
    await client.delete(copy.path);
    expect(await objectsOf(copy)).toEqual([]);
  });
});

describe("an export of a project with Linux nodes", () => {
  test("has them off, also in its snapshots, and is imported so", async () => {
    const lab = await makeLab();
    await addGuest(lab, "a", "secret of the guest");
    const snapshot = await take(lab);
    const { bytes } = await client.get(`${lab.path}/export?include_snapshots=yes&compression=none`);
    expect(bytes.includes("secret of the guest")).toBe(false);
    const { nodes } = JSON.parse(readZip(bytes).get(LAB_FILE)!.read().toString());
    expect(nodes[0]).toMatchObject({ status: "stopped", state: { random: [1, 2, 3, 4] } });
    expect(nodes[0].state).not.toHaveProperty("device");
    const id = crypto.randomUUID();
    expect((await client.call("POST", `/projects/${id}/import`, { raw: bytes })).status).toBe(201);
    const imported = { projectId: id, path: `/projects/${id}` };
    expect((await client.get(`${imported.path}/nodes`)).json[0]).toMatchObject({ status: "stopped" });
    const [{ snapshot_id }] = (await client.get(`${imported.path}/snapshots`)).json;
    await restore(`${imported.path}/snapshots/${snapshot_id}`);
    expect((await client.get(`${imported.path}/nodes`)).json[0]).toMatchObject({ status: "stopped" });
    await restore(snapshot);
  });
});
