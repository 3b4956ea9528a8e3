/** Events: what followers get, in which order, and what they do not get. */
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { startLocalStack } from "../../infra/local/local-stack.ts";
import { user } from "../helpers/service/callers.ts";
import { EventFollower, type SeenEvent } from "../helpers/service/events.ts";
import { perform } from "../helpers/service/in-process.ts";
import { addLink, addNode, client, end, freshName, type Lab, makeLab, uuid } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";

const followers: EventFollower[] = [];
afterEach(() => {
  for (const follower of followers.splice(0)) follower.close();
});

async function follow(path: string, base = localStack().baseUrl): Promise<EventFollower> {
  const follower = await EventFollower.open(`${base}${path}`);
  followers.push(follower);
  expect(follower.response.statusCode).toBe(200);
  return follower;
}
const followProject = ({ path }: Lab, since?: number) =>
  follow(`${path}/notifications${since === undefined ? "" : `?since=${since}`}`);

const nowS = (): number => Math.floor(Date.now() / 1000);
const actionsOf = (events: readonly SeenEvent[]): string[] => events.map(({ action }) => action);
const named = (name: string) => (seen: SeenEvent) => seen.event.name === name;

describe("a stream of events", () => {
  test("begins with a ping, which has the number after which it continues", async () => {
    const lab = await makeLab();
    const stream = await followProject(lab);
    const node = await addNode(lab, { name: "A" });
    const [created] = await stream.until(named("A"));

    expect(stream.response.headers["content-type"]).toBe("application/json");
    const [ping] = stream.lines;
    expect(ping).toEqual({
      action: "ping",
      event: { cpu_usage_percent: expect.any(Number), memory_usage_percent: expect.any(Number) },
      seq: created!.seq - 1,
    });
    expect(created!.event.node_id).toBe(node);
  });

  test("pings again after five seconds of silence", async () => {
    const stream = await followProject(await makeLab());
    await expect.poll(() => stream.lines.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
    expect(actionsOf(stream.lines).slice(0, 2)).toEqual(["ping", "ping"]);
  });

  test("of a HEAD request has no body", async () => {
    const { path } = await makeLab();
    const answer = await fetch(`${localStack().baseUrl}${path}/notifications`, { method: "HEAD" });
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
  });

  test("has each change of nodes and links, as the routes return them", async () => {
    const lab = await makeLab();
    const stream = await followProject(lab);
    const [a, b] = [await addNode(lab, { name: "A" }), await addNode(lab, { name: "B" })];
    const node = (await client.get(`${lab.path}/nodes/${a}`)).json;
    const linkId = await addLink(lab, [end(a), end(b)]);
    const link = (await client.get(`${lab.path}/links/${linkId}`)).json;
    await client.put(`${lab.path}/links/${linkId}`, { filters: { delay: [10, 0] } });
    const filtered = (await client.get(`${lab.path}/links/${linkId}`)).json;
    await client.put(`${lab.path}/nodes/${a}`, { x: 7 });
    await client.delete(`${lab.path}/links/${linkId}`);
    await client.delete(`${lab.path}/nodes/${b}`);

    const events = await stream.until(({ action }) => action === "node.deleted");
    expect(actionsOf(events)).toEqual([
      "node.created",
      "node.created",
      "link.created",
      "link.updated",
      "node.updated",
      "link.deleted",
      "node.deleted",
    ]);
    expect(events[0]!.event).toEqual(node);
    expect(events[2]!.event).toEqual(link);
    expect(events[3]!.event).toEqual(filtered);
    expect(events[4]!.event).toEqual({ ...node, x: 7 });
    expect(events[5]!.event).toEqual(filtered);
    expect(events[6]!.event.node_id).toBe(b);
  });

  test("has the status lights of a run and the counters of its links, and nothing of what else a run changes", async () => {
    const lab = await makeLab();
    const stream = await followProject(lab);
    const [a, b] = [await addNode(lab, { name: "A" }), await addNode(lab, { name: "B" })];
    await addLink(lab, [end(a), end(b)]);
    const made = await stream.until(({ action }) => action === "link.created");
    await client.post(`${lab.path}/nodes/start`, {});
    const { json } = await client.get(`${lab.path}/nodes/${a}`);
    const commands = ["ip 10.0.0.1/24", "ping 10.0.0.2 -c 1"];
    await client.post(`${lab.path}/nodes/${a}/console`, { commands });
    await client.post(`${lab.path}/nodes/${b}/stop`, {});

    const isStopped = ({ action, event }: SeenEvent) =>
      action === "node.updated" && event.node_id === b && event.status === "stopped";
    const events = (await stream.until(isStopped)).slice(made.length);
    const isCount = ({ action }: SeenEvent) => action === "links.counters";
    const others = events.filter((event) => !isCount(event));
    expect(others.map(({ action, event }) => [action, event.name, event.status]).toSorted()).toEqual([
      ["node.updated", "A", "started"],
      ["node.updated", "B", "started"],
      ["node.updated", "B", "stopped"],
    ]);
    expect(others.find(({ event }) => event.name === "A")!.event).toEqual(json);
    const counters = (await client.get(`${lab.path}/links/counters`)).json;
    expect(events.findLast(isCount)!.event).toEqual({ project_id: lab.projectId, links: counters });
  });

  test("has each change of a drawing, as the routes return it", async () => {
    const lab = await makeLab();
    const stream = await followProject(lab);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>';
    const created = (await client.post(`${lab.path}/drawings`, { svg })).json;
    const path = `${lab.path}/drawings/${created.drawing_id}`;
    const updated = (await client.put(path, { x: 5 })).json;
    await client.delete(path);

    const events = await stream.until(({ action }) => action === "drawing.deleted");
    expect(events.map(({ action, event }) => [action, event])).toEqual([
      ["drawing.created", created],
      ["drawing.updated", updated],
      ["drawing.deleted", updated],
    ]);
  });

  test("has nothing of a request that is refused, nor of a change to the same value", async () => {
    const lab = await makeLab();
    const stream = await followProject(lab);
    const a = await addNode(lab, { name: "A" });
    const same = { name: "A", node_type: "vpcs", compute_id: "local", node_id: uuid() };
    await client.post(`${lab.path}/nodes`, { ...same, properties: { ram: -1 } });
    await client.put(`${lab.path}/nodes/${a}`, { name: "A" });
    await client.post(`${lab.path}/links`, { nodes: [end(a), end(a)] });
    await addNode(lab, { name: "Z" });

    const events = await stream.until(named("Z"));
    expect(events.map(({ action, event }) => [action, event.name])).toEqual([
      ["node.created", "A"],
      ["node.created", "Z"],
    ]);
  });

  test("of the service has the life of a project, as the routes return it", async () => {
    const stream = await follow("/notifications");
    const lab = await makeLab({ name: freshName("events"), zoom: 50 });
    const created = (await client.get(lab.path)).json;
    const updated = (await client.put(lab.path, { zoom: 60 })).json;
    await addNode(lab);
    await client.post(`${lab.path}/close`, {});
    await client.post(`${lab.path}/open`, {});
    await client.delete(lab.path);

    const isDeleted = ({ action, event }: SeenEvent) =>
      action === "project.deleted" && event.project_id === lab.projectId;
    const all = await stream.until(isDeleted);
    const events = all.filter(({ event }) => event.project_id === lab.projectId);
    expect(events.map(({ action, event }) => [action, event])).toEqual([
      ["project.created", created],
      ["project.updated", updated],
      ["project.closed", { ...updated, status: "closed" }],
      ["project.opened", updated],
      ["project.deleted", updated],
    ]);
  });

  test("of the service has the life of a compute", async () => {
    const stream = await follow("/notifications");
    const compute_id = uuid();
    const compute = {
      compute_id,
      name: freshName("compute"),
      protocol: "http",
      host: "192.0.2.1",
      port: 3080,
    };
    const created = (await client.post("/computes", compute)).json;
    const updated = (await client.put(`/computes/${compute_id}`, { port: 3081 })).json;
    await client.delete(`/computes/${compute_id}`);

    const isDeleted = ({ action, event }: SeenEvent) =>
      action === "compute.deleted" && event.compute_id === compute_id;
    const events = (await stream.until(isDeleted)).filter(({ event }) => event.compute_id === compute_id);
    expect(events.map(({ action, event }) => [action, event])).toEqual([
      ["compute.created", created],
      ["compute.updated", updated],
      ["compute.deleted", updated],
    ]);
  });
});

describe("a restored snapshot", () => {
  test("is announced after the parts that it changes, as the list of snapshots has it", async () => {
    const lab = await makeLab();
    const kept = await addNode(lab, { name: "Kept" });
    const { json: snapshot } = await client.post(`${lab.path}/snapshots`, { name: "s" });
    const stream = await followProject(lab);
    await client.put(`${lab.path}/nodes/${kept}`, { x: 7 });
    await addNode(lab, { name: "Added" });
    const made = await stream.until(named("Added"));
    await client.post(`${lab.path}/snapshots/${snapshot.snapshot_id}/restore`, {});

    const all = await stream.until(({ action }) => action === "snapshot.restored");
    const events = all.slice(made.length);
    expect(events.map(({ action, event }) => [action, event.name]).toSorted()).toEqual([
      ["node.deleted", "Added"],
      ["node.updated", "Kept"],
      ["snapshot.restored", "s"],
    ]);
    expect(events.at(-1)!.event).toEqual(snapshot);
  });
});

describe("events of templates", () => {
  test("are in the service's stream, as the routes return them", async () => {
    const stream = await follow("/notifications");
    const body = { name: freshName("T"), template_type: "vpcs", compute_id: "local" };
    const created = (await client.post("/templates", body)).json;
    const path = `/templates/${created.template_id}`;
    const updated = (await client.put(path, { name: freshName("U") })).json;
    await client.delete(path);

    const isDeleted = ({ action, event }: SeenEvent) =>
      action === "template.deleted" && event.template_id === created.template_id;
    const events = (await stream.until(isDeleted)).filter(
      ({ event }) => event.template_id === created.template_id,
    );
    expect(events.map(({ action, event }) => [action, event])).toEqual([
      ["template.created", created],
      ["template.updated", updated],
      ["template.deleted", updated],
    ]);
  });
});

describe("fifty followers of a project", () => {
  test("get the same events in the same order, each once, also those that reconnect", async () => {
    const lab = await makeLab();
    const streams = await Promise.all(Array.from({ length: 50 }, () => followProject(lab)));
    const names = Array.from({ length: 20 }, (_, index) => `N${index}`);
    await Promise.all(names.map((name) => addNode(lab, { name })));
    await addNode(lab, { name: "last" });

    const seen = await Promise.all(streams.map((stream) => stream.until(named("last"))));
    const [first] = seen;
    expect(first!.map(({ event }) => event.name).toSorted()).toEqual(["last", ...names].toSorted());
    for (const events of seen) expect(events).toEqual(first);
    expect(first!.map(({ seq }) => seq - first![0]!.seq)).toEqual([...first!.keys()]);

    const again = await followProject(lab, first![4]!.seq);
    expect(await again.until(named("last"))).toEqual(first!.slice(5));
  });
});

test("a publisher that dies in the middle of a batch publishes each change once, in their order", async () => {
  const { publishEvents } = await import("../../functions/shared/store/events/publish.ts");
  const { openStream, readEvents } = await import("../../functions/shared/store/events/read-events.ts");
  const stream = uuid();
  const begin = await openStream(stream);
  const changes = Array.from({ length: 120 }, (_, index) => ({
    source: String(index),
    changedS: nowS(),
    events: [{ action: "node.updated", event: { name: `N${index}` } }],
  }));
  await publishEvents(stream, changes.slice(0, 30));
  await Promise.all([publishEvents(stream, changes), publishEvents(stream, changes.slice(20))]);

  const events = await readEvents(stream, begin, 200);
  const texts = (events as readonly { text: string }[]).map(({ text }) => JSON.parse(text));
  expect(texts.map(({ event }) => event.name)).toEqual(changes.map((_, index) => `N${index}`));
  expect(texts.map(({ seq }) => seq)).toEqual(changes.map((_, index) => begin + 1 + index));
});

describe("a stream that no client follows", () => {
  const HOUR_MS = 3_600_000;
  const change = (name: string, changedS = nowS()) => ({
    source: name,
    changedS,
    events: [{ action: "node.updated", event: { name } }],
  });
  const load = async () => ({
    ...(await import("../../functions/shared/store/events/publish.ts")),
    ...(await import("../../functions/shared/store/events/read-events.ts")),
    ...(await import("../../functions/shared/store/events/event.ts")),
  });
  const namesIn = (events: unknown): string[] =>
    (events as readonly { text: string }[]).map(({ text }) => JSON.parse(text).event.name);
  const passHours = (hours: number, fromMs: number) =>
    vi.spyOn(Date, "now").mockReturnValue(fromMs + hours * HOUR_MS);
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test("stores no event; its first follower gets what changes from then on", async () => {
    const { publishEvents, openStream, readEvents, readHead } = await load();
    const stream = uuid();
    expect(await publishEvents(stream, [change("A")])).toBe(false);
    expect(await readHead(stream)).toBeUndefined();
    const begin = await openStream(stream);
    expect(await publishEvents(stream, [change("B")])).toBe(true);
    expect(namesIn(await readEvents(stream, begin))).toEqual(["B"]);
  });

  test("does not store a change that was committed long before its follower came, and stores those behind it", async () => {
    const { publishEvents, openStream, readEvents } = await load();
    const stream = uuid();
    const begin = await openStream(stream);
    expect(await publishEvents(stream, [change("A", nowS() - 600), change("B")])).toBe(true);
    expect(namesIn(await readEvents(stream, begin))).toEqual(["B"]);
  });

  test("stores events for an hour after a follower's longest time, and then has a gap in its numbers", async () => {
    const { publishEvents, openStream, readEvents } = await load();
    const [stream, beginMs] = [uuid(), Date.now()];
    const begin = await openStream(stream);
    passHours(3, beginMs);
    expect(await publishEvents(stream, [change("A")])).toBe(true);
    passHours(4.1, beginMs);
    expect(await publishEvents(stream, [change("B")])).toBe(false);
    const later = await openStream(stream);
    expect(later).toBeGreaterThan(begin + 1);
    expect(await readEvents(stream, later)).toEqual([]);
    expect(await publishEvents(stream, [change("C")])).toBe(true);
    expect(namesIn(await readEvents(stream, later))).toEqual(["C"]);
    const { EXPIRED } = await load();
    expect(await readEvents(stream, begin + 1)).toBe(EXPIRED);
  });

  test("is wanted for longer when another follower comes", async () => {
    const { publishEvents, openStream, readEvents } = await load();
    const [stream, beginMs] = [uuid(), Date.now()];
    const begin = await openStream(stream);
    passHours(2, beginMs);
    expect(await openStream(stream)).toBe(begin);
    passHours(5, beginMs);
    expect(await publishEvents(stream, [change("A")])).toBe(true);
    expect(namesIn(await readEvents(stream, begin))).toEqual(["A"]);
  });

  test("of an earlier release may have followers, so its events are stored for some hours", async () => {
    const { publishEvents, HeadEntity, readEvents, readHead } = await load();
    const { PutItemCommand } = await import("dynamodb-toolbox/entity/actions/put");
    const [stream, beginMs] = [uuid(), Date.now()];
    await HeadEntity.build(PutItemCommand)
      .item({ stream, last: 7, expires_s: nowS() + 3_600 })
      .send();
    expect(await publishEvents(stream, [change("A")])).toBe(true);
    expect(namesIn(await readEvents(stream, 7))).toEqual(["A"]);
    expect(await readHead(stream)).toMatchObject({ last: 8, wanted_until_s: expect.any(Number) });
    passHours(4.1, beginMs);
    expect(await publishEvents(stream, [change("B")])).toBe(false);
  });
});

describe("a follower that reconnects", () => {
  test("after a number that the stream never had is asked to begin anew", async () => {
    const lab = await makeLab();
    const stream = await followProject(lab);
    const last = stream.lines[0]!.seq;
    for (const since of [0, 5, last + 1, Number.MAX_SAFE_INTEGER]) {
      const { status, json } = await client.get(`${lab.path}/notifications?since=${since}`);
      expect([status, json.code], String(since)).toEqual([410, "events.expired"]);
    }
  });

  test.each(["-1", "x", "1.5", ""])("with the number %j is rejected", async (since) => {
    const { path } = await makeLab();
    expect((await client.get(`${path}/notifications?since=${since}`)).status).toBe(400);
  });

  test("misses nothing when the service was restarted, even if all changes reach the publisher again", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "wirelab-events-"));
    const options = { dataDir, port: 0, quiet: true, schedules: false, synth: localStack().assembly };
    try {
      const first = await startLocalStack(options);
      const base = `${first.url}/${first.stage}`;
      const send = (url: string, method: string, path: string, body: object = {}) =>
        fetch(`${url}${path}`, { method, body: JSON.stringify(body) });
      const made = await send(base, "POST", "/projects", { name: "kept" });
      const { project_id } = (await made.json()) as { project_id: string };
      const path = `/projects/${project_id}`;
      const node = (name: string) => ({ name, node_type: "vpcs", compute_id: "local" });
      const before = await follow(`${path}/notifications`, base);
      await send(base, "POST", `${path}/nodes`, node("A"));
      const [a] = await before.until(named("A"));
      await send(base, "POST", `${path}/nodes`, node("B"));
      await first.stop();

      rmSync(join(dataDir, "streams.json"), { force: true });
      const second = await startLocalStack(options);
      const url = `${second.url}/${second.stage}`;
      await send(url, "POST", `${path}/nodes`, node("C"));
      const after = await follow(`${path}/notifications?since=${a!.seq}`, url);
      const events = await after.until(named("C"));
      expect(events.map(({ event, seq }) => [event.name, seq])).toEqual([
        ["B", a!.seq + 1],
        ["C", a!.seq + 2],
      ]);
      after.close();
      await second.stop();
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

describe("events are for those who may see their project", () => {
  const [alice, bob, root] = [user("alice", "editor"), user("bob", "viewer"), user("root", "admin")];
  const textOf = (file: Buffer): SeenEvent[] =>
    file
      .toString()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));

  test("a project's stream is not found by others, and ends when the project is no longer shared", async () => {
    const shared_with = [{ user: "bob", role: "viewer" }];
    const { json } = await alice.post("/projects", { name: freshName(), shared_with });
    const path = `/projects/${json.project_id}`;
    const carol = user("carol", "editor");
    expect((await carol.get(`${path}/notifications`)).status).toBe(404);

    const { file } = await bob.follow(`${path}/notifications`);
    await alice.put(path, { shared_with: [] });
    await alice.post(`${path}/nodes`, { name: "Secret", node_type: "vpcs", compute_id: "local" });
    expect((await file).toString()).not.toContain("Secret");
    expect((await bob.get(`${path}/notifications`)).status).toBe(404);
  });

  test("the service's stream has projects only for those who may see them", async () => {
    const streams = await Promise.all([alice, bob, root].map((caller) => caller.follow("/notifications")));
    const own = (await alice.post("/projects", { name: freshName("own") })).json;
    const shared_with = [{ user: "bob", role: "viewer" }];
    const shared = (await alice.post("/projects", { name: freshName("shared"), shared_with })).json;

    const files = await Promise.all(streams.map(({ file }) => file));
    const seen = files.map((file) => {
      const ids = textOf(file).map(({ event }) => event.project_id);
      return [own, shared].map(({ project_id }) => ids.filter((id) => id === project_id).length);
    });
    expect(seen).toEqual([
      [1, 1],
      [0, 1],
      [1, 1],
    ]);
  });

  test("a project that gets the id of a deleted one does not show that one's events", async () => {
    const project_id = uuid();
    const path = `/projects/${project_id}`;
    await alice.post("/projects", { name: freshName(), project_id });
    const stream = await follow(`${path}/notifications`);
    const { seq } = stream.lines[0]!;
    await alice.post(`${path}/nodes`, { name: "Secret", node_type: "vpcs", compute_id: "local" });
    await stream.until(named("Secret"));
    await alice.delete(path);
    // The time of an event has whole seconds.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const dave = user("dave", "editor");
    expect((await dave.post("/projects", { name: freshName(), project_id })).status).toBe(201);
    const { file } = await dave.follow(`${path}/notifications?since=${seq}`);
    await dave.post(`${path}/nodes`, { name: "Own", node_type: "vpcs", compute_id: "local" });
    const text = (await file).toString();
    expect(text).toContain('"Own"');
    expect(text).not.toContain("Secret");
  });

  test("a further stream of a user ends the oldest one, and a HEAD request ends none", async () => {
    process.env.QUOTA_FOLLOWED_EVENTS = "2";
    try {
      const { json } = await alice.post("/projects", { name: freshName() });
      const path = `/projects/${json.project_id}/notifications`;
      const first = await alice.follow(path);
      const second = await alice.follow(path);
      const { followProject: operation } = await import("../../functions/notifications/follow.ts");
      const head = { params: { project_id: json.project_id }, headOnly: true };
      await perform(operation, head, { name: "alice", role: "editor" });
      let isEnded = false;
      void second.file.then(() => (isEnded = true));
      const third = await alice.follow(path);
      await first.file;
      expect(isEnded).toBe(false);
      await alice.delete(`/projects/${json.project_id}`);
      await Promise.all([second.file, third.file]);
    } finally {
      delete process.env.QUOTA_FOLLOWED_EVENTS;
    }
  });
});
