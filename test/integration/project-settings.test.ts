/** A project's settings, which are stored apart from the attributes that every run changes. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { user } from "../helpers/service/callers.ts";
import { ProjectItems } from "../helpers/service/earlier-release.ts";
import { perform } from "../helpers/service/in-process.ts";
import { client, freshName, makePair, type Pair } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";
import { type CountingProxy, startCountingProxy } from "../helpers/stores/counting-proxy.ts";
import { danglingReferences } from "../helpers/stores/store-checker.ts";

type Operations = typeof import("../../functions/runs/console.ts") &
  typeof import("../../functions/projects/get-project.ts");
let operations: Operations;
let calls: CountingProxy;

beforeAll(async () => {
  calls = await startCountingProxy(localStack().dynamodbEndpoint);
  process.env.AWS_ENDPOINT_URL_DYNAMODB = calls.url;
  operations = {
    ...(await import("../../functions/runs/console.ts")),
    ...(await import("../../functions/projects/get-project.ts")),
  };
});

const opened: ProjectItems[] = [];
function itemsOf(projectId: string): ProjectItems {
  const items = new ProjectItems(localStack(), projectId);
  opened.push(items);
  return items;
}

afterEach(() => {
  for (const items of opened.splice(0)) items.close();
});
afterAll(() => calls.close());

/** Variables of about 88 KB. */
const VARIABLES = Array.from({ length: 22 }, (_, n) => ({ name: `v${n}`, value: "x".repeat(4_000) }));

describe("a run in a project with many variables", () => {
  async function costOfRun(pair: Pair) {
    const params = { project_id: pair.projectId, node_id: pair.first };
    await perform(operations.runConsole, { params, body: { commands: ["show ip"] } });
    calls.take();
    await perform(operations.runConsole, { params, body: { commands: ["show ip"] } });
    const { calls: made, capacityUnits, writeUnits } = calls.take();
    return { made, capacityUnits, writeUnits };
  }

  test("reads and writes as much as one in a project without variables", async () => {
    const [few, many] = [await makePair(), await makePair()];
    expect((await client.put(many.path, { variables: VARIABLES })).status).toBe(200);
    for (const { path } of [few, many]) await client.post(`${path}/nodes/start`);
    const cost = await costOfRun(many);
    expect(cost).toEqual(await costOfRun(few));
    expect(cost.made).toBe(2);
  });
});

describe("a project that an earlier release stored", () => {
  const SEED = [
    { name: "seed", value: "7" },
    { name: "clock", value: "2026-01-01T00:00:00Z" },
  ];

  async function makeEarlier(fields: object = {}, owner = user(freshName("user"), "editor")) {
    const made = (await owner.post("/projects", { name: freshName(), variables: SEED, ...fields })).json;
    const items = itemsOf(made.project_id);
    await items.storeAsEarlierRelease();
    return { made, owner, items, path: `/projects/${made.project_id}` };
  }

  test("is returned, listed and opened as before", async () => {
    const { made, owner, path } = await makeEarlier();
    expect((await owner.get(path)).json).toEqual(made);
    expect((await owner.get("/projects")).json).toEqual(expect.arrayContaining([made]));
    expect((await user("root", "admin").get("/projects")).json).toEqual(expect.arrayContaining([made]));
    expect((await owner.post(`${path}/close`)).status).toBe(204);
    expect((await owner.post(`${path}/open`)).json).toEqual(made);
  });

  test("is visible to the users it is shared with, and to no others", async () => {
    const reader = freshName("user");
    const { path } = await makeEarlier({ shared_with: [{ user: reader, role: "viewer" }] });
    expect((await user(reader, "editor").get(path)).status).toBe(200);
    expect((await user(reader, "editor").put(path, { zoom: 50 })).status).toBe(403);
    expect((await user(freshName("user"), "editor").get(path)).status).toBe(404);
  });

  test("runs with the seed and the clock that its variables pin", async () => {
    const { owner, path } = await makeEarlier();
    const { json } = await owner.post(`${path}/run`, { duration: 1 });
    expect(json).toMatchObject({ seed: "7", started_at: expect.stringMatching(/^2026-01-01T00:00:00/) });
  });

  test.each<[string, object]>([
    ["its settings", { zoom: 50 }],
    ["its name alone", { name: freshName() }],
  ])("has its settings in an item of their own after %s are changed", async (_what, changes) => {
    const { made, owner, path, items } = await makeEarlier();
    const changed = { ...made, ...changes };
    expect((await owner.put(path, changes)).json).toEqual(changed);
    expect((await owner.get(path)).json).toEqual(changed);
    expect(await items.read("META")).not.toHaveProperty("settings");
    expect(await items.read("META")).toMatchObject({ seed: "7", settings_revision: 2 });
    expect(await items.read("SETTINGS")).toMatchObject({ settings_revision: 2 });
  });

  test("has its settings in an item of their own after a sweep", async () => {
    const { sweepOneProject } = await import("../../functions/sweeper/sweep-project.ts");
    const { SERVICE } = await import("../../functions/shared/edge/access.ts");
    const { readProjects } = await import("../../functions/shared/store/project/read-projects.ts");
    const shared_with = [{ user: "reader", role: "viewer" }];
    const expires_at = "2999-01-01T00:00:00Z";
    const { made, owner, path, items } = await makeEarlier({ shared_with, expires_at });
    const sweep = async (nowMs: number) => {
      const [project] = await readProjects(SERVICE, [made.project_id]);
      await sweepOneProject(project!, { nowMs, abandonedMs: 1e9 });
    };
    await sweep(Date.now());
    expect(await items.read("META")).not.toHaveProperty("settings");
    expect(await items.read("META")).toMatchObject({ expires_at, settings_revision: 1 });
    expect((await owner.get(path)).json).toEqual(made);
    expect((await user("reader", "viewer").get(path)).json).toEqual(made);
    const dangling = await danglingReferences(localStack());
    expect(dangling.filter((line) => line.includes(made.project_id))).toEqual([]);
    await sweep(Date.parse(expires_at));
    expect((await owner.get(path)).status).toBe(404);
  });

  test("expires without a rewrite of its settings", async () => {
    const { sweepOneProject } = await import("../../functions/sweeper/sweep-project.ts");
    const { SERVICE } = await import("../../functions/shared/edge/access.ts");
    const { readProjects } = await import("../../functions/shared/store/project/read-projects.ts");
    const { made, owner, path } = await makeEarlier({ expires_at: "2999-01-01T00:00:00Z" });
    const [project] = await readProjects(SERVICE, [made.project_id]);
    await sweepOneProject(project!, { nowMs: Date.parse("2999-01-01T00:00:00Z"), abandonedMs: 1e9 });
    expect((await owner.get(path)).status).toBe(404);
  });
});

test("a project is read again when its settings and its item are of different revisions", async () => {
  const { projectId } = await makePair();
  const items = itemsOf(projectId);
  const settings = (await items.read("SETTINGS"))!;
  await items.write({ ...settings, settings_revision: 0 });
  calls.take();
  const reading = perform(operations.getProject, { params: { project_id: projectId } });
  for (let reads = 0; reads < 2; reads += calls.take().calls) await sleep(5);
  await items.write(settings);
  expect(await reading).toMatchObject({ project_id: projectId, zoom: 100 });
});

describe("a change of a project", () => {
  afterEach(() => vi.useRealTimers());

  test("counts against the user's rate of requests per minute", async () => {
    const owner = user(freshName("user"), "editor");
    const { json } = await owner.post("/projects", { name: freshName() });
    const path = `/projects/${json.project_id}`;
    vi.stubEnv("RUNS_PER_MINUTE", "1");
    vi.useFakeTimers({ toFake: ["Date"], now: 60_000 * Math.floor(Date.now() / 60_000) + 20_000 });
    expect((await owner.put(path, { zoom: 50 })).status).toBe(200);
    const refused = await owner.put(path, { zoom: 60 });
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "40"]);
    expect(refused.json.message).toContain("retry in 40 s");
    vi.unstubAllEnvs();
    expect((await owner.get(path)).json.zoom).toBe(50);
  });
});
