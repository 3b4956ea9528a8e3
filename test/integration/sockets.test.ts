/** WebSockets of the local service: who may open which. */
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import WebSocket from "ws";
import { client, makePair, uuid } from "../helpers/service/lab.ts";
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
