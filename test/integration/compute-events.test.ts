/** What computes report reaches clients that follow events, over HTTP and over WebSocket; no function follows a compute without a client. */
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { FakeCompute } from "../helpers/compute/fake-compute.ts";
import { EventFollower, type SeenEvent } from "../helpers/service/events.ts";
import { addNode, client, freshName, type Lab, makeLab } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";

const compute = new FakeCompute();
let compute_id = "";
let lab: Lab;
let node: string;

beforeAll(async () => {
  const port = await compute.start();
  const body = { protocol: "http", host: "127.0.0.1", port, name: freshName("reporter") };
  compute_id = (await client.post("/computes", body)).json.compute_id;
  lab = await makeLab();
  node = await addNode(lab, { name: "PC1", compute_id });
  await client.post(`${lab.path}/nodes/${node}/start`);
});
afterAll(async () => {
  await client.delete(lab.path);
  await client.delete(`/computes/${compute_id}`);
  await compute.stop();
});

interface Seen {
  readonly events: readonly SeenEvent[];
  close(): void;
}
const open: Seen[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) each.close();
  // All functions that follow the compute end soon after their clients have left.
  await expect.poll(() => compute.followers, { timeout: 40_000 }).toBe(0);
});

const FOLLOW: Readonly<Record<string, (path: string) => Promise<Seen>>> = {
  async HTTP(path) {
    return EventFollower.open(`${localStack().baseUrl}${path}`);
  },
  async WebSocket(path) {
    const socket = new WebSocket(`${localStack().baseUrl.replace("http", "ws")}${path}/ws`);
    const events: SeenEvent[] = [];
    socket.on("message", (text) => events.push(JSON.parse(String(text))));
    await once(socket, "open");
    return { events, close: () => socket.close() };
  },
};

async function follow(how: string, path: string): Promise<Seen> {
  const seen = await FOLLOW[how]!(path);
  open.push(seen);
  await expect.poll(() => compute.followers, { timeout: 40_000 }).toBeGreaterThan(0);
  return seen;
}
// A compute reports its load each second.
const reportLoad = (): void => compute.notify("ping", { cpu_usage_percent: 3, memory_usage_percent: 2 });
const until = (seen: Seen, isWanted: (event: SeenEvent) => boolean, repeat = reportLoad): Promise<void> =>
  expect
    .poll(
      () => {
        repeat();
        return seen.events.some(isWanted);
      },
      { timeout: 40_000, interval: 200 },
    )
    .toBe(true);

const statusOf = async (): Promise<string> => (await client.get(`${lab.path}/nodes/${node}`)).json.status;

/** As a compute whose VPCS was killed. */
function crash(): void {
  compute.nodes.get(node)!.status = "stopped";
  const event = { project_id: lab.projectId, node_id: node, status: "stopped" };
  compute.notify("node.updated", event, lab.projectId);
  compute.notify("log.error", { message: "VPCS process has stopped" }, lab.projectId);
}

describe.each(Object.keys(FOLLOW))("a client that follows over %s", (how) => {
  test("gets a node that has stopped by itself, which is stored, and the reason", async () => {
    await client.post(`${lab.path}/nodes/${node}/start`);
    const seen = await follow(how, `${lab.path}/notifications`);
    crash();
    await until(seen, ({ action, event }) => action === "node.updated" && event.status === "stopped");
    await until(seen, ({ action, event }) => action === "log.error" && /VPCS/.test(event.message));
    expect(await statusOf()).toBe("stopped");
    expect(seen.events.filter(({ action }) => action === "compute.updated")).toEqual([]);
  });

  test("gets the load of computes", async () => {
    const seen = await follow(how, "/notifications");
    await until(
      seen,
      ({ action, event }) =>
        action === "compute.updated" && event.compute_id === compute_id && event.memory_usage_percent === 2,
    );
    expect(seen.events.filter(({ action }) => action.startsWith("log."))).toEqual([]);
  });
});

test("a client of a lab gets reports from the compute of its first node there", async () => {
  const other = await makeLab();
  const seen = await FOLLOW.WebSocket!(`${other.path}/notifications`);
  open.push(seen);
  await addNode(other, { name: "PC1", compute_id });
  await expect.poll(() => compute.followers, { timeout: 40_000 }).toBe(1);
  // Once: the function that forwards the message may have learnt of the compute from another lab.
  compute.notify("log.warning", { message: "disk is full" });
  await until(seen, ({ action }) => action === "log.warning");
  await client.delete(other.path);
});
