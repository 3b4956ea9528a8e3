/** The command `wirelab namespace`, against a server that answers as the service does. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { runCli } from "./run-cli.ts";

let server: Server;
let url: string;
let requests: { readonly method: string; readonly path: string; readonly body: string }[];
let answer: { readonly status: number; readonly body?: object };

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push({ method: request.method!, path: request.url!, body: Buffer.concat(chunks).toString() });
    response.writeHead(answer.status).end(answer.body && JSON.stringify(answer.body));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`;
});
afterAll(() => void server.close());
beforeEach(() => {
  requests = [];
});

const namespace = (...args: string[]) => runCli(["namespace", ...args, "--url", url]);

test("create prints variables for the commands that use the namespace", async () => {
  const expires_at = "2026-12-01T00:00:00.000Z";
  answer = { status: 200, body: { url, user: "pr-12@namespaces", password: "p w", expires_at } };
  const beganMs = Date.now();
  const { code, stdout, stderr } = await namespace("create", "pr-12", "--expires", "12h");
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `the namespace pr-12 ends at ${expires_at}; its user:\n`,
  });
  expect(stdout.toString()).toBe(`WIRELAB_URL=${url}\nWIRELAB_USER=pr-12@namespaces\nWIRELAB_PASSWORD=p w\n`);
  expect(requests).toMatchObject([{ method: "PUT", path: "/v2/namespaces/pr-12" }]);
  const asked = Date.parse(JSON.parse(requests[0]!.body).expires_at);
  expect(asked - beganMs).toBeGreaterThanOrEqual(12 * 3_600_000);
  expect(asked - Date.now()).toBeLessThanOrEqual(12 * 3_600_000);
});

test("delete deletes the namespace", async () => {
  answer = { status: 204 };
  const { code, stdout, stderr } = await namespace("delete", "pr-12");
  expect({ code, stdout: stdout.toString(), stderr }).toEqual({
    code: 0,
    stdout: "",
    stderr: "the namespace pr-12 is deleted\n",
  });
  expect(requests).toMatchObject([{ method: "DELETE", path: "/v2/namespaces/pr-12" }]);
});

test("what the service refuses is reported in its words", async () => {
  answer = { status: 404, body: { message: "Namespace pr-13 doesn't exist" } };
  const { code, stderr } = await namespace("delete", "pr-13");
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: "wirelab: DELETE /namespaces/pr-13: 404 Namespace pr-13 doesn't exist\n",
  });
});

test.each([
  [[], "ACTION is missing: expected ACTION NAME"],
  [["create"], "NAME is missing: expected ACTION NAME"],
  [["list", "x"], 'unknown action "list"; the actions are create, delete'],
  [["constructor", "x"], 'unknown action "constructor"'],
  [["create", "a/b"], '"a/b": a namespace\'s name has up to 40 of'],
  [["create", "x".repeat(41)], "a namespace's name has up to 40 of"],
  [["create", "x", "--expires", "soon"], "--expires soon: give a time such as 90m, 12h or 7d"],
  [["delete", "x", "--expires", "7d"], "namespace delete takes no --expires"],
])("%j reports the mistake, and sends nothing", async (args, message) => {
  const { code, stderr } = await namespace(...args);
  expect(stderr).toContain(message);
  expect({ code, requests }).toEqual({ code: 2, requests: [] });
});
