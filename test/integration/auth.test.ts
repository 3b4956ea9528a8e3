/** A service with user accounts: which callers the authorizer admits, and how it rejects the others. */
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import WebSocket from "ws";
import { errorBody } from "../../functions/shared/schemas/common.ts";
import { ensureFirstUser, type TableAccess } from "../../infra/local/first-user.ts";
import type { LocalStack } from "../../infra/local/local-stack.ts";
import { startRuntime } from "../helpers/runtime/runtime.ts";
import { startInMemory } from "../helpers/stack/in-memory.ts";
import { environmentOf } from "../helpers/stack/this-stack.ts";
import { runCli } from "../unit/wirelab/run-cli.ts";

const ADMIN_PASSWORD = "a first password that nobody guesses";
const OPEN = ["/version", "/docs", "/docs/start.js", "/openapi.json", "/page", "/page/index.html"];
const OPEN_ROUTES = ["/version", "/docs", "/docs/{file}", "/openapi.json", "/page", "/page/{file}"];

let stack: LocalStack;
/** Commands get the table's name as an option; the SDK reads the rest from its own variables. */
const environment = { ...process.env };

beforeAll(async () => {
  stack = await startInMemory({
    auth: "basic",
    adminPassword: ADMIN_PASSWORD,
  });
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: stack.dynamodbEndpoint,
    AWS_REGION: stack.region,
    AWS_ACCESS_KEY_ID: stack.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: stack.credentials.secretAccessKey,
    TABLE_NAME: stack.tableName,
  });
});

afterAll(async () => {
  process.env = environment;
  await stack.stop();
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Call {
  readonly method?: string;
  /** Names and values alternate, so that a name can occur twice. */
  readonly headers?: readonly string[];
  readonly body?: string;
  /** All of 127.0.0.0/8 is this machine. Failed attempts from one address do not count against another. */
  readonly from?: string;
}

function send(path: string, { method = "GET", headers = [], body, from }: Call = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(stack.url);
    const length = body === undefined ? [] : ["Content-Length", String(Buffer.byteLength(body))];
    const request = httpRequest(
      {
        hostname,
        port,
        path: `/v2${path}`,
        method,
        headers: ["Host", host, ...length, ...headers],
        // A new connection for each request, so that an unfinished request does not affect the next one.
        agent: false,
        ...(from && { localAddress: from }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}

const basic = (user: string, password: string): string[] => [
  "Authorization",
  `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
];

const users = (args: string[], stdin = "") =>
  runCli(["users", ...args, "--table", stack.tableName], { stdin: Buffer.from(stdin) });

/** Adds a user. @returns the generated password. */
async function addUser(name: string, role: string): Promise<string> {
  const { code, stdout, stderr } = await users(["add", name, "--role", role]);
  expect(code, stderr).toBe(0);
  return stdout.toString().trim();
}

function expectTurnedAway(answer: Answer): void {
  expect(answer.status).toBe(401);
  expect(answer.headers["www-authenticate"]).toBe('Basic realm="Wirelab"');
  expect(answer.headers["content-type"]).toBe("application/json");
  expect(errorBody.parse(JSON.parse(answer.body))).toEqual({
    code: "access.credentials",
    message: "Credentials are missing or wrong",
    status: 401,
  });
}

/** Ages the attempts that the item counts by so many seconds. */
async function letTimePass(pk: string, sk: string, seconds: number): Promise<void> {
  const { dynamodbEndpoint, region, credentials, tableName } = stack;
  const client = new DynamoDBClient({ endpoint: dynamodbEndpoint, region, credentials: { ...credentials } });
  await DynamoDBDocumentClient.from(client).send(
    new UpdateCommand({
      TableName: tableName,
      Key: { pk, sk },
      UpdateExpression: "SET full_ms = full_ms - :ms",
      ConditionExpression: "attribute_exists(full_ms)",
      ExpressionAttributeValues: { ":ms": seconds * 1000 },
    }),
  );
  client.destroy();
}

describe("without credentials", () => {
  test("only the public routes answer: the version and the documentation", async () => {
    for (const path of OPEN) expect((await send(path)).status, path).toBe(200);
    const open = stack.template.routes.filter(({ authorizerId }) => authorizerId === undefined);
    expect(open.map(({ method, resourcePath }) => `${method} ${resourcePath}`).toSorted()).toEqual(
      [
        "ANY /",
        "ANY /{proxy+}",
        "GET /",
        ...OPEN_ROUTES.flatMap((path) => [`GET ${path}`, `HEAD ${path}`]),
      ].toSorted(),
    );
    for (const path of OPEN) expect((await send(path, { method: "HEAD" })).status, path).toBe(200);
    expectTurnedAway(await send("/projects"));
    for (const path of OPEN) expectTurnedAway(await send(path, { method: "POST", body: "{}" }));
  });

  test("a path without a route is 404 with any credentials or none, and the credentials are not echoed", async () => {
    const answers = [
      await send("/nosuch"),
      await send("/nosuch", { headers: basic("admin", ADMIN_PASSWORD) }),
      await send("/nosuch", { headers: basic("admin", "wrong") }),
      await send("/nosuch", { headers: ["Authorization", "wrong"] }),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(404);
      expect(body).toBe('{"code":"route.not-found","message":"No such route","status":404}');
    }
  });

  test("an existing id and an unknown id get the same response", async () => {
    const headers = basic("admin", ADMIN_PASSWORD);
    const made = await send("/projects", { method: "POST", headers, body: '{"name":"secret"}' });
    expect(made.status, made.body).toBe(201);
    const { project_id } = JSON.parse(made.body);
    const [there, missing] = await Promise.all(
      [project_id, crypto.randomUUID()].map((id) => send(`/projects/${id}`)),
    );
    expectTurnedAway(there!);
    expect(there!.body).toBe(missing!.body);
    for (const method of ["PUT", "DELETE", "OPTIONS", "HEAD"]) {
      expect((await send(`/projects/${project_id}`, { method })).status).toBe(401);
    }
  });

  test("the body is not read", async () => {
    const headers = ["Content-Length", String(1024 ** 3), "Expect", "100-continue"];
    expectTurnedAway(await send("/projects", { method: "POST", headers }));
  });

  test("no CORS header allows a page of another origin", async () => {
    const headers = ["Origin", "https://evil.example", "Access-Control-Request-Method", "POST"];
    const answers = [
      await send("/projects", { method: "OPTIONS", headers }),
      await send("/version", { headers }),
      await send("/projects", { headers: [...headers, ...basic("admin", ADMIN_PASSWORD)] }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 200, 200]);
    for (const answer of answers) {
      expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });
});

test("rejects changes from a page of another site, though the browser sends the user's credentials", async () => {
  const origin = ["Origin", "https://evil.example", "Content-Type", "text/plain"];
  const headers = [...origin, ...basic("admin", ADMIN_PASSWORD)];
  const answer = await send("/projects", { method: "POST", headers, body: '{"name":"made by evil"}' });
  expect(answer.status).toBe(403);
  const list = await send("/projects", { headers: basic("admin", ADMIN_PASSWORD) });
  expect(list.body).not.toContain("made by evil");
});

describe("wirelab users", () => {
  test("adds a user once, lists all of them, changes them, and removes them", async () => {
    await addUser("zoe", "viewer");
    expect(await users(["add", "zoe"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("already"),
    });
    expect((await users(["role", "zoe", "editor"])).code).toBe(0);
    const { stdout } = await users(["list", "--json"]);
    expect(JSON.parse(stdout.toString())).toContainEqual({
      name: "zoe",
      role: "editor",
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    expect((await users(["list"])).stdout.toString()).toMatch(/^zoe +editor {2}20/m);
    expect((await users(["remove", "zoe"])).code).toBe(0);
    for (const args of [
      ["remove", "zoe"],
      ["role", "zoe", "viewer"],
      ["passwd", "zoe"],
    ]) {
      const { code, stdout: nothing, stderr } = await users(args);
      expect([code, nothing.toString(), stderr]).toEqual([1, "", "wirelab: there is no user zoe\n"]);
    }
  });

  test("replaces a user's password and invalidates the previous one", async () => {
    const from = "127.0.8.1";
    const before = basic("yan", await addUser("yan", "editor"));
    const { stdout } = await users(["passwd", "yan"]);
    const after = basic("yan", stdout.toString().trim());
    expectTurnedAway(await send("/projects", { headers: before, from }));
    expect((await send("/projects", { headers: after, from })).status).toBe(200);
  });

  test("unlocks a user who is locked out everywhere", async () => {
    const headers = basic("xena", await addUser("xena", "editor"));
    const { takeAttempt } = await import("../../functions/shared/store/user/sign-in.ts");
    const { bucketsOf } = await import("../../functions/authorizer/attempt.ts");
    const [network, , name] = bucketsOf("xena", "127.0.8.2", { isKnown: false });
    for (const bucket of [network!, name!]) {
      // Takes all attempts that the bucket holds, and those that it regains meanwhile.
      while (await takeAttempt(bucket, Date.now(), 0));
    }
    expectTurnedAway(await send("/projects", { headers, from: "127.0.8.2" }));
    expect(await users(["unlock", "xena"])).toMatchObject({ code: 0, stderr: "xena may try again\n" });
    expect((await send("/projects", { headers, from: "127.0.8.3" })).status).toBe(200);
  });

  test("reports that there is nothing to unlock", async () => {
    const { code, stderr } = await users(["unlock", "nobody-tried"]);
    expect([code, stderr]).toEqual([0, "nothing is counted against nobody-tried\n"]);
  });

  test("reports a missing table in one line", async () => {
    const { code, stderr } = await runCli(["users", "list", "--table", "there-is-none"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^wirelab: The DynamoDB table there-is-none does not exist; .*\n$/);
  });
});

describe("the first user", () => {
  const folder = mkdtempSync(join(tmpdir(), "wirelab-first-user-"));
  const file = join(folder, "secrets.json");
  const access = (name = stack.tableName): TableAccess => ({
    name,
    environment: {
      AWS_ENDPOINT_URL_DYNAMODB: stack.dynamodbEndpoint,
      AWS_REGION: stack.region,
      AWS_ACCESS_KEY_ID: stack.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: stack.credentials.secretAccessKey,
    },
  });

  afterEach(() => rmSync(file, { force: true }));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Makes a table without users. */
  async function makeTable(TableName: string): Promise<TableAccess> {
    const { dynamodbEndpoint, region, credentials } = stack;
    const client = new DynamoDBClient({
      endpoint: dynamodbEndpoint,
      region,
      credentials: { ...credentials },
    });
    await client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: "PAY_PER_REQUEST",
        AttributeDefinitions: ["pk", "sk"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
        KeySchema: [
          { AttributeName: "pk", KeyType: "HASH" },
          { AttributeName: "sk", KeyType: "RANGE" },
        ],
      }),
    );
    client.destroy();
    return access(TableName);
  }

  test("of an empty table gets a password, which later starts read from the file and the service never had", async () => {
    const table = await makeTable("without-users");
    const made = await ensureFirstUser(table, file, undefined);
    expect(made).toEqual({ password: expect.stringMatching(/^[\w-]{24}$/), isNew: true });
    expect(await ensureFirstUser(table, file, undefined)).toEqual({ password: made.password, isNew: false });
    expect(readFileSync(file, "utf8")).toContain(made.password);
  });

  test("of a data folder of an earlier release keeps the password of its secret", async () => {
    const table = await makeTable("of-an-earlier-release");
    writeFileSync(
      file,
      JSON.stringify({ "wirelab-authorizerfirstpasswordee995b79": "generated by the stack" }),
    );
    expect(await ensureFirstUser(table, file, undefined)).toEqual({
      password: "generated by the stack",
      isNew: false,
    });
    const { stdout } = await runCli(["users", "list", "--json", "--table", table.name]);
    expect(JSON.parse(stdout.toString())).toMatchObject([{ name: "admin", role: "admin" }]);
  });

  test("of a table with users has the password that it was given, or the one that was set", async () => {
    const password = "another first password";
    expect(await ensureFirstUser(access(), file, password)).toEqual({ password, isNew: false });
    const call = { headers: basic("admin", password), from: "127.0.1.20" };
    expect((await send("/projects", call)).status).toBe(200);
    expect(await ensureFirstUser(access(), file, undefined)).toEqual({ password: undefined, isNew: false });
    await ensureFirstUser(access(), file, ADMIN_PASSWORD);
    expect(existsSync(file)).toBe(false);
  });

  test("is added once by wirelab users first, and again only with --keep where there is no admin", async () => {
    const { name } = await makeTable("first-and-keep");
    const first = (...more: string[]) =>
      runCli(["users", "first", ...more, "--table", name], { stdin: Buffer.from("moved from its secret") });
    expect((await runCli(["users", "add", "alice", "--table", name])).code).toBe(0);
    expect(await first()).toMatchObject({ code: 0, stderr: "there are users already\n" });
    expect((await first("--keep", "--password-stdin")).stderr).toBe("admin is an admin now\n");
    expect((await first("--keep", "--password-stdin")).stderr).toBe("there are users already\n");
  });

  test("that a missing table does not take ends the start with the reason", async () => {
    await expect(ensureFirstUser(access("there-is-none"), file, "a long password")).rejects.toThrow(
      /^The first user cannot be added: wirelab: The DynamoDB table there-is-none does not exist/,
    );
  });
});

describe("a user", () => {
  test("admin is in the table from the start, and has another password after passwd", async () => {
    const from = "127.0.1.1";
    const first = { headers: basic("admin", ADMIN_PASSWORD), from };
    expect((await send("/projects", first)).status).toBe(200);
    const { stdout } = await users(["passwd", "admin"]);
    expectTurnedAway(await send("/projects", { ...first, from: "127.0.1.2" }));
    const changed = { headers: basic("admin", stdout.toString().trim()), from };
    expect((await send("/projects", changed)).status).toBe(200);
    expect((await users(["passwd", "admin", "--password-stdin"], ADMIN_PASSWORD)).code).toBe(0);
  });

  test("authenticates with any characters in the password, read from standard input", async () => {
    const password = "pässwörd: 密码, with: colons";
    expect((await users(["add", "utf", "--password-stdin"], `${password}\n`)).code).toBe(0);
    const call = { headers: basic("utf", password), from: "127.0.1.3" };
    expect((await send("/projects", call)).status).toBe(200);
  });

  test("is admitted from the gateway's cache until the cached result expires", async () => {
    const from = "127.0.1.4";
    const headers = basic("cached", await addUser("cached", "viewer"));
    expect((await send("/projects", { headers, from })).status).toBe(200);
    expect((await users(["remove", "cached"])).code).toBe(0);
    expect((await send("/projects", { headers, from })).status).toBe(200);
    expectTurnedAway(await send("/projects", { headers, from: "127.0.1.5" }));
  });

  test("is admitted with twenty requests at once from an unknown address", async () => {
    const headers = basic("job", await addUser("job", "editor"));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send("/projects", { headers, from: "127.0.1.7" })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  });

  test("is allowed what the role allows", async () => {
    const from = "127.0.1.6";
    const headers = basic("looker", await addUser("looker", "viewer"));
    expect((await send("/projects", { headers, from })).status).toBe(200);
    const answer = await send("/projects", { method: "POST", headers, from, body: '{"name":"x"}' });
    expect(answer.status, answer.body).toBe(403);
  });
});

describe("a client that guesses passwords", () => {
  test("gets the same response for a wrong password and for an unknown name", async () => {
    const from = "127.0.2.1";
    await addUser("alice", "editor");
    const known = await send("/projects", { headers: basic("alice", "wrong wrong wrong"), from });
    const unknown = await send("/projects", { headers: basic("nobody", "wrong wrong wrong"), from });
    expectTurnedAway(known);
    expectTurnedAway(unknown);
    expect(Object.keys(known.headers)).toEqual(Object.keys(unknown.headers));
  });

  test("locks the name in its network, even with the right password, until some time has passed", async () => {
    const password = await addUser("bob", "editor");
    for (let attempt = 1; attempt <= 5; attempt++) {
      expectTurnedAway(
        await send("/projects", { headers: basic("bob", `wrong ${attempt}`), from: `127.0.3.${attempt}` }),
      );
    }
    const headers = basic("bob", password);
    expectTurnedAway(await send("/projects", { headers, from: "127.0.3.100" }));
    expect((await send("/projects", { headers, from: "127.3.0.1" })).status).toBe(200);
    await letTimePass("FAILURES#USER#bob", "NETWORK#127.0.3.0/24", 181);
    expect((await send("/projects", { headers, from: "127.0.3.101" })).status).toBe(200);
  });

  test("gets at most five checks, however many guesses it sends at once", async () => {
    const guesses = Array.from({ length: 12 }, (_, index) =>
      send("/projects", { headers: basic("erin", `guess ${index}`), from: `127.0.9.${index + 1}` }),
    );
    for (const answer of await Promise.all(guesses)) expectTurnedAway(answer);
    const { readBucket } = await import("../../functions/shared/store/user/sign-in.ts");
    const name = { of: "USER#erin", from: "ANYWHERE", secondsEach: 10 } as const;
    // A sixth would fit in a bucket of six: the service has taken at least one attempt and at most five.
    expect((await readBucket({ ...name, guesses: 6 }, Date.now())).hasRoom).toBe(true);
    expect((await readBucket({ ...name, guesses: 1 }, Date.now())).hasRoom).toBe(false);
  });

  test("does not lock the user out from addresses of earlier logins", async () => {
    const from = "127.0.4.1";
    const headers = basic("carol", await addUser("carol", "editor"));
    expect((await send("/projects", { headers, from })).status).toBe(200);
    for (let attempt = 1; attempt <= 6; attempt++) {
      await send("/projects", { headers: basic("carol", `wrong ${attempt}`), from: "127.0.4.2" });
    }
    expectTurnedAway(await send("/projects", { headers, from: "127.0.4.3" }));
    // Another spelling of the header, so that the gateway has no cached result and calls the authorizer.
    const again = ["Authorization", headers[1]!.replace("Basic", "basic")];
    expect((await send("/projects", { headers: again, from })).status).toBe(200);
  });

  test("locks its own address, whatever names it tries", async () => {
    const from = "127.0.5.1";
    const password = await addUser("dave", "editor");
    expectTurnedAway(await send("/projects", { headers: basic("guess", "wrong wrong wrong"), from }));
    for (let attempt = 1; attempt <= 19; attempt++) {
      expectTurnedAway(await send("/projects", { headers: ["Authorization", `Digest ${attempt}`], from }));
    }
    const headers = basic("dave", password);
    expectTurnedAway(await send("/projects", { headers, from }));
    expect((await send("/projects", { headers, from: "127.0.5.2" })).status).toBe(200);
  });
});

describe("attempts", () => {
  const nowMs = 1_800_000_000_000;
  const bucketOf = (name: string) =>
    ({ of: `USER#${name}`, from: "ANYWHERE", guesses: 10, secondsEach: 60 }) as const;
  const many = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make));
  let store: typeof import("../../functions/shared/store/user/sign-in.ts");

  beforeAll(async () => {
    store = await import("../../functions/shared/store/user/sign-in.ts");
  });

  test("concurrent calls take exactly the available attempts", async () => {
    const bucket = bucketOf("many");
    const taken = await many(25, () => store.takeAttempt(bucket, nowMs));
    expect(taken.filter(Boolean).length).toBe(10);
    expect(await store.readBucket(bucket, nowMs)).toEqual({ hasRoom: false, isUnderWay: true });
  });

  test("returned attempts can be taken again, one by one", async () => {
    const bucket = bucketOf("back");
    await many(10, () => store.takeAttempt(bucket, nowMs));
    await many(4, () => store.endAttempt(bucket, { givesBack: true }));
    await many(6, () => store.endAttempt(bucket, { givesBack: false }));
    expect(await store.readBucket(bucket, nowMs)).toEqual({ hasRoom: true, isUnderWay: false });
    const taken = await many(10, () => store.takeAttempt(bucket, nowMs));
    expect(taken.filter(Boolean).length).toBe(4);
  });

  test("are regained one after the other, to the millisecond, up to the capacity", async () => {
    const bucket = bucketOf("slow");
    await many(10, () => store.takeAttempt(bucket, nowMs));
    expect(await store.takeAttempt(bucket, nowMs + 59_999)).toBe(false);
    expect(await store.takeAttempt(bucket, nowMs + 60_000)).toBe(true);
    expect(await store.takeAttempt(bucket, nowMs + 60_000)).toBe(false);
    const later = await many(25, () => store.takeAttempt(bucket, nowMs + 86_400_000));
    expect(later.filter(Boolean).length).toBe(10);
  });

  test("of a function that died stop counting as pending after ten seconds", async () => {
    const bucket = bucketOf("died");
    await store.takeAttempt(bucket, nowMs);
    expect((await store.readBucket(bucket, nowMs + 9_999)).isUnderWay).toBe(true);
    expect((await store.readBucket(bucket, nowMs + 10_000)).isUnderWay).toBe(false);
  });

  test("cleared while pending leave no item behind", async () => {
    const bucket = bucketOf("cleared");
    await store.takeAttempt(bucket, nowMs);
    expect(await store.clearAttempts("cleared")).toBe(1);
    await store.endAttempt(bucket, { givesBack: true });
    expect(await store.clearAttempts("cleared")).toBe(0);
  });

  test("a known address stays known until its time ends, even if the table still has the item", async () => {
    await store.rememberSource("kept", "203.0.113.7", nowMs, 60);
    expect(await store.knownUntil("kept", "203.0.113.7", nowMs + 59_000)).toBe(nowMs / 1000 + 60);
    expect(await store.knownUntil("kept", "203.0.113.7", nowMs + 60_000)).toBeUndefined();
    expect(await store.knownUntil("kept", "203.0.113.8", nowMs)).toBeUndefined();
  });
});

describe("malformed Authorization headers", () => {
  const encode = (text: string | Uint8Array) => Buffer.from(text as string).toString("base64");
  const right = encode(`admin:${ADMIN_PASSWORD}`);

  test.each([
    ["no credentials", "Basic"],
    ["another scheme", `Bearer ${right}`],
    ["no scheme", right],
    ["broken base64", `Basic ${right.slice(0, 10)}*${right.slice(10)}`],
    ["no colon", `Basic ${encode("admin")}`],
    ["no name", `Basic ${encode(`:${ADMIN_PASSWORD}`)}`],
    ["no password", `Basic ${encode("admin:")}`],
    ["bytes that are no text", `Basic ${encode(Uint8Array.of(0x61, 0x3a, 0xff, 0xfe))}`],
    ["a line break in the name", `Basic ${encode(`admin\r\nX-Role: admin:${ADMIN_PASSWORD}`)}`],
    ["a key of the table in the name", `Basic ${encode(`USERS#admin:${ADMIN_PASSWORD}`)}`],
    ["a zero in the password", `Basic ${encode(`admin:${ADMIN_PASSWORD}\0`)}`],
    ["a password without end", `Basic ${encode(`admin:${"x".repeat(8000)}`)}`],
    ["a second pair", `Basic ${right}, Basic ${right}`],
  ])("%s: rejected", async (name, value) => {
    const from = `127.0.6.${1 + (name.length % 200)}`;
    expectTurnedAway(await send("/projects", { headers: ["Authorization", value], from }));
  });

  test("two headers, one of them right: rejected", async () => {
    const wrong = basic("admin", "wrong wrong wrong");
    const ok = basic("admin", ADMIN_PASSWORD);
    for (const headers of [
      [...ok, ...wrong],
      [...wrong, ...ok],
    ]) {
      expectTurnedAway(await send("/projects", { headers, from: "127.0.7.1" }));
    }
  });

  test("a role that the caller claims in a header is ignored", async () => {
    const headers = [
      ...basic("eve", await addUser("eve", "viewer")),
      ...["X-Role", "admin", "X-User", "admin", "role", "admin", "X-Amzn-Authorizer", '{"role":"admin"}'],
    ];
    const call = { method: "POST", headers, from: "127.0.7.2", body: '{"name":"mine"}' };
    expect((await send("/projects", call)).status).toBe(403);
  });
});

describe("a token", () => {
  const bearer = (token: string): string[] => ["Authorization", `Bearer ${token}`];
  async function issue(headers: readonly string[], from: string): Promise<string> {
    const answer = await send("/tokens", { method: "POST", headers, from });
    expect(answer.status, answer.body).toBe(201);
    expect(answer.headers["cache-control"]).toBe("no-store");
    return JSON.parse(answer.body).token;
  }

  test("takes the place of the password, is renewed by itself, and has the user's role", async () => {
    const from = "127.0.9.1";
    const password = await addUser("tilda", "viewer");
    const first = await issue(basic("tilda", password), from);
    const second = await issue(bearer(first), from);
    for (const token of [first, second]) {
      expect((await send("/projects", { headers: bearer(token), from })).status).toBe(200);
      const body = JSON.stringify({ name: "by a viewer" });
      const refused = await send("/projects", { method: "POST", headers: bearer(token), body, from });
      expect(refused.status).toBe(403);
    }
  });

  test("of the stack's first user is valid in every process, also while the user is locked out", async () => {
    const token = await issue(basic("admin", ADMIN_PASSWORD), "127.0.9.2");
    expect((await send("/projects", { headers: bearer(token), from: "127.0.9.3" })).status).toBe(200);
  });

  test.each([
    ["passwd", ["passwd", "theo"]],
    ["role", ["role", "theo", "viewer"]],
    ["remove", ["remove", "theo"]],
  ])("is revoked by `wirelab users %s`", async (name, change) => {
    const address = (last: number) => `127.0.${{ passwd: 10, role: 11, remove: 12 }[name]}.${last}`;
    const token = await issue(basic("theo", await addUser("theo", "editor")), address(1));
    expect((await send("/projects", { headers: bearer(token), from: address(2) })).status).toBe(200);
    expect((await users(change)).code).toBe(0);
    expectTurnedAway(await send("/projects", { headers: bearer(token), from: address(3) }));
    await users(["remove", "theo"]);
  });

  test("that is changed, signed by another stack, or none is refused, and counts as no guess", async () => {
    const from = "127.0.13.1";
    const password = await addUser("tara", "viewer");
    const [head, claims, signature] = (await issue(basic("tara", password), from)).split(".");
    const raised = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(claims!, "base64url").toString()), role: "admin" }),
    ).toString("base64url");
    for (const token of [`${head}.${raised}.${signature}`, `${head}.${claims}.`, `${head}.${claims}.AAAA`])
      for (const _ of Array.from({ length: 8 }))
        expectTurnedAway(await send("/projects", { headers: bearer(token), from }));
    expect(
      (await send("/version", { method: "POST", headers: basic("tara", password), from })).status,
    ).not.toBe(401);
  });

  test("opens a WebSocket as a subprotocol, which the service does not select", async () => {
    const token = await issue(basic("admin", ADMIN_PASSWORD), "127.0.9.4");
    const url = `${stack.url.replace(/^http/, "ws")}/v2/notifications/ws`;
    const opened = new WebSocket(url, ["wirelab", `wirelab.token.${token}`]);
    const [message] = await once(opened, "message");
    expect(JSON.parse(String(message)).action).toBe("ping");
    expect(opened.protocol).toBe("wirelab");
    opened.close();
    for (const protocols of [["wirelab"], ["wirelab", "wirelab.token.a.b.c"]]) {
      const refused = new WebSocket(url, protocols);
      const [error] = await once(refused, "error");
      expect(String(error)).toContain("403");
    }
  });
});

test("the authorizer admits and rejects under Lambda's runtime client, too", async () => {
  const password = await addUser("wim", "editor");
  const { functions, authorizers } = stack.template;
  const {
    bundleFolder,
    handler,
    environment: variables,
  } = functions[Object.values(authorizers)[0]!.functionId]!;
  const runtime = await startRuntime(bundleFolder, handler, { ...variables, ...environmentOf(stack) });
  const ask = async (attempt: string) => {
    const [name, value] = basic("wim", attempt);
    const { isStreamed, body, error } = await runtime.invoke({
      type: "REQUEST",
      methodArn: "arn:aws:execute-api:us-east-1:000000000000:local/v2/GET/projects",
      headers: { [name!]: value },
      requestContext: { requestId: "request-1", identity: { sourceIp: "127.0.9.1" } },
    });
    expect([isStreamed, error]).toEqual([false, undefined]);
    const { principalId, policyDocument } = JSON.parse(body.toString());
    return [principalId, policyDocument.Statement[0].Effect];
  };
  try {
    expect(await ask(password)).toEqual(["wim", "Allow"]);
    expect(await ask("wrong")).toEqual(["nobody", "Deny"]);
  } finally {
    await runtime.stop();
  }
});
