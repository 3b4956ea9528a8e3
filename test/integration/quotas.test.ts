/**
 * Quotas of projects and users. The test calls the operations in its own process, with small quotas, against the service's
 * table and bucket. Other tests compare the HTTP errors with the declared ones.
 */
import { once } from "node:events";
import type { Readable } from "node:stream";
import {
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Caller } from "../../functions/shared/edge/principal.ts";
import { makePcap, parsePcap } from "../helpers/captures/pcap.ts";
import { FakeCompute } from "../helpers/compute/fake-compute.ts";
import { user } from "../helpers/service/callers.ts";
import { perform, useServiceStores } from "../helpers/service/in-process.ts";
import {
  addLink,
  addNode,
  client,
  end,
  freshName,
  type Lab,
  makeLab,
  makePair,
  type Pair,
  uuid,
} from "../helpers/service/lab.ts";
import { settles } from "../helpers/settles.ts";
import { localStack } from "../helpers/stack/this-stack.ts";
import { danglingReferences } from "../helpers/stores/store-checker.ts";

const stack = localStack();
const QUOTAS = [
  ...[
    "NODES",
    "LINKS",
    "CAPTURES",
    "DRAWINGS",
    "TEMPLATES",
    "STORED_BYTES",
    "USER_STORED_BYTES",
    "PROJECTS",
    "SYMBOLS",
    "SYMBOL_BYTES",
    "USER_SYMBOLS",
    "USER_SYMBOL_BYTES",
    "FOLLOWED_CAPTURES",
  ].map((name) => `QUOTA_${name}`),
  "RUNS_PER_MINUTE",
];

let operations: {
  createNode: typeof import("../../functions/nodes/create-node.ts").createNode;
  deleteNode: typeof import("../../functions/nodes/delete-node.ts").deleteNode;
  createTemplate: typeof import("../../functions/templates/write-templates.ts").createTemplate;
  createDrawing: typeof import("../../functions/drawings/create-drawing.ts").createDrawing;
  createLink: typeof import("../../functions/links/create-link.ts").createLink;
  deleteLink: typeof import("../../functions/links/delete-link.ts").deleteLink;
  startCapture: typeof import("../../functions/links/capture.ts").startCapture;
  stopCapture: typeof import("../../functions/links/capture.ts").stopCapture;
  replay: typeof import("../../functions/links/replay.ts").replay;
  runConsole: typeof import("../../functions/runs/console.ts").runConsole;
  createProject: typeof import("../../functions/projects/create-project.ts").createProject;
  streamPcap: typeof import("../../functions/follow/stream-pcap.ts").streamPcap;
  deleteSymbolRaw: typeof import("../../functions/symbols/delete-symbol-raw.ts").deleteSymbolRaw;
  putSymbolRaw: typeof import("../../functions/symbols/put-symbol-raw.ts").putSymbolRaw;
};
let database: DynamoDBClient;

beforeAll(async () => {
  useServiceStores();
  database = new DynamoDBClient({});
  operations = {
    ...(await import("../../functions/nodes/create-node.ts")),
    ...(await import("../../functions/nodes/delete-node.ts")),
    ...(await import("../../functions/templates/write-templates.ts")),
    ...(await import("../../functions/drawings/create-drawing.ts")),
    ...(await import("../../functions/links/create-link.ts")),
    ...(await import("../../functions/links/delete-link.ts")),
    ...(await import("../../functions/links/capture.ts")),
    ...(await import("../../functions/links/replay.ts")),
    ...(await import("../../functions/runs/console.ts")),
    ...(await import("../../functions/projects/create-project.ts")),
    ...(await import("../../functions/follow/stream-pcap.ts")),
    ...(await import("../../functions/symbols/delete-symbol-raw.ts")),
    ...(await import("../../functions/symbols/put-symbol-raw.ts")),
  };
});

afterEach(() => {
  for (const name of QUOTAS) delete process.env[name];
});

const node = (name = "PC") => ({ name, node_type: "vpcs", compute_id: "local" });

interface Counts {
  readonly nodes: number;
  readonly links: number;
  readonly captures: number;
  readonly bytes: number;
}

/** Returns the counts in the project's item. */
async function counted(projectId: string): Promise<Counts> {
  const item = await itemOf(`PROJECT#${projectId}`, "META");
  const [nodes, links, captures, bytes] = ["node_count", "link_count", "capture_count", "stored_bytes"].map(
    (name) => Number(item?.[name]?.N ?? 0),
  );
  return { nodes: nodes!, links: links!, captures: captures!, bytes: bytes! };
}

async function itemOf(pk: string, sk: string) {
  const Key = { pk: { S: pk }, sk: { S: sk } };
  return (await database.send(new GetItemCommand({ TableName: stack.tableName, Key, ConsistentRead: true })))
    .Item;
}

/** Returns the same counts from the interface's lists. */
async function listed({ path }: Lab): Promise<Counts> {
  const nodes = (await client.get(`${path}/nodes`)).json;
  const links = (await client.get(`${path}/links`)).json as { link_id: string }[];
  const captures = (
    await Promise.all(
      links.map(async ({ link_id }) => (await client.get(`${path}/links/${link_id}/captures`)).json),
    )
  ).flat() as { bytes: number }[];
  const bytes = captures.reduce((sum, capture) => sum + capture.bytes - 24, 0);
  return { nodes: nodes.length, links: links.length, captures: captures.length, bytes };
}

/** @returns how many of the calls succeeded; all others must have failed with this code. */
async function carriedOut(calls: readonly Promise<unknown>[], code: string): Promise<number> {
  const results = await Promise.allSettled(calls);
  for (const result of results) {
    if (result.status === "rejected") expect(result.reason).toMatchObject({ code, status: 409 });
  }
  return results.filter(({ status }) => status === "fulfilled").length;
}

test("a quota of templates accepts exactly as many concurrent requests as fit, and another one after a deletion", async () => {
  const { json } = await client.get("/templates");
  const count = json.filter(({ builtin }: { builtin: boolean }) => !builtin).length;
  process.env.QUOTA_TEMPLATES = String(count + 2);
  const create = () => {
    const body = { name: freshName("quota"), template_type: "vpcs", compute_id: "local" };
    return perform(operations.createTemplate, { body }) as Promise<{ template_id: string }>;
  };
  const calls = Array.from({ length: 5 }, create);
  expect(await carriedOut(calls, "quota.templates")).toBe(2);
  const made = (await Promise.allSettled(calls)).flatMap((call) =>
    call.status === "fulfilled" ? [call.value.template_id] : [],
  );
  await client.delete(`/templates/${made[0]}`);
  made[0] = (await create()).template_id;
  for (const id of made) await client.delete(`/templates/${id}`);
});

test("a quota of drawings accepts exactly as many concurrent requests as fit", async () => {
  const lab = await makeLab();
  process.env.QUOTA_DRAWINGS = "3";
  const params = { project_id: lab.projectId };
  const calls = Array.from({ length: 6 }, () => perform(operations.createDrawing, { params, body: {} }));
  expect(await carriedOut(calls, "quota.drawings")).toBe(3);
  expect((await client.get(`${lab.path}/stats`)).json.drawings).toBe(3);
  expect((await client.get(`${lab.path}/drawings`)).json).toHaveLength(3);
});

describe("a quota of nodes", () => {
  test("rejects with the figure, and accepts the next node when there is room again", async () => {
    const lab = await makeLab();
    process.env.QUOTA_NODES = "2";
    const params = { project_id: lab.projectId };
    const first = (await perform(operations.createNode, { params, body: node() })) as { node_id: string };
    await perform(operations.createNode, { params, body: node() });
    const third = perform(operations.createNode, { params, body: node() });
    await expect(third).rejects.toThrow("The project has 2 nodes, and its quota is 2");
    await perform(operations.deleteNode, { params: { ...params, node_id: first.node_id } });
    await perform(operations.createNode, { params, body: node() });
    expect(await counted(lab.projectId)).toEqual(await listed(lab));
  });

  test("returns an existing node, even when the quota is used up", async () => {
    const lab = await makeLab();
    const node_id = await addNode(lab);
    process.env.QUOTA_NODES = "1";
    const again = perform(operations.createNode, {
      params: { project_id: lab.projectId },
      body: { ...node(), node_id },
    });
    await expect(again).resolves.toMatchObject({ node_id });
  });

  test("accepts exactly as many concurrent requests as fit", async () => {
    const lab = await makeLab();
    process.env.QUOTA_NODES = "7";
    const calls = Array.from({ length: 12 }, () =>
      perform(operations.createNode, { params: { project_id: lab.projectId }, body: node() }),
    );
    expect(await carriedOut(calls, "quota.nodes")).toBe(7);
    expect(await counted(lab.projectId)).toMatchObject({ nodes: 7 });
    expect(await listed(lab)).toMatchObject({ nodes: 7 });
  });

  test("of zero rejects the first", async () => {
    const lab = await makeLab();
    process.env.QUOTA_NODES = "0";
    const first = perform(operations.createNode, { params: { project_id: lab.projectId }, body: node() });
    await expect(first).rejects.toMatchObject({ code: "quota.nodes", facts: { limit: 0, count: 0 } });
  });
});

describe("a quota of links", () => {
  test("accepts exactly as many concurrent requests as fit, and the rejected ones take no ports", async () => {
    const lab = await makeLab();
    const hub = await addNode(lab, { node_type: "ethernet_hub", name: "H" });
    const pcs = await Promise.all(Array.from({ length: 6 }, () => addNode(lab)));
    process.env.QUOTA_LINKS = "4";
    const calls = pcs.map((pc, port) =>
      perform(operations.createLink, {
        params: { project_id: lab.projectId },
        body: { nodes: [end(pc), end(hub, port)] },
      }),
    );
    expect(await carriedOut(calls, "quota.links")).toBe(4);
    expect(await counted(lab.projectId)).toEqual(await listed(lab));
    expect((await client.get(`${lab.path}/nodes/${hub}/links`)).json).toHaveLength(4);
  });

  test("counts the links that are deleted with a node, for any number of links", async () => {
    const lab = await makeLab();
    const ports_mapping = Array.from({ length: 110 }, (_, port_number) => ({
      name: `p${port_number}`,
      port_number,
    }));
    const properties = { ports_mapping };
    const [one, other, pc] = await Promise.all([
      addNode(lab, { node_type: "ethernet_hub", name: "H1", properties }),
      addNode(lab, { node_type: "ethernet_hub", name: "H2", properties }),
      addNode(lab),
    ]);
    for (let port = 0; port < 105; port += 1) await addLink(lab, [end(one!, port), end(other!, port)]);
    await addLink(lab, [end(other!, 109), end(pc!)]);
    expect(await counted(lab.projectId)).toMatchObject({ nodes: 3, links: 106 });
    expect((await client.delete(`${lab.path}/nodes/${one}`)).status).toBe(204);
    expect(await counted(lab.projectId)).toEqual({ nodes: 2, links: 1, captures: 0, bytes: 0 });
    expect(await counted(lab.projectId)).toEqual(await listed(lab));
  });
});

describe("a quota of captures and their bytes", () => {
  test("counts running and stopped captures until they are deleted", async () => {
    const pair = await makePair();
    process.env.QUOTA_CAPTURES = "2";
    const start = () =>
      perform(operations.startCapture, { params: { project_id: pair.projectId, link_id: pair.linkId } });
    await start();
    await client.post(`${pair.link}/stop_capture`);
    await start();
    await client.post(`${pair.link}/stop_capture`);
    await expect(start()).rejects.toMatchObject({ code: "quota.captures", facts: { limit: 2, count: 2 } });
    const [{ capture_id }] = (await client.get(`${pair.link}/captures`)).json;
    await client.delete(`${pair.link}/captures/${capture_id}`);
    await start();
    expect(await counted(pair.projectId)).toEqual(await listed(pair));
  });

  test("a replay whose packets do not fit is rejected, and leaves nothing behind", async () => {
    const pair = await makePair();
    await client.post(`${pair.link}/start_capture`, {});
    await client.call("POST", `${pair.link}/replay`, { raw: makePcap(3) });
    const before = await counted(pair.projectId);
    expect(before.bytes).toBeGreaterThan(0);
    process.env.QUOTA_STORED_BYTES = String(before.bytes * 2 - 1);
    const replay = () =>
      perform(operations.replay, {
        params: { project_id: pair.projectId, link_id: pair.linkId },
        body: makePcap(3),
      });
    await expect(replay()).rejects.toMatchObject({
      code: "quota.stored-bytes",
      facts: { count: before.bytes, amount: before.bytes },
    });
    expect(await counted(pair.projectId)).toEqual(before);
    process.env.QUOTA_STORED_BYTES = String(before.bytes * 2);
    await replay();
    expect(await counted(pair.projectId)).toEqual(await listed(pair));
  });

  test("a capture on a compute that does not fit has stopped, and is stored when there is room", async () => {
    const compute = new FakeCompute();
    const body = {
      protocol: "http",
      host: "127.0.0.1",
      port: await compute.start(),
      name: freshName("compute"),
    };
    const { compute_id } = (await client.post("/computes", body)).json;
    vi.stubEnv("COMPUTE_LOOPBACK", "true");
    try {
      const lab = await makeLab();
      const ids = [await addNode(lab, { compute_id }), await addNode(lab, { compute_id })];
      const linkId = await addLink(lab, [end(ids[0]!), end(ids[1]!)]);
      const link = `${lab.path}/links/${linkId}`;
      await client.post(`${lab.path}/nodes/${ids[0]}/start`);
      await client.post(`${link}/start_capture`, {});
      compute.captures.append(ids[0]!, makePcap(3).subarray(24));
      const bytes = 3 * (16 + 60);
      process.env.QUOTA_STORED_BYTES = String(bytes - 1);
      const stop = () =>
        perform(operations.stopCapture, { params: { project_id: lab.projectId, link_id: linkId } });
      const refused = { code: "quota.stored-bytes", facts: { count: 0, amount: bytes, limit: bytes - 1 } };
      await expect(stop()).rejects.toMatchObject(refused);
      expect(compute.captures.running).toEqual([]);
      expect(await counted(lab.projectId)).toMatchObject({ captures: 1, bytes: 0 });
      const [capture] = (await client.get(`${link}/captures`)).json;
      expect(capture).toMatchObject({ status: "stopped", packets: 0 });

      process.env.QUOTA_STORED_BYTES = String(bytes);
      await stop();
      compute.captures.files.clear();
      expect(await counted(lab.projectId)).toEqual(await listed(lab));
      const stored = await client.call("GET", `${link}/captures/${capture.capture_id}/pcap`);
      expect(parsePcap(stored.bytes)).toHaveLength(3);
    } finally {
      vi.unstubAllEnvs();
      await client.delete(`/computes/${compute_id}`);
      await compute.stop();
    }
  });

  test("concurrent replays never exceed it together", async () => {
    const pair = await makePair();
    await client.post(`${pair.link}/start_capture`, {});
    await client.call("POST", `${pair.link}/replay`, { raw: makePcap(3) });
    const { bytes } = await counted(pair.projectId);
    process.env.QUOTA_STORED_BYTES = String(bytes * 4);
    const calls = Array.from({ length: 6 }, () =>
      perform(operations.replay, {
        params: { project_id: pair.projectId, link_id: pair.linkId },
        body: makePcap(3),
      }),
    );
    expect(await carriedOut(calls, "quota.stored-bytes")).toBe(3);
    expect(await counted(pair.projectId)).toMatchObject({ bytes: bytes * 4 });
    expect(await counted(pair.projectId)).toEqual(await listed(pair));
  });

  test("a run whose packets do not fit is rolled back", async () => {
    const pair = await makePair();
    await client.post(`${pair.path}/nodes/start`);
    await client.post(`${pair.link}/start_capture`, {});
    process.env.QUOTA_STORED_BYTES = "10";
    const type = (...commands: string[]) =>
      perform(operations.runConsole, {
        params: { project_id: pair.projectId, node_id: pair.first },
        body: { commands },
      }) as Promise<{ output: string }>;
    await expect(type("ip 10.0.0.1/24", "ping 10.0.0.2 -c 1")).rejects.toMatchObject({
      code: "quota.stored-bytes",
    });
    expect((await type("show ip")).output).not.toContain("10.0.0.1");
    expect(await counted(pair.projectId)).toEqual(await listed(pair));
  });

  test("a capture deleted by several requests at once is counted once", async () => {
    const pair = await makePair();
    for (let round = 0; round < 2; round++) {
      await client.post(`${pair.link}/start_capture`, {});
      await client.call("POST", `${pair.link}/replay`, { raw: makePcap(3) });
      await client.post(`${pair.link}/stop_capture`);
    }
    const [{ capture_id }] = (await client.get(`${pair.link}/captures`)).json;
    const path = `${pair.link}/captures/${capture_id}`;
    await Promise.all([client.delete(path), client.delete(path), client.delete(path)]);
    expect(await counted(pair.projectId)).toEqual(await listed(pair));
    expect((await counted(pair.projectId)).captures).toBe(1);
  });

  test("a link that is deleted during its capture returns its bytes to the quota", async () => {
    const pair = await makePair();
    await client.post(`${pair.link}/start_capture`, {});
    await client.call("POST", `${pair.link}/replay`, { raw: makePcap(3) });
    expect((await counted(pair.projectId)).bytes).toBeGreaterThan(0);
    await client.delete(pair.link);
    expect(await counted(pair.projectId)).toEqual({ nodes: 2, links: 0, captures: 0, bytes: 0 });
  });

  test("a node that is deleted during its link's capture returns all its counts to the quota", async () => {
    const pair = await makePair();
    await client.post(`${pair.link}/start_capture`, {});
    await client.call("POST", `${pair.link}/replay`, { raw: makePcap(3) });
    await client.delete(`${pair.path}/nodes/${pair.first}`);
    expect(await counted(pair.projectId)).toEqual({ nodes: 1, links: 0, captures: 0, bytes: 0 });
  });
});

describe("a quota of projects", () => {
  const projectsOf = async (user: string): Promise<number> =>
    Number((await itemOf(`USAGE#${user}`, "PROJECTS"))?.project_count?.N ?? 0);
  const as = (name: string) => ({ name, role: "editor" as const });

  test("is separate for each user, and exact for concurrent requests", async () => {
    const [one, other] = [freshName("user"), freshName("user")];
    process.env.QUOTA_PROJECTS = "3";
    const make = (user: string) =>
      perform(operations.createProject, { body: { name: freshName() } }, as(user));
    const made = await carriedOut(
      Array.from({ length: 5 }, () => make(one)),
      "quota.projects",
    );
    expect(made).toBe(3);
    await expect(make(one)).rejects.toThrow(`${one} has 3 projects, which is the quota; delete one first`);
    await make(other);
    expect([await projectsOf(one), await projectsOf(other)]).toEqual([3, 1]);
  });

  test("leaves the name of a rejected project free", async () => {
    const [user, name] = [freshName("user"), freshName()];
    process.env.QUOTA_PROJECTS = "0";
    const refused = perform(operations.createProject, { body: { name } }, as(user));
    await expect(refused).rejects.toMatchObject({ code: "quota.projects" });
    expect((await client.post("/projects", { name })).status).toBe(201);
  });

  test("counts a deleted project as free once, for any number of requests that delete it", async () => {
    const user = freshName("user");
    const body = { name: freshName(), project_id: uuid() };
    await perform(operations.createProject, { body }, as(user));
    await perform(operations.createProject, { body }, as(user));
    await perform(operations.createProject, { body: { name: freshName() } }, as(user));
    expect(await projectsOf(user)).toBe(2);
    const path = `/projects/${body.project_id}`;
    await Promise.all([client.delete(path), client.delete(path), client.delete(path)]);
    expect(await projectsOf(user)).toBe(1);
  });

  test("does not exist without authentication", async () => {
    process.env.QUOTA_PROJECTS = "0";
    const made = perform(operations.createProject, { body: { name: freshName() } });
    await expect(made).resolves.toMatchObject({ status: "opened" });
    expect(await projectsOf("local")).toBe(0);
  });
});

describe("a quota of the bytes in all captures of a user", () => {
  afterEach(() => vi.useRealTimers());

  const PACKETS = makePcap(3);
  const bytesOf = async (user: string): Promise<number> =>
    Number((await itemOf(`USAGE#${user}`, "BYTES"))?.bytes?.N ?? 0);

  /** Creates a pair of PCs with a capture on the link, in a project of the user's. */
  async function pairOf(user: string): Promise<Pair> {
    const body = { name: freshName() };
    const { project_id } = (await perform(
      operations.createProject,
      { body },
      { name: user, role: "editor" },
    )) as { project_id: string };
    const lab = { projectId: project_id, path: `/projects/${project_id}` };
    const [first, second] = [await addNode(lab), await addNode(lab)];
    const linkId = await addLink(lab, [end(first), end(second)]);
    const link = `${lab.path}/links/${linkId}`;
    await client.post(`${link}/start_capture`, {});
    return { ...lab, first, second, linkId, link };
  }
  const replay = ({ projectId: project_id, linkId: link_id }: Pair) =>
    perform(operations.replay, { params: { project_id, link_id }, body: PACKETS });

  test("applies across projects, to replays by any user", async () => {
    const owner = freshName("user");
    const [one, other] = [await pairOf(owner), await pairOf(owner)];
    await replay(one);
    const { bytes } = await counted(one.projectId);
    expect(await bytesOf(owner)).toBe(bytes);
    process.env.QUOTA_USER_STORED_BYTES = String(2 * bytes - 1);
    await expect(replay(other)).rejects.toThrow(
      `All projects of ${owner} store ${bytes} bytes, and ${bytes} more would pass the quota of ${2 * bytes - 1}`,
    );
    expect(await counted(other.projectId)).toMatchObject({ bytes: 0 });
    expect((await client.get(`${other.link}/captures`)).json).toMatchObject([{ packets: 0 }]);
    await replay(await pairOf(freshName("user")));
    process.env.QUOTA_USER_STORED_BYTES = String(2 * bytes);
    await replay(other);
    expect(await bytesOf(owner)).toBe(2 * bytes);
  });

  test("is recounted when it is reached and no packets were added for half a minute", async () => {
    const owner = freshName("user");
    const pair = await pairOf(owner);
    await replay(pair);
    await replay(pair);
    const { bytes } = await counted(pair.projectId);
    process.env.QUOTA_USER_STORED_BYTES = String(bytes);
    await expect(replay(pair)).rejects.toMatchObject({
      code: "quota.user-stored-bytes",
      facts: { count: bytes },
    });
    await client.delete(pair.link);
    const next = await pairOf(owner);
    await expect(replay(next)).rejects.toMatchObject({ facts: { count: bytes } });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 30_001 });
    await replay(next);
    expect(await bytesOf(owner)).toBe(bytes / 2);
  });

  test("is never exceeded by concurrent replays and runs", async () => {
    const owner = freshName("user");
    const pairs = await Promise.all(Array.from({ length: 3 }, () => pairOf(owner)));
    await replay(pairs[0]!);
    const { bytes } = await counted(pairs[0]!.projectId);
    process.env.QUOTA_USER_STORED_BYTES = String(4 * bytes);
    const calls = [...pairs, ...pairs].map(replay);
    expect(await carriedOut(calls, "quota.user-stored-bytes")).toBe(3);
    const counts = await Promise.all(pairs.map(async ({ projectId }) => (await counted(projectId)).bytes));
    expect(counts.reduce((sum, each) => sum + each)).toBe(4 * bytes);
    expect(await bytesOf(owner)).toBe(4 * bytes);
  });

  test("rejects a run, which is rolled back", async () => {
    const pair = await pairOf(freshName("user"));
    await client.post(`${pair.path}/nodes/start`);
    const { bytes } = await counted(pair.projectId);
    process.env.QUOTA_USER_STORED_BYTES = String(bytes + 10);
    const type = (...commands: string[]) =>
      perform(operations.runConsole, {
        params: { project_id: pair.projectId, node_id: pair.first },
        body: { commands },
      }) as Promise<{ output: string }>;
    await expect(type("ip 10.0.0.1/24", "ping 10.0.0.2 -c 1")).rejects.toMatchObject({
      code: "quota.user-stored-bytes",
      facts: { count: bytes, limit: bytes + 10 },
    });
    expect((await type("show ip")).output).not.toContain("10.0.0.1");
    expect(await counted(pair.projectId)).toEqual(await listed(pair));
  });

  test("does not exist without authentication", async () => {
    const pair = await makePair();
    await client.post(`${pair.link}/start_capture`, {});
    process.env.QUOTA_USER_STORED_BYTES = "0";
    await replay(pair);
    expect((await counted(pair.projectId)).bytes).toBeGreaterThan(0);
  });
});

describe("a rate of runs", () => {
  afterEach(() => vi.useRealTimers());

  test("is separate for each user, exact for concurrent requests, and renewed every minute", async () => {
    const { runPace } = await import("../../functions/shared/store/limits/pace.ts");
    const [one, other] = [freshName("user"), freshName("user")];
    process.env.RUNS_PER_MINUTE = "3";
    const minuteMs = 60_000 * Math.floor(Date.now() / 60_000);
    vi.useFakeTimers({ toFake: ["Date"], now: minuteMs + 20_000 });
    const taken = await Promise.all(Array.from({ length: 5 }, () => runPace.take(one)));
    const refused = taken.filter(({ retryAfterS }) => retryAfterS !== undefined);
    expect(refused).toEqual([
      { limit: 3, retryAfterS: 40 },
      { limit: 3, retryAfterS: 40 },
    ]);
    expect(await runPace.take(other)).toEqual({ limit: 3, retryAfterS: undefined });
    vi.setSystemTime(minuteMs + 60_000);
    expect(await runPace.take(one)).toEqual({ limit: 3, retryAfterS: undefined });
  });
});

describe("opening a project, which can run it", () => {
  afterEach(() => vi.useRealTimers());

  test("counts against the user's rate of runs per minute", async () => {
    const owner = user(freshName("user"), "editor");
    const { json } = await owner.post("/projects", { name: freshName(), auto_start: true });
    const path = `/projects/${json.project_id}`;
    await owner.post(`${path}/close`);
    process.env.RUNS_PER_MINUTE = "1";
    vi.useFakeTimers({ toFake: ["Date"], now: 60_000 * Math.floor(Date.now() / 60_000) + 20_000 });
    expect((await owner.post(`${path}/open`)).status).toBe(201);
    await owner.post(`${path}/close`);
    const refused = await owner.post(`${path}/open`);
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "40"]);
    expect((await owner.get(path)).json.status).toBe("closed");
  });
});

describe("quotas of symbols, which all users share", () => {
  const drawing = (width: number): Uint8Array =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="8"/>`);
  const put = (symbol_id: string, body = drawing(8)) =>
    perform(operations.putSymbolRaw, { params: { symbol_id }, body });
  const usage = async (): Promise<{ symbols: number; bytes: number }> => {
    const item = await itemOf("SYMBOLS", "USAGE#SYMBOLS");
    return { symbols: Number(item?.symbol_count?.N ?? 0), bytes: Number(item?.symbol_bytes?.N ?? 0) };
  };

  test("reject a new symbol with the figure, and accept the replacement of an existing one", async () => {
    const [there, fresh] = [`${freshName()}.svg`, `${freshName()}.svg`];
    await put(there);
    const { symbols } = await usage();
    process.env.QUOTA_SYMBOLS = String(symbols);
    await expect(put(fresh)).rejects.toThrow(
      `There are ${symbols} uploaded symbols, and the quota is ${symbols}`,
    );
    expect((await client.get(`/symbols/${fresh}/raw`)).status).toBe(404);
    await put(there, drawing(9));
    expect(await usage()).toMatchObject({ symbols });
  });

  test("reject bytes that do not fit, and accept fewer", async () => {
    const id = `${freshName()}.svg`;
    await put(id, drawing(100_000));
    const { bytes } = await usage();
    process.env.QUOTA_SYMBOL_BYTES = String(bytes);
    const larger = put(id, drawing(1_000_000));
    await expect(larger).rejects.toThrow(
      `The uploaded symbols hold ${bytes} bytes, and 1 more would pass the quota of ${bytes}`,
    );
    expect(Buffer.from((await client.get(`/symbols/${id}/raw`)).bytes)).toEqual(drawing(100_000));
    await put(id, drawing(10));
    expect(await usage()).toMatchObject({ bytes: bytes - 4 });
  });

  test("count concurrent uploads under one name once, and accept no more than fit of many names", async () => {
    const before = await usage();
    const id = `${freshName()}.svg`;
    await Promise.all(Array.from({ length: 8 }, () => put(id)));
    expect(await usage()).toEqual({
      symbols: before.symbols + 1,
      bytes: before.bytes + drawing(8).length,
    });
    process.env.QUOTA_SYMBOLS = String(before.symbols + 4);
    const crowd = Array.from({ length: 8 }, () => put(`${freshName()}.svg`));
    expect(await carriedOut(crowd, "quota.symbols")).toBe(3);
  });
});

describe("quotas of the symbols that a user has uploaded", () => {
  const drawing = (width: number): Uint8Array =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="8"/>`);
  const SIZE = drawing(8).length;
  const editor = (name: string): Caller => ({ name, role: "editor" });
  const put = (user: string, symbol_id: string, body = drawing(8)) =>
    perform(operations.putSymbolRaw, { params: { symbol_id }, body }, editor(user));
  const remove = (symbol_id: string) =>
    perform(operations.deleteSymbolRaw, { params: { symbol_id } }, { name: "root", role: "admin" });
  const freshId = (): string => `${freshName()}.svg`;
  const usageOf = async (user: string): Promise<[number, number]> => {
    const item = await itemOf(`USAGE#${user}`, "SYMBOLS");
    return [Number(item?.symbol_count?.N ?? 0), Number(item?.symbol_bytes?.N ?? 0)];
  };

  test("reject a further symbol with the figure until one is deleted, separately for each user", async () => {
    const [ann, bob, first] = [freshName("ann"), freshName("bob"), freshId()];
    process.env.QUOTA_USER_SYMBOLS = "2";
    await put(ann, first);
    await put(ann, freshId());
    const third = freshId();
    await expect(put(ann, third)).rejects.toThrow(
      `${ann} has uploaded 2 symbols, and the quota of a user is 2; an admin can delete symbols`,
    );
    expect((await client.get(`/symbols/${third}/raw`)).status).toBe(404);
    await put(bob, freshId());
    await put(ann, first, drawing(9));
    await remove(first);
    await put(ann, third);
    expect([await usageOf(ann), await usageOf(bob)]).toEqual([
      [2, 2 * SIZE],
      [1, SIZE],
    ]);
  });

  test("reject bytes that do not fit, and leave the symbol unchanged", async () => {
    const [ann, id] = [freshName("ann"), freshId()];
    await put(ann, id);
    process.env.QUOTA_USER_SYMBOL_BYTES = String(SIZE + 1);
    await expect(put(ann, id, drawing(100))).rejects.toThrow(
      `The symbols that ${ann} has uploaded hold ${SIZE} bytes, and 2 more would pass the quota of ${SIZE + 1}`,
    );
    expect(Buffer.from((await client.get(`/symbols/${id}/raw`)).bytes)).toEqual(drawing(8));
    await put(ann, id, drawing(10));
    expect(await usageOf(ann)).toEqual([1, SIZE + 1]);
  });

  test("move a symbol that another user replaces to that user, who needs room for all of it", async () => {
    const [ann, bob, id] = [freshName("ann"), freshName("bob"), freshId()];
    await put(ann, id);
    process.env.QUOTA_USER_SYMBOLS = "0";
    await expect(put(bob, id)).rejects.toMatchObject({ code: "quota.user-symbols" });
    process.env.QUOTA_USER_SYMBOLS = "1";
    process.env.QUOTA_USER_SYMBOL_BYTES = String(SIZE);
    await expect(put(bob, id, drawing(10))).rejects.toMatchObject({ code: "quota.user-symbol-bytes" });
    expect([await usageOf(ann), await usageOf(bob)]).toEqual([
      [1, SIZE],
      [0, 0],
    ]);
    await put(bob, id);
    expect([await usageOf(ann), await usageOf(bob)]).toEqual([
      [0, 0],
      [1, SIZE],
    ]);
  });

  test("accept exactly as many concurrent uploads as fit, also during replacements and deletions", async () => {
    const [ann, bob] = [freshName("ann"), freshName("bob")];
    process.env.QUOTA_USER_SYMBOLS = "4";
    const ids = Array.from({ length: 8 }, freshId);
    expect(
      await carriedOut(
        ids.map((id) => put(ann, id)),
        "quota.user-symbols",
      ),
    ).toBe(4);
    process.env.QUOTA_USER_SYMBOLS = "8";
    await Promise.allSettled(ids.flatMap((id) => [put(bob, id), remove(id), put(ann, id)]));
    const problems = await danglingReferences(stack);
    expect(problems.filter((line) => line.includes(ann) || line.includes(bob))).toEqual([]);
  });

  test("leave symbols of earlier releases, which have no owner, readable, replaceable and deletable", async () => {
    const ann = freshName("ann");
    const [kept, replaced, deleted] = [freshId(), freshId(), freshId()];
    for (const id of [kept, replaced, deleted]) {
      await put(ann, id);
      await disown(id);
    }
    await database.send(
      new DeleteItemCommand({
        TableName: stack.tableName,
        Key: { pk: { S: `USAGE#${ann}` }, sk: { S: "SYMBOLS" } },
      }),
    );
    expect((await client.get(`/symbols/${kept}/raw`)).status).toBe(200);
    await put(ann, replaced, drawing(10));
    await remove(deleted);
    expect(await usageOf(ann)).toEqual([1, SIZE + 1]);
  });

  async function disown(id: string): Promise<void> {
    await database.send(
      new UpdateItemCommand({
        TableName: stack.tableName,
        Key: { pk: { S: "SYMBOLS" }, sk: { S: `SYMBOL#${id}` } },
        UpdateExpression: "REMOVE #owner",
        ExpressionAttributeNames: { "#owner": "owner" },
      }),
    );
  }

  test("count nothing where callers are anonymous", async () => {
    process.env.QUOTA_USER_SYMBOLS = "0";
    const symbol_id = freshId();
    await perform(operations.putSymbolRaw, { params: { symbol_id }, body: drawing(8) });
    expect((await itemOf("SYMBOLS", `SYMBOL#${symbol_id}`))?.owner).toBeUndefined();
    expect(await usageOf("local")).toEqual([0, 0]);
  });
});

describe("capture streams of one user", () => {
  const admin = (name: string): Caller => ({ name, role: "admin" });

  /** Streams a capture that gets no packets. */
  async function makeFollow() {
    const pair = await makePair();
    await client.post(`${pair.link}/start_capture`, {});
    const params = { project_id: pair.projectId, link_id: pair.linkId };
    return (caller: Caller, remainingTimeMs = () => 29_000) =>
      perform(operations.streamPcap, { params, remainingTimeMs }, caller) as Promise<Readable>;
  }
  const leasesOf = async (name: string): Promise<object> =>
    JSON.parse((await itemOf(`PACE#${name}`, "FOLLOWED"))?.leases?.S ?? "{}");

  test("the newest replaces the oldest, which ends as a whole file", async () => {
    const follow = await makeFollow();
    const [ann, bob] = [admin(freshName()), admin(freshName())];
    const bobs = await follow(bob);
    process.env.QUOTA_FOLLOWED_CAPTURES = "2";
    const oldest = await follow(ann);
    const others = [await follow(ann), await follow(ann)];
    expect(Buffer.concat(await oldest.toArray())).toHaveLength(24);
    expect(Object.keys(await leasesOf(ann.name))).toHaveLength(2);
    for (const stream of [bobs, ...others]) {
      expect(stream.readableEnded).toBe(false);
      stream.destroy();
    }
  });

  test("a body that is destroyed frees its place, read or not, even if no packet arrives", async () => {
    const follow = await makeFollow();
    const ann = admin(freshName());
    const [unread, read] = [await follow(ann), await follow(ann)];
    // The read after the header waits for packets.
    read.resume();
    await once(read, "data");
    expect(Object.keys(await leasesOf(ann.name))).toHaveLength(2);
    for (const stream of [unread, read]) {
      stream.destroy();
      await once(stream, "close");
    }
    await settles(async () => expect(await leasesOf(ann.name)).toEqual({}));
  });

  test("the default limit is 3", async () => {
    const follow = await makeFollow();
    const ann = admin(freshName());
    const streams = [];
    for (let count = 0; count < 4; count++) streams.push(await follow(ann));
    expect(Object.keys(await leasesOf(ann.name))).toHaveLength(3);
    for (const stream of streams) stream.destroy();
  });
});
