/** The counters and the conditions of the store, in an embedded table. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SERVICE } from "../../../../functions/shared/edge/access.ts";
import { startDynamoDb } from "../../../../infra/local/dynamodb/start.ts";
import type { EmbeddedServer } from "../../../../infra/local/embedded-server.ts";
import { provisionTables } from "../../../../infra/local/provision.ts";
import { EMBEDDED_CREDENTIALS } from "../../../../infra/local/s3/s3-request.ts";

const TABLE_NAME = "counters";
const PROPERTIES = {
  BillingMode: "PAY_PER_REQUEST",
  KeySchema: [
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ],
  AttributeDefinitions: ["pk", "sk"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
};

let server: EmbeddedServer;
let store: Awaited<ReturnType<typeof load>>;

const load = async () => ({
  ...(await import("../../../../functions/shared/store/base/transact.ts")),
  ...(await import("../../../../functions/shared/store/idempotency/kept-answers.ts")),
  ...(await import("../../../../functions/shared/store/lab/link.ts")),
  ...(await import("../../../../functions/shared/store/lab/node.ts")),
  ...(await import("../../../../functions/shared/store/limits/counter.ts")),
  ...(await import("../../../../functions/shared/store/limits/pace.ts")),
  ...(await import("../../../../functions/shared/store/limits/symbol-usage.ts")),
  ...(await import("../../../../functions/shared/store/limits/user-usage.ts")),
  ...(await import("../../../../functions/shared/store/commit/commit.ts")),
  ...(await import("../../../../functions/shared/store/project/create-project.ts")),
  ...(await import("../../../../functions/shared/store/project/project.ts")),
  ...(await import("../../../../functions/shared/store/contents/read.ts")),
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
    BUCKET_NAME: "none",
    QUOTA_PROJECTS: "2",
    RUNS_PER_MINUTE: "2",
    QUOTA_KEPT_ANSWER_BYTES: "5000",
    QUOTA_SYMBOL_BYTES: "10",
  });
  store = await load();
});

afterAll(() => server.stop());

describe("a counter", () => {
  test("counts up to its limit, and again after a subtraction", async () => {
    const counted = () => store.holdsAll([store.countProject("ann")]);
    expect([await counted(), await counted(), await counted()]).toEqual([true, true, false]);
    await store.holdsAll([store.uncountProject("ann")]);
    expect(await store.readCounter({ pk: "USAGE#ann", sk: "PROJECTS" })).toMatchObject({ project_count: 1 });
    expect(await counted()).toBe(true);
  });

  test("refuses an amount above the limit at once", async () => {
    expect(await store.mayKeep("bob", 5_001)).toBe(false);
    expect(await store.mayKeep("bob", 3_000)).toBe(true);
    expect(await store.mayKeep("bob", 3_000)).toBe(false);
    expect(await store.mayKeep("bob", 2_000)).toBe(true);
  });

  test("of the current minute returns when to retry", async () => {
    // More than two minutes' worth: at least one call is over the limit, whatever minute each of them is in.
    const taken = await Promise.all(Array.from({ length: 5 }, () => store.runPace.take("cat")));
    const refused = taken.filter(({ retryAfterS }) => retryAfterS !== undefined);
    expect(refused.length).toBeGreaterThan(0);
    for (const { limit, retryAfterS } of refused) {
      expect(limit).toBe(2);
      expect(retryAfterS).toBeGreaterThan(0);
      expect(retryAfterS).toBeLessThanOrEqual(60);
    }
  });

  test("of several figures has room for all or counts none", async () => {
    const add = (symbol_count: number, symbol_bytes: number) =>
      store.holdsAll([store.countSymbol({ added: { symbol_count, symbol_bytes } })]);
    expect(await add(1, 8)).toBe(true);
    expect(await add(1, 3)).toBe(false);
    expect(await add(-1, -8)).toBe(true);
    expect(await store.readCounter({ pk: "SYMBOLS", sk: "USAGE#SYMBOLS" })).toMatchObject({
      symbol_count: 0,
      symbol_bytes: 0,
    });
  });

  test("is counted anew only from the bytes that were read", async () => {
    const counter = { pk: "USAGE#dan", sk: "BYTES" };
    expect(await store.recount(counter, {}, { bytes: 5 })).toBe(true);
    expect(await store.recount(counter, {}, { bytes: 6 })).toBe(false);
    expect(await store.recount(counter, { bytes: 5 }, { bytes: 7 })).toBe(true);
    expect(await store.readCounter(counter)).toMatchObject({ bytes: 7 });
  });
});

describe("a project", () => {
  const settings = { variables: [], shared_with: [], expires_at: null } as never;

  const create = (name: string) =>
    store.createProject(SERVICE, { project_id: crypto.randomUUID(), name }, settings);

  test("is created once under a name, and once under an id", async () => {
    const made = await create("one");
    await expect(create("one")).rejects.toMatchObject({ code: "project.name-taken" });
    const { project_id } = (made as { project: { project_id: string } }).project;
    const again = store.createProject(SERVICE, { project_id, name: "other" }, settings);
    expect(await again).toBe("id-taken");
  });

  test("commits a run once from what was read, and not while it is being deleted", async () => {
    const made = (await create("runs")) as {
      project: import("../../../../functions/shared/store/project/project.ts").ProjectItem;
    };
    expect(await store.commitRun(made.project, 1, [])).toBe(true);
    expect(await store.commitRun(made.project, 2, [])).toBe(false);
    const read = async () => (await store.getProject(SERVICE, made.project.project_id))!;
    expect(await read()).toMatchObject({ run: 1, clock_us: 1 });
    expect(await store.markProjectDeleting(made.project)).toBe(true);
    expect(await store.commitRun(await read(), 3, [])).toBe(false);
    expect(await store.isLeaving(made.project)).toBe(true);
    await store.forgetProject(made.project);
    expect(await store.isLeaving(made.project)).toBe(false);
  });
});
