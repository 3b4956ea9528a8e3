/** Pages of listed origins, with authentication: preflight, requests and errors of a stack with the setting `cors_origins`. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LocalStack } from "../../infra/local/local-stack.ts";
import { startStackWith } from "../helpers/stack/assembly.ts";

const PASSWORD = "a password for the pages of others";
const LAB = "http://lab.example";
const EVIL = "http://lab.example.evil.example";

let stack: LocalStack;
beforeAll(async () => {
  stack = await startStackWith({
    inMemory: true,
    port: 0,
    quiet: true,
    auth: "basic",
    adminPassword: PASSWORD,
    context: { cors_origins: LAB },
  });
}, 300_000);
afterAll(() => stack?.stop());

const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString("base64")}`;

/** Node's fetch enforces no origins, so a test can send any. */
const send = (method: string, path: string, origin: string | undefined, init: RequestInit = {}) =>
  fetch(`${stack.url}/${stack.stage}${path}`, {
    method,
    ...init,
    headers: { ...(origin && { origin }), ...(init.headers as Record<string, string>) },
  });

const allowedOf = ({ headers }: Response) => [
  headers.get("access-control-allow-origin"),
  headers.get("access-control-allow-credentials"),
];

const WANTED = {
  "access-control-request-method": "PUT",
  "access-control-request-headers": "authorization,content-type",
};

test("a preflight request of a listed origin is answered without credentials, also below unknown ids", async () => {
  for (const path of [
    "/projects",
    `/projects/${crypto.randomUUID()}/nodes`,
    "/version",
    "/symbols/a/b.svg/raw",
  ]) {
    const answer = await send("OPTIONS", path, LAB, { headers: WANTED });
    expect([answer.status, await answer.text()], path).toEqual([204, ""]);
    expect(allowedOf(answer)).toEqual([LAB, "true"]);
    expect(answer.headers.get("access-control-allow-methods")).toContain("PUT");
    const admitted = answer.headers.get("access-control-allow-headers")?.toLowerCase().split(",");
    expect(admitted).toEqual(expect.arrayContaining(["authorization", "idempotency-key", "prefer"]));
    expect(answer.headers.get("vary")).toBe("Origin");
  }
});

test.each([EVIL, "null", "HTTP://lab.example", undefined])(
  "a preflight request of %s admits nothing",
  async (origin) => {
    expect(allowedOf(await send("OPTIONS", "/projects", origin, { headers: WANTED }))).toEqual([null, null]);
  },
);

test("a page of a listed origin reads, changes, and sees errors", async () => {
  const init = { headers: { authorization }, body: JSON.stringify({ name: "of a page" }) };
  const made = await send("POST", "/projects", LAB, init);
  expect([made.status, ...allowedOf(made)]).toEqual([201, LAB, "true"]);
  expect(made.headers.get("access-control-expose-headers")).toContain("x-request-id");
  expect(made.headers.get("vary")).toMatch(/\borigin$/);
  const missing = await send("GET", `/projects/${crypto.randomUUID()}`, LAB, { headers: { authorization } });
  expect([missing.status, ...allowedOf(missing)]).toEqual([404, LAB, "true"]);
  const unknown = await send("GET", "/projects", LAB);
  expect([unknown.status, ...allowedOf(unknown)]).toEqual([401, LAB, "true"]);
});

test("a page of another origin cannot read, and changes nothing", async () => {
  const read = await send("GET", "/projects", EVIL, { headers: { authorization } });
  expect([read.status, ...allowedOf(read)]).toEqual([200, null, null]);
  const init = { headers: { authorization }, body: JSON.stringify({ name: "of evil" }) };
  const refused = await send("POST", "/projects", EVIL, init);
  expect([refused.status, ...allowedOf(refused)]).toEqual([403, null, null]);
});
