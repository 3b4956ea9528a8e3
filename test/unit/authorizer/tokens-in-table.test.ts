/** Passwords, tokens and their keys in an embedded table: the authorizer's handler, and the operation that issues tokens. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startDynamoDb } from "../../../infra/local/dynamodb/start.ts";
import type { EmbeddedServer } from "../../../infra/local/embedded-server.ts";
import { provisionTables } from "../../../infra/local/provision.ts";
import { EMBEDDED_CREDENTIALS } from "../../../infra/local/s3/s3-request.ts";

const TABLE_NAME = "tokens";
const PROPERTIES = {
  BillingMode: "PAY_PER_REQUEST",
  KeySchema: [
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ],
  AttributeDefinitions: ["pk", "sk"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
};
const NOW_S = Math.floor(Date.now() / 1000);
const WEEK_S = 7 * 86_400;

let server: EmbeddedServer;
let service: Awaited<ReturnType<typeof load>>;

const load = async () => ({
  ...(await import("../../../functions/authorizer/basic.ts")),
  ...(await import("../../../functions/tokens/issue.ts")),
  ...(await import("../../../functions/shared/edge/principal.ts")),
  ...(await import("../../../functions/shared/store/user/token-keys.ts")),
  ...(await import("../../../functions/shared/store/user/user.ts")),
  ...(await import("../../../functions/shared/store/user/namespace.ts")),
});

beforeAll(async () => {
  server = await startDynamoDb("127.0.0.1", undefined, () => {});
  const settings = { endpoint: server.endpoint, region: "us-east-1", credentials: EMBEDDED_CREDENTIALS };
  await provisionTables(settings, [{ name: TABLE_NAME, properties: PROPERTIES as never }]);
  Object.assign(process.env, {
    AWS_REGION: settings.region,
    AWS_ACCESS_KEY_ID: EMBEDDED_CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: EMBEDDED_CREDENTIALS.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: server.endpoint,
    TABLE_NAME,
    POWERTOOLS_LOG_LEVEL: "SILENT",
  });
  service = await load();
});

afterAll(() => server.stop());

interface Request {
  readonly headers?: Record<string, string>;
  readonly eventType?: string;
  readonly remainingMs?: number;
}

/** @returns the context that the gateway passes to functions, or "Deny". */
async function authorize({ headers = {}, eventType, remainingMs = 10_000 }: Request) {
  const event = {
    headers,
    multiValueHeaders: null,
    methodArn: "arn:aws:execute-api:us-east-1:0:api/v2/GET/projects",
    requestContext: { identity: { sourceIp: "192.0.2.1" }, requestId: "r", eventType },
  };
  const context = { getRemainingTimeInMillis: () => remainingMs };
  const { policyDocument, context: admitted } = await service.handler(event as never, context);
  const [statement] = policyDocument.Statement;
  return statement?.Effect === "Allow" ? admitted : "Deny";
}

const basic = (user: string, password: string) => ({ authorization: `Basic ${btoa(`${user}:${password}`)}` });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Signs in and exchanges the credentials for a token, as the gateway and the function `tokens` do. */
async function issue(headers: Record<string, string>): Promise<string> {
  const admitted = await authorize({ headers });
  // API Gateway passes numbers as text.
  const authorizer = Object.fromEntries(
    Object.entries(admitted as object).map(([name, value]) => [name, String(value)]),
  );
  const caller = service.callerOf({ requestContext: { authorizer } });
  const { body } = await service.issueToken({ access: { caller, needed: "viewer" } } as never);
  return body.token;
}

describe("the keys of tokens", () => {
  test("are made once by concurrent calls, and replaced after a week, and the last one stays valid", async () => {
    const { signingKey, listTokenKeys } = service;
    const made = await Promise.all(Array.from({ length: 8 }, () => signingKey(NOW_S)));
    const [first] = made;
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(first!.bytes.length).toBe(32);
    expect((await signingKey(NOW_S + WEEK_S - 1)).id).toBe(first!.id);
    const replaced = await Promise.all(Array.from({ length: 8 }, () => signingKey(NOW_S + WEEK_S)));
    expect(new Set(replaced.map(({ id }) => id)).size).toBe(1);
    expect(await listTokenKeys()).toEqual([replaced[0], first]);
  });
});

describe("the authorizer", () => {
  test("admits a token of a user's password in a request and in a handshake, and a token that it was renewed by", async () => {
    await service.addUser("alice", "editor", "a right password");
    const first = await issue(basic("alice", "a right password"));
    const second = await issue(bearer(first));
    const offered = { "sec-websocket-protocol": `wirelab, wirelab.token.${second}` };
    for (const request of [
      { headers: bearer(first) },
      { headers: bearer(second) },
      { headers: offered, eventType: "CONNECT" },
    ])
      expect(await authorize(request)).toMatchObject({ user: "alice", role: "editor" });
    // In a request it is no credential.
    expect(await authorize({ headers: offered })).toBe("Deny");
    expect(await authorize({ eventType: "CONNECT" })).toBe("Deny");
  });

  test.each([
    ["another password", () => service.changePassword("bob", "another password")],
    ["another role", () => service.changeRole("bob", "viewer")],
    ["no account", () => service.removeUser("bob")],
  ])("refuses a token of a user with %s", async (_what, change) => {
    await service.addUser("bob", "editor", "a right password");
    const token = await issue(basic("bob", "a right password"));
    expect(await authorize({ headers: bearer(token) })).toMatchObject({ user: "bob" });
    expect(await change()).toBe(true);
    expect(await authorize({ headers: bearer(token) })).toBe("Deny");
    await service.removeUser("bob");
  });

  test("fails without time for a password, and the right one is admitted afterwards, however often that happened", async () => {
    await service.addUser("carol", "editor", "a right password");
    const headers = basic("carol", "a right password");
    for (let index = 0; index < 25; index++)
      await expect(authorize({ headers, remainingMs: 0 })).rejects.toMatchObject({ name: "Overloaded" });
    expect(await authorize({ headers })).toMatchObject({ user: "carol" });
  });
});

describe("the user of a namespace", () => {
  const soon = (ms: number) => new Date(Date.now() + ms).toISOString();
  const user = "pr-12@namespaces";

  test("is admitted as an editor until the namespace ends, with a token as well", async () => {
    const { password } = await service.putNamespace("pr-12", soon(3_600_000));
    const token = await issue(basic(user, password));
    for (const headers of [basic(user, password), bearer(token)])
      expect(await authorize({ headers })).toMatchObject({ user, role: "editor" });
    expect(await authorize({ headers: basic(user, "a wrong password") })).toBe("Deny");
    await service.endNamespace("pr-12", soon(0));
    for (const headers of [basic(user, password), bearer(token)])
      expect(await authorize({ headers })).toBe("Deny");
  });

  test("has the password of the last PUT, which ends earlier tokens", async () => {
    const earlier = await service.putNamespace("pr-12", soon(3_600_000));
    const token = await issue(basic(user, earlier.password));
    const later = await service.putNamespace("pr-12", soon(3_600_000));
    for (const headers of [basic(user, earlier.password), bearer(token)])
      expect(await authorize({ headers })).toBe("Deny");
    expect(await authorize({ headers: basic(user, later.password) })).toMatchObject({ user });
  });

  test("is no other user of the table, and none when there is no such namespace", async () => {
    await service.addUser(user, "admin", "a password of USERS");
    expect(await authorize({ headers: basic(user, "a password of USERS") })).toBe("Deny");
    expect(await authorize({ headers: basic("pr-13@namespaces", "a password of USERS") })).toBe("Deny");
  });
});
