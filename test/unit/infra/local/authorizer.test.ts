/** The gateway's authorizers, with functions of this test. */
import { rmSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { makeAuthorize } from "../../../../infra/local/authorizer.ts";
import { type Gateway, startGateway } from "../../../../infra/local/gateway.ts";
import { InvocationFailure } from "../../../../infra/local/lambda-instance.ts";
import { type LambdaPool, makeLambdaPool } from "../../../../infra/local/lambda-pool.ts";
import { readTemplate } from "../../../../infra/local/template/template.ts";
import { makeAuthorizer, writeAssembly } from "./assembly.ts";

const ECHO = `
  export const handler = async (event) => ({
    statusCode: 200,
    body: JSON.stringify({ authorizer: event.requestContext.authorizer, body: event.body }),
  });`;

/** Returns the policy that the Authorization header describes, and counts its calls. */
const JUDGE = `
  let calls = 0;
  export const handler = async (event) => {
    calls += 1;
    const [verdict, resource] = event.headers.authorization.split(" ");
    if (verdict === "throw") throw new Error("thrown on purpose");
    if (verdict === "nonsense") return { yes: true };
    const Resource = event.methodArn.replace(/\\/v2\\/.*/, resource ?? "/v2/*");
    const Statement = [{ Action: "execute-api:Invoke", Effect: verdict, Resource }];
    if (verdict === "both") {
      Statement[0].Effect = "Allow";
      Statement.push({ Action: "execute-api:Invoke", Effect: "Deny", Resource: event.methodArn });
    }
    const { type, methodArn, path, body } = event;
    const seen = JSON.stringify({ type, methodArn, path, hasBody: body !== undefined });
    return { principalId: "alice", policyDocument: { Version: "2012-10-17", Statement }, context: { calls, seen, ok: true } };
  };`;

const HEADER = "method.request.header.Authorization";
let folder: string;
let pool: LambdaPool;
let gateway: Gateway;
let template: ReturnType<typeof readTemplate>;

beforeAll(async () => {
  folder = writeAssembly({
    functions: { Echo: { code: ECHO }, Judge: { code: JUDGE } },
    methods: [
      { path: "/open", method: "GET", target: "Echo" },
      { path: "/closed/{id}", target: "Echo", authorizer: "Gate" },
      { path: "/unkept", target: "Echo", authorizer: "Forgetful" },
    ],
    securitySchemes: {
      Gate: makeAuthorizer("Judge", `${HEADER},context.identity.sourceIp`, 60),
      Forgetful: makeAuthorizer("Judge", HEADER, 0),
    },
  });
  template = readTemplate(folder);
  pool = makeLambdaPool(template.functions, {}, () => {});
  gateway = await startGateway(template, pool, { host: "127.0.0.1", port: 0 });
});

afterAll(async () => {
  await gateway.stop();
  await pool.stop();
  rmSync(folder, { recursive: true });
});

afterEach(() => {
  vi.restoreAllMocks();
});

const call = (path: string, authorization?: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${gateway.port}/v2${path}`, {
    ...init,
    headers: authorization === undefined ? {} : { authorization },
  });

const status = async (path: string, authorization?: string) => (await call(path, authorization)).status;
const context = async (path: string, authorization: string) => {
  const answer = await (await call(path, authorization)).json();
  return (answer as { authorizer: { calls: string } }).authorizer;
};

describe("an authorizer", () => {
  it("is read from the template, with its identity sources and the lifetime of its cached policies", () => {
    expect(template.authorizers).toEqual({
      Gate: {
        functionId: "Judge",
        identitySources: [HEADER, "context.identity.sourceIp"],
        ttlMs: 60_000,
      },
      Forgetful: { functionId: "Judge", identitySources: [HEADER], ttlMs: 0 },
    });
    expect(template.routes.map(({ resourcePath, authorizerId }) => [resourcePath, authorizerId])).toEqual([
      ["/open", undefined],
      ["/closed/{id}", "Gate"],
      ["/unkept", "Forgetful"],
    ]);
  });

  it("is not called for a public route, or for a request without an identity source", async () => {
    expect(await (await call("/open")).json()).toEqual({ authorizer: null, body: null });
    expect(await status("/closed/1")).toBe(401);
  });

  it("receives the request without its body, and the function receives its context as text", async () => {
    const answer = await call("/closed/7", "Allow", { method: "POST", body: "secret" });
    const { authorizer, body } = (await answer.json()) as {
      authorizer: Record<string, string>;
      body: string;
    };
    expect(Buffer.from(body, "base64").toString()).toBe("secret");
    expect(authorizer).toMatchObject({ principalId: "alice", ok: "true" });
    expect(JSON.parse(authorizer.seen!)).toEqual({
      type: "REQUEST",
      methodArn: "arn:aws:execute-api:us-east-1:000000000000:local/v2/POST/closed/7",
      path: "/closed/7",
      hasBody: false,
    });
  });

  it("rejects a request if the policy denies it, also denies it, or allows another method", async () => {
    expect(await status("/closed/1", "Deny")).toBe(403);
    expect(await status("/closed/1", "both")).toBe(403);
    expect(await status("/closed/1", "Allow /v2/POST/*")).toBe(403);
    expect(await status("/closed/1", "Allow /v2/GET/closed/?")).toBe(200);
    expect(await status("/closed/12", "Allow /v2/GET/closed/?")).toBe(403);
  });

  it("rejects a request when it fails or returns no policy", async () => {
    expect(await status("/closed/1", "throw")).toBe(500);
    expect(await status("/closed/1", "nonsense")).toBe(500);
  });

  it("is called once for all routes while its policy is cached, and again for another header", async () => {
    const first = await context("/closed/1", "Allow ");
    expect(await context("/closed/2", "Allow ")).toEqual(first);
    expect((await context("/closed/1", "Allow /v2/GET/*")).calls).not.toBe(first.calls);
  });

  it("is called for each request when it caches no policy", async () => {
    const first = await context("/unkept", "Allow");
    expect(Number((await context("/unkept", "Allow")).calls)).toBeGreaterThan(Number(first.calls));
  });
});

describe("a failure of the authorizer", () => {
  it("is not cached: the next request with the same header is decided anew", async () => {
    const payload = JSON.stringify({
      principalId: "p",
      policyDocument: { Statement: [{ Effect: "Allow", Resource: "*" }] },
    });
    const invoke = vi
      .fn()
      .mockRejectedValueOnce(new InvocationFailure("timeout", "the function timed out"))
      .mockRejectedValueOnce(new InvocationFailure("failed", "the function failed"))
      .mockResolvedValue({ kind: "buffered", payload });
    const authorize = makeAuthorize(template.authorizers, { invoke } as never, () => 0);
    const event = {
      headers: { authorization: "x" },
      requestContext: { identity: { sourceIp: "192.0.2.1" } },
    };
    const ask = () => authorize("Gate", event as never, "arn:aws:execute-api:us-east-1:0:local/v2/GET/x");
    expect(await ask()).toBe("AUTHORIZER_FAILURE");
    expect(await ask()).toBe("AUTHORIZER_FAILURE");
    expect(await ask()).toEqual({ principalId: "p" });
  });
});

describe("a cached policy", () => {
  const policy = { principalId: "p", policyDocument: { Statement: [{ Effect: "Allow", Resource: "*" }] } };
  const request = (authorization: string, sourceIp: string) =>
    ({
      httpMethod: "GET",
      path: "/x",
      headers: { AUTHORIZATION: authorization },
      requestContext: { apiId: "local", stage: "v2", identity: { sourceIp } },
    }) as never;

  it("applies to the same header from the same address until it expires", async () => {
    const invoke = vi.fn(async () => ({ kind: "buffered" as const, payload: JSON.stringify(policy) }));
    let nowMs = 0;
    const authorize = makeAuthorize(template.authorizers, { invoke } as never, () => nowMs);
    const ask = async (authorization: string, sourceIp: string) => {
      const arn = "arn:aws:execute-api:us-east-1:0:local/v2/GET/x";
      expect(await authorize("Gate", request(authorization, sourceIp), arn)).toEqual({ principalId: "p" });
      return invoke.mock.calls.length;
    };
    expect(await ask("a", "10.0.0.1")).toBe(1);
    expect(await ask("a", "10.0.0.2")).toBe(2);
    expect(await ask("b", "10.0.0.1")).toBe(3);
    nowMs = 59_999;
    expect(await ask("a", "10.0.0.1")).toBe(3);
    nowMs = 60_000;
    expect(await ask("a", "10.0.0.1")).toBe(4);
  });
});

it.each([
  [
    { type: "apiKey", name: "Authorization", in: "header", "x-amazon-apigateway-authtype": "awsSigv4" },
    "awsSigv4",
  ],
  [undefined, "undefined"],
])("rejects a template with a security scheme that does not run locally: %j", (scheme, type) => {
  const other = writeAssembly({
    functions: { Echo: { code: ECHO } },
    methods: [{ path: "/a", target: "Echo", authorizer: "Signed" }],
    securitySchemes: scheme ? { Signed: scheme } : {},
  });
  expect(() => readTemplate(other)).toThrow(
    `Api.Body.paths./a.x-amazon-apigateway-any-method.security: Signed (${type}) has no local counterpart`,
  );
  rmSync(other, { recursive: true });
});

it("rejects a template with an authorizer of another type", () => {
  const token = makeAuthorizer("Echo", HEADER);
  const key = "x-amazon-apigateway-authorizer";
  const other = writeAssembly({
    functions: { Echo: { code: ECHO } },
    methods: [],
    securitySchemes: { Gate: { ...token, [key]: { ...token[key], type: "token" } } },
  });
  expect(() => readTemplate(other)).toThrow("only request runs locally, not token");
  rmSync(other, { recursive: true });
});
