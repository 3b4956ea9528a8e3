/**
 * A data folder that an earlier release has written, opened with the code of now: each item is there, and labs go on. test/fixtures/README.md
 * says how the folder was made.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LocalStack } from "../../infra/local/local-stack.ts";
import { parsePcap } from "../helpers/captures/pcap.ts";
import type { MadePair } from "../helpers/data-folder/fill.ts";
import { countKinds, declaredKinds } from "../helpers/data-folder/kinds.ts";
import { FIXTURES, openCopy, readRecord } from "../helpers/data-folder/open.ts";
import { type Reading, toComparable } from "../helpers/data-folder/readings.ts";
import { type Json, ServiceUser } from "../helpers/data-folder/service-user.ts";
import { localStack } from "../helpers/stack/this-stack.ts";

const NAME = "data-688afe86";
const ARCHIVE = `${FIXTURES}/${NAME}.tar.gz`;
const record = readRecord(NAME);

/** Kinds that the folder has no item of, each with the reason. A kind that a later release adds is listed here with that release. */
const NOT_IN_FOLDER: Readonly<Record<string, string>> = {
  any: "no kind of its own: it reads and writes items of the other kinds",
  deletion: "deletions that can be undone came later",
  namespace: "namespaces came later",
  packets: "packets in items came later",
  "token-keys": "tokens came later",
};

/** An answer with its path, so that a difference names it. */
const shown = ({ path, answer }: Pick<Reading, "path" | "answer">) => ({ path, answer });

/** Reads what the record has. @returns what differs from it; a later release may show more. */
async function expectAll(user: ServiceUser, readings: readonly Reading[]): Promise<void> {
  expect(readings.length).toBeGreaterThan(0);
  for (const reading of readings) {
    const reply = await user.send("GET", reading.path);
    expect(reply.status, `${reading.path}: ${reply.bytes.toString("utf8", 0, 300)}`).toBe(200);
    const answer = toComparable(reading.path, reply);
    // Releases add built-in symbols.
    if (reading.path === "/symbols") expect(answer).toEqual(expect.arrayContaining(reading.answer));
    else expect({ path: reading.path, answer }).toMatchObject(shown(reading));
  }
}

const of = (name: string | undefined): Reading[] => record.readings.filter(({ user }) => user === name);

const typeOn = async (user: ServiceUser, { project, pc }: MadePair, ...commands: string[]): Promise<string> =>
  (await user.post(`${project}/nodes/${pc}/console`, { commands })).output;

/** The lab remembers what its runs have learned, goes on, and its running capture goes on with it. */
async function expectGoesOn(user: ServiceUser, pair: MadePair): Promise<void> {
  const packets = async () =>
    parsePcap((await user.send("GET", `${pair.link}/captures/${id}/pcap`)).bytes).length;
  const [{ capture_id: id }] = await user.get(`${pair.link}/captures`);
  const before = await packets();
  expect(before).toBeGreaterThan(0);
  const output = await typeOn(user, pair, "history", "ping 10.0.0.2 -c 1");
  expect(output).toContain("ping 10.0.0.2 -c 1\n");
  expect(output).toContain("84 bytes from 10.0.0.2 icmp_seq=1");
  expect(await packets()).toBeGreaterThan(before);
  await user.post(`${pair.link}/stop_capture`);
  expect(await packets()).toBeGreaterThan(before);
}

describe("without sign-in", () => {
  let stack: LocalStack;
  let caller: ServiceUser;
  beforeAll(async () => {
    stack = await openCopy(ARCHIVE, { synth: localStack().assembly });
    caller = new ServiceUser(stack);
  });
  afterAll(() => stack?.stop());

  test("the folder has an item of each kind that the store declares", async () => {
    const kinds = await countKinds(stack);
    const missing = declaredKinds().filter((kind) => kinds[kind] === undefined);
    expect(missing.toSorted()).toEqual(Object.keys(NOT_IN_FOLDER).toSorted());
    expect(declaredKinds().length).toBeGreaterThan(40);
  });

  test("everything that callers could read is the same", () => expectAll(caller, of(undefined)));

  test("the lab of callers without names goes on", () => expectGoesOn(caller, record.withoutUsers));
});

describe("with users", () => {
  let stack: LocalStack;
  let admin: ServiceUser;
  const userOf = (name: string) => new ServiceUser(stack, name, record.passwords[name]!);
  beforeAll(async () => {
    stack = await openCopy(ARCHIVE, { auth: "basic" });
    admin = new ServiceUser(stack, "admin", stack.firstUser!.password!);
    for (const name of Object.keys(record.passwords)) await userOf(name).get("/projects");
  });
  afterAll(() => stack?.stop());

  test("the admin reads what callers without names could read", () => expectAll(admin, of(undefined)));

  test("users sign in with their passwords and see what they could see", async () => {
    for (const name of Object.keys(record.passwords))
      expect((await userOf(name).get("/projects")).length, name).toBeGreaterThan(0);
    const { status } = await new ServiceUser(stack, "editor", "another password").send("GET", "/projects");
    expect(status).toBe(401);
  });

  test("a request that is repeated with its idempotency key is not carried out again", async () => {
    const { project } = record.made.pair;
    const headers = { "idempotency-key": "shared" };
    const body = { name: "Shared", shared_with: [{ user: "viewer", role: "viewer" }] };
    const again = await userOf("editor").ask("POST", "/projects", { body, headers });
    expect(`/projects/${again.project_id}`).toBe(project);
  });

  test("a pair of PCs goes on, with its running capture", () =>
    expectGoesOn(userOf("editor"), record.made.pair));

  test("the lab with all nodes goes on: leases, connections and tables are there", async () => {
    const editor = userOf("editor");
    const { lab } = record.made;
    const [pc] = (await editor.get(`${lab}/nodes`)).filter(({ name }: Json) => name === "PC1");
    const output = await typeOn(
      editor,
      { project: lab, pc: pc.node_id, link: "" },
      "show ip",
      "ping 10.1.0.2 -c 1",
    );
    expect(output).toMatch(/IP\/MASK +: 10\.1\.0\.100\/24/);
    expect(output).toContain("84 bytes from 10.1.0.2 icmp_seq=1");
  });

  test("a snapshot is restored, and what was exported is imported", async () => {
    const editor = userOf("editor");
    const { lab } = record.made;
    const nodes = (await editor.get(`${lab}/nodes`)).length;
    const [{ snapshot_id }] = await editor.get(`${lab}/snapshots`);
    await editor.post(`${lab}/snapshots/${snapshot_id}/restore`);
    expect((await editor.get(`${lab}/nodes`)).length).toBe(nodes);
    const { status, bytes } = await editor.send("GET", `${lab}/export?include_snapshots=yes`);
    expect(status).toBe(200);
    const copy = `/projects/${crypto.randomUUID()}`;
    await editor.ask("POST", `${copy}/import?name=Imported`, { raw: bytes });
    expect((await editor.get(`${copy}/nodes`)).length).toBe(nodes);
    expect(await editor.get(`${copy}/snapshots`)).toHaveLength(1);
  });

  test("a project with everything in it is deleted", async () => {
    const { lab } = record.made;
    expect((await userOf("editor").send("DELETE", lab)).status).toBe(204);
    expect((await admin.get("/projects")).some(({ project_id }: Json) => lab.endsWith(project_id))).toBe(
      false,
    );
  });
});
