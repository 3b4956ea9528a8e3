/** WebSockets of the local service: who may open which. */
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import WebSocket from "ws";
import { client, makePair, uuid } from "../helpers/service/lab.ts";
import { settles } from "../helpers/settles.ts";
import { localStack } from "../helpers/stack/this-stack.ts";

const { baseUrl } = localStack();
const address = (path: string): string => baseUrl.replace("http", "ws") + path;

/** @returns the status and the body of a refused handshake. */
function refused(path: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(address(path), { headers });
  return new Promise<{ status: number | undefined; code: string }>((resolve, reject) => {
    socket.once("open", () => reject(new Error("the handshake succeeded")));
    socket.once("error", reject);
    socket.once("unexpected-response", async (_request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode, code: JSON.parse(Buffer.concat(chunks).toString()).code });
    });
  });
}

async function open(path: string, headers: Record<string, string> = {}): Promise<WebSocket> {
  const socket = new WebSocket(address(path), { headers });
  await once(socket, "open");
  return socket;
}

describe("a handshake", () => {
  test("succeeds at the paths of notifications", async () => {
    const { path } = await makePair();
    for (const each of ["/notifications/ws", `${path}/notifications/ws`]) (await open(each)).terminate();
  });

  test("is answered 404 for an unknown path and an unknown project, 400 for an id that is none", async () => {
    expect(await refused("/nothing/ws")).toEqual({ status: 404, code: "route.not-found" });
    expect(await refused(`/projects/${uuid()}/notifications/ws`)).toEqual({
      status: 404,
      code: "project.not-found",
    });
    expect(await refused("/projects/none/notifications/ws")).toEqual({
      status: 400,
      code: "request.invalid",
    });
  });

  test("of a page is answered 403 unless it is the service's own", async () => {
    const { host } = new URL(baseUrl);
    const foreign = await refused("/notifications/ws", { Origin: "https://evil.example" });
    expect(foreign).toEqual({ status: 403, code: "access.cross-site" });
    (await open("/notifications/ws", { Origin: `http://${host}` })).terminate();
  });
});

/** Collects the events of a connection; the first message must be a ping. */
async function follow(path: string) {
  const socket = new WebSocket(address(path));
  const received: { action: string; event: { node_id?: string; name?: string }; seq?: number }[] = [];
  socket.on("message", (data) => received.push(JSON.parse(String(data))));
  await settles(() => expect(received).not.toEqual([]));
  expect(received.shift()).toMatchObject({
    action: "ping",
    event: { cpu_usage_percent: expect.any(Number), memory_usage_percent: expect.any(Number) },
  });
  return { socket, received };
}

describe("notifications", () => {
  test("of a project reach every follower once and in order, from the first message, a ping", async () => {
    const lab = await makePair();
    const followers = await Promise.all(
      Array.from({ length: 10 }, () => follow(`${lab.path}/notifications/ws`)),
    );
    const names = Array.from({ length: 12 }, (_, number) => `renamed-${number}`);
    for (const name of names) await client.put(`${lab.path}/nodes/${lab.first}`, { name });
    for (const { received } of followers) {
      await settles(() => expect(received.at(-1)?.event.name).toBe(names.at(-1)));
      const renamed = received.filter(({ event }) => names.includes(event.name ?? ""));
      expect(renamed.map(({ action, event }) => [action, event.name])).toEqual(
        names.map((name) => ["node.updated", name]),
      );
      const seqs = received.map(({ seq }) => seq!);
      expect(seqs).toEqual(seqs.map((_, index) => seqs[0]! + index));
    }
    for (const { socket } of followers) socket.terminate();
  });

  test("are neither lost nor doubled by changes while clients connect", async () => {
    const lab = await makePair();
    const node = `${lab.path}/nodes/${lab.first}`;
    const { received: all, socket: first } = await follow(`${lab.path}/notifications/ws`);
    const names = Array.from({ length: 10 }, (_, number) => `during-${number}`);
    const joining = names.map(async (name) => {
      await client.put(node, { name });
      return follow(`${lab.path}/notifications/ws`);
    });
    const joined = await Promise.all(joining);
    await client.put(node, { name: "last" });
    for (const { received } of joined) await settles(() => expect(received.at(-1)?.event.name).toBe("last"));
    await settles(() => expect(all.at(-1)?.event.name).toBe("last"));
    const order = all.map(({ seq }) => seq!);
    for (const { received } of joined)
      expect(received.map(({ seq }) => seq)).toEqual(order.slice(-received.length));
    for (const { socket } of [...joined, { socket: first }]) socket.terminate();
  });

  test("continue after the event that since names; a number that the stream never had is answered 410", async () => {
    const lab = await makePair();
    const path = `${lab.path}/notifications/ws`;
    const { received, socket } = await follow(path);
    for (const name of ["one", "two", "three"]) await client.put(`${lab.path}/nodes/${lab.first}`, { name });
    await settles(() => expect(received.at(-1)?.event.name).toBe("three"));
    socket.terminate();
    const [one] = received.filter(({ event }) => event.name === "one");
    const again = await follow(`${path}?since=${one!.seq}`);
    await settles(() => expect(again.received).toHaveLength(2));
    expect(again.received.map(({ event }) => event.name)).toEqual(["two", "three"]);
    again.socket.terminate();
    expect(await refused(`${path}?since=1`)).toEqual({ status: 410, code: "events.expired" });
    expect(await refused(`${path}?since=x`)).toEqual({ status: 400, code: "request.invalid" });
  });

  test("of the service have its projects, and none of their nodes", async () => {
    const { received, socket } = await follow("/notifications/ws");
    const lab = await makePair();
    await settles(() =>
      expect(received).toContainEqual(
        expect.objectContaining({
          action: "project.created",
          event: expect.objectContaining({ project_id: lab.projectId }),
        }),
      ),
    );
    expect(received.filter(({ action }) => action.startsWith("node."))).toEqual([]);
    socket.terminate();
  });
});

describe("a request without an upgrade", () => {
  test("is answered 400, or 404 for an unknown project", async () => {
    const { path, first } = await makePair();
    for (const each of [
      "/notifications/ws",
      `${path}/notifications/ws`,
      `${path}/nodes/${first}/console/ws`,
    ]) {
      const { status, json } = await client.get(each);
      expect([status, json.code]).toEqual([400, "request.no-upgrade"]);
    }
    expect((await client.get(`/projects/${uuid()}/notifications/ws`)).status).toBe(404);
  });
});
