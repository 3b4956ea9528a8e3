/**
 * Interrupted runs. The lab runs in the test's process, through proxies that cut it off from its stores at every call in turn.
 * Afterwards the lab is in the state before the run or after it, and no packet is captured twice or lost.
 */

import { typeCommands } from "@wirelab/engine/simulation/actions";
import { ConsoleSession } from "@wirelab/engine/simulation/console-session";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RunPlan } from "../../functions/shared/run/run-lab.ts";
import type { LinkCounters } from "../../functions/shared/schemas/link.ts";
import type { Change } from "../../functions/shared/store/commit/run-changes.ts";
import { parsePcap } from "../helpers/captures/pcap.ts";
import { drawOf } from "../helpers/cases/draw.ts";
import { client, freshName } from "../helpers/service/lab.ts";
import {
  type BuiltLab,
  buildLab,
  type Call,
  type LabFile,
  readLabFile,
} from "../helpers/service/lab-file.ts";
import { localStack } from "../helpers/stack/this-stack.ts";
import { FaultPlan, type FaultProxy, startFaultProxy } from "../helpers/stores/fault-proxy.ts";
import { type Item, readPartition, writeItems } from "../helpers/stores/raw-items.ts";
import { danglingReferences, objectKeys } from "../helpers/stores/store-checker.ts";

const stack = localStack();
const plan = new FaultPlan();
const proxies: FaultProxy[] = [];
let lab: typeof import("../../functions/shared/run/run-lab.ts");
let access: typeof import("../../functions/shared/edge/access.ts");

beforeAll(async () => {
  const dynamodb = await startFaultProxy(stack.dynamodbEndpoint, plan);
  const s3 = await startFaultProxy(stack.s3Endpoint, plan);
  proxies.push(dynamodb, s3);
  Object.assign(process.env, {
    AWS_REGION: stack.region,
    AWS_ACCESS_KEY_ID: stack.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: stack.credentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    AWS_ENDPOINT_URL_S3: s3.url,
    AWS_MAX_ATTEMPTS: "1",
    TABLE_NAME: stack.tableName,
    BUCKET_NAME: stack.bucketName,
  });
  lab = await import("../../functions/shared/run/run-lab.ts");
  access = await import("../../functions/shared/edge/access.ts");
});

afterAll(() => {
  for (const proxy of proxies) proxy.close();
});

beforeEach(() => plan.clear());

const call: Call = async (method, path, body) => {
  const answer = await client.call(method, path, body === undefined ? {} : { body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.bytes}`);
  return answer.bytes.length > 0 ? answer.json : {};
};

const remaining = (): number => 29_000;

/** Runs console commands in the lab, in this process. */
async function run(built: BuiltLab, commands: Record<string, string[]>): Promise<Record<string, string>> {
  let sessions: [string, ConsoleSession][] = [];
  const planned: RunPlan = {
    read: "everything",
    schedule(simulation) {
      sessions = Object.entries(commands).map(([name, lines]) => [
        name,
        new ConsoleSession(built.nodes[name]!, lines),
      ]);
      for (const [, session] of sessions) simulation.schedule(0, typeCommands(session));
    },
  };
  await lab.runLab(access.SERVICE, built.projectId, planned, remaining);
  return Object.fromEntries(sessions.map(([name, { output }]) => [name, output]));
}

async function capturing(file: LabFile): Promise<{ built: BuiltLab; links: string[] }> {
  const built = await buildLab(call, file, { name: freshName() });
  await call("POST", `${built.path}/nodes/start`);
  const links = Object.values(built.links).map((id) => `${built.path}/links/${id}`);
  for (const link of links) await call("POST", `${link}/start_capture`, {});
  return { built, links };
}

/** The number of packets in every running capture, both from its file and from its own count. */
async function captured(links: readonly string[]): Promise<number[]> {
  return Promise.all(
    links.map(async (link) => {
      const [capture] = (await client.get(`${link}/captures`)).json;
      const file = await client.get(`${link}/captures/${capture.capture_id}/pcap`);
      const packets = parsePcap(file.bytes).length;
      expect(capture.packets).toBe(packets);
      return packets;
    }),
  );
}

/** The number of packets that every link has delivered, by its counters; the captures began after the first of them. */
async function counted({ path }: BuiltLab, links: readonly string[]): Promise<number[]> {
  const all: LinkCounters[] = (await client.get(`${path}/links/counters`)).json;
  const byLink = new Map(
    all.map(({ link_id, a_to_b, b_to_a }) => [link_id, a_to_b.delivered.packets + b_to_a.delivered.packets]),
  );
  return links.map((link) => byLink.get(link.split("/").at(-1)!)!);
}

const arpOf = async (built: BuiltLab, name: string): Promise<string> =>
  String(
    (await call("POST", `${built.path}/nodes/${built.nodes[name]}/console`, { commands: ["show arp"] }))
      .output,
  );

/** An ARP exchange before the echo exchanges. */
const ARP_PACKETS = 2;
/** Few packets are an item of the transaction that commits; more are an object, which is written before. */
const FEW = { ping: "ping 10.0.0.2 -c 2", echoes: 2, calls: ["TransactWriteItems"] };
const MANY_PACKETS = {
  ping: "ping 10.0.0.2 -c 12 -l 1400",
  echoes: 12,
  calls: [expect.stringMatching(/^PUT .*\/segments\//), "TransactWriteItems"],
};

describe("a run of a few nodes, killed at each of its calls that change something", () => {
  test.each([
    ["few packets", FEW, 0, "before"],
    ["few packets", FEW, 0, "after"],
    ["many packets", MANY_PACKETS, 0, "before"],
    ["many packets", MANY_PACKETS, 0, "after"],
    ["many packets", MANY_PACKETS, 1, "before"],
    ["many packets", MANY_PACKETS, 1, "after"],
  ] as const)("%s, %o: at call %i, %s its effect", async (_, { ping, echoes, calls }, index, moment) => {
    const { built, links } = await capturing(readLabFile("pair"));
    const [countedBefore] = await counted(built, links);
    plan.killAt(index, moment);
    await expect(run(built, { PC1: [ping] })).rejects.toThrow();
    expect(plan.struck).toBe(true);
    plan.clear();
    const [packets] = await captured(links);
    const happened = index === calls.length - 1 && moment === "after";
    expect(packets).toBe(happened ? ARP_PACKETS + 2 * echoes : 0);
    expect(await counted(built, links)).toEqual([countedBefore! + packets!]);
    for (const name of ["PC1", "PC2"]) {
      expect((await arpOf(built, name)).includes("expires in"), name).toBe(happened);
    }
    const { PC1 } = await run(built, { PC1: [ping] });
    expect(PC1!.match(/bytes from/g)).toHaveLength(echoes);
    const [afterwards] = await captured(links);
    expect(afterwards).toBe(ARP_PACKETS + (happened ? 4 : 2) * echoes);
    expect((await danglingReferences(stack)).filter((each) => each.includes(built.projectId))).toEqual([]);
  });

  test.each([
    ["few packets", FEW],
    ["many packets", MANY_PACKETS],
  ])("makes only these calls: %s, %o", async (_, { ping, calls }) => {
    const { built } = await capturing(readLabFile("pair"));
    plan.clear();
    await run(built, { PC1: [ping] });
    expect(plan.passed).toEqual(calls);
  });
});

/** Sixty pairs: more changes than fit one transaction. */
const MANY: LabFile = {
  description: "Sixty pairs of PCs",
  nodes: Array.from({ length: 120 }, (_, i) => ({
    name: `PC${i + 1}`,
    node_type: "vpcs",
    properties: { startup_script: `ip 10.0.0.${i + 1}/24` },
  })),
  links: Array.from({ length: 60 }, (_, i) => ({
    ends: [
      [`PC${2 * i + 1}`, 0],
      [`PC${2 * i + 2}`, 0],
    ],
  })),
};
/** Its runs change the captures of sixty links; the states of its PCs are an object. */
const CHANGES = 60;
const PINGS = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => [`PC${2 * i + 1}`, [`ping 10.0.0.${2 * i + 2} -c 1`]]),
);

describe("a run of many nodes", () => {
  test("loses no packet of captures that stop, nor the project, while it is written out", async () => {
    const { built, links } = await capturing(MANY);
    const few = links.slice(0, 12);
    const running = run(built, PINGS);
    const stops = few.map(async (link, i) => {
      await new Promise((resolve) => setTimeout(resolve, 40 * i));
      return client.post(`${link}/stop_capture`);
    });
    await running;
    for (const { status } of await Promise.all(stops)) expect(status).toBe(201);
    const packets = await captured(few);
    // The capture stopped before the run, or after it.
    for (const count of packets) expect([0, (await captured(links.slice(-1)))[0]]).toContain(count);
    expect((await client.get(`${built.path}/nodes`)).status).toBe(200);
  });

  test("is written out by one of many requests that find it unfinished", async () => {
    const { built, links } = await capturing(MANY);
    const { readItems } = await import("../../functions/shared/store/contents/read.ts");
    // These calls pass: the claim, the packets, the states, the changes, the commit.
    plan.killAt(5, "before");
    await run(built, PINGS);
    expect(plan.struck).toBe(true);
    plan.clear();
    const wanted = { links: Object.values(built.links) };
    const readers = Array.from({ length: 10 }, () => readItems(access.SERVICE, built.projectId, wanted));
    for (const found of await Promise.all(readers)) {
      expect(found.project!.pending).toBeUndefined();
      for (const link of found.links.values()) expect(link.capture!.segments).toBe(1);
    }
    // Each reader may try to claim the commit. The one that has it updates sixty links, and ends the commit. On a slow machine, a claim expires
    // in the midst, and another reader goes on; but not each of them writes all.
    const updates = plan.passed.filter((name) => name === "UpdateItem").length;
    expect(updates).toBeGreaterThanOrEqual(1 + CHANGES + 1);
    expect(updates).toBeLessThan(readers.length * CHANGES);
    expect(new Set(await captured(links))).toEqual(new Set([ARP_PACKETS + 2]));
  });

  const draw = drawOf(16);

  test(`is complete or rolled back after an interruption at any call${draw.note}`, async () => {
    const { built, links } = await capturing({ ...MANY, links: MANY.links });
    const few = links.slice(0, 5);
    const first = await run(built, PINGS);
    expect(Object.values(first).every((output) => output.includes("bytes from"))).toBe(true);
    const before = (await captured(few))[0]!;
    const uncaptured = (await counted(built, few)).map((count) => count - before);
    // From the second run on, each run makes the same calls.
    plan.clear();
    await run(built, PINGS);
    // The claim, the packets of all links, the states, the changes; the commit, the change of each link, the end of the commit.
    expect(plan.passed).toEqual([
      "UpdateItem",
      expect.stringMatching(/^PUT .*\/segments\//),
      expect.stringMatching(/^PUT .*\/states\//),
      expect.stringMatching(/^PUT .*\/commits\//),
      "TransactWriteItems",
      ...Array.from({ length: CHANGES }, () => "UpdateItem"),
      "UpdateItem",
      expect.stringMatching(/^POST .*\?delete/),
    ]);
    const committedAt = plan.passed.indexOf("TransactWriteItems");
    // The reader waits two seconds for a commit, so of the changes the first two, one in the midst and the last are interrupted.
    const among = [1, 2, CHANGES / 2, CHANGES].map((change) => committedAt + change);
    const steps = plan.passed
      .map((_, index) => index)
      .filter((index) => index <= committedAt || index > committedAt + CHANGES || among.includes(index));
    let runs = 1;
    for (const [nth, step] of steps.entries()) {
      for (const [turn, moment] of (["before", "after"] as const).entries()) {
        if (!draw.takes(2 * nth + turn)) continue;
        plan.killAt(step, moment);
        const outcome = await run(built, PINGS).then(
          () => "happened",
          () => "failed",
        );
        expect(plan.struck, `step ${step}`).toBe(true);
        plan.clear();
        // Once it is committed it is final, whichever request writes it out.
        expect(outcome, `${moment} step ${step}`).toBe(step > committedAt ? "happened" : "failed");
        if (step > committedAt || (step === committedAt && moment === "after")) runs += 1;
        // The reader completes the interrupted run.
        const expected = before + 2 * runs;
        expect(await captured(few), `${moment} step ${step}`).toEqual(few.map(() => expected));
        const delivered = uncaptured.map((count) => count + expected);
        expect(await counted(built, few), `counters, ${moment} step ${step}`).toEqual(delivered);
      }
    }
    const { PC1 } = await run(built, { PC1: ["show arp"] });
    expect(PC1).toContain("expires in");
    expect((await danglingReferences(stack)).filter((each) => each.includes(built.projectId))).toEqual([]);
  }, 240_000);
});

describe("a commit of whole items", () => {
  /** More items than a transaction holds. */
  const NOTES = 120;

  async function makeProject(): Promise<string> {
    return (await call("POST", "/projects", { name: freshName() })).project_id as string;
  }

  const noteKey = (number: number): string => `NOTE#${String(number).padStart(3, "0")}`;
  const isNote = ({ sk }: Item): boolean => String(sk).startsWith("NOTE#");

  async function store() {
    const { commitLarge } = await import("../../functions/shared/store/commit/commit.ts");
    const { readTopology } = await import("../../functions/shared/store/contents/read.ts");
    const { changeLater } = await import("../../functions/shared/store/commit/run-steps.ts");
    const read = async (projectId: string) =>
      (await readTopology(access.SERVICE, projectId, "links")).project!;
    return { commitLarge, changeLater, read };
  }

  const items = (projectId: string): Promise<Item[]> => readPartition(stack, `PROJECT#${projectId}`);
  const texts = async (projectId: string): Promise<Set<unknown>> =>
    new Set((await items(projectId)).filter(isNote).map(({ text }) => text));

  const puts = (text: string): Change[] =>
    Array.from({ length: NOTES }, (_, number) => ({ kind: "put", sk: noteKey(number), item: { text } }));

  test("is made by the next reader, or not at all, after an interruption at any call", async () => {
    const { commitLarge, read } = await store();
    const projectId = await makeProject();
    await commitLarge(await read(projectId), puts("0"), { added: { node_count: 1 } });
    plan.clear();
    await commitLarge(await read(projectId), puts("1"), { added: { node_count: 1 } });
    // The object, the commit, two transactions of changes, the end of the commit, and of the object.
    expect(plan.passed).toHaveLength(6);
    const committedAt = plan.passed.indexOf("TransactWriteItems");
    let commits = 2;
    for (let step = 0; step < 6; step++) {
      for (const moment of ["before", "after"] as const) {
        const project = await read(projectId);
        plan.killAt(step, moment);
        const committed = await commitLarge(project, puts(String(commits)), {
          added: { node_count: 1 },
        }).catch(() => undefined);
        plan.clear();
        expect(committed, `${moment} step ${step}`).toBe(step > committedAt ? true : undefined);
        if (step > committedAt || (step === committedAt && moment === "after")) commits += 1;
        expect(await read(projectId)).toMatchObject({ run: commits, node_count: commits });
        expect(await texts(projectId), `${moment} step ${step}`).toEqual(new Set([String(commits - 1)]));
      }
    }
    expect((await items(projectId)).filter(isNote)).toHaveLength(NOTES);
    // It counts nodes that it does not have.
    await client.delete(`/projects/${projectId}`);
  });

  test("deletes items as it writes them", async () => {
    const { commitLarge, read } = await store();
    const projectId = await makeProject();
    await commitLarge(await read(projectId), puts("old"), {});
    const changes = puts("new").map((change, number): Change => {
      return number % 2 === 0 ? { kind: "delete", sk: noteKey(number) } : change;
    });
    await commitLarge(await read(projectId), changes, {});
    expect(await texts(projectId)).toEqual(new Set(["new"]));
    expect((await items(projectId)).filter(isNote)).toHaveLength(NOTES / 2);
  });

  test("is not repeated over later changes, deletions and creations", async () => {
    const { commitLarge, changeLater, read } = await store();
    const projectId = await makeProject();
    const changes: Change[] = [
      { kind: "put", sk: "NOTE#changed", item: { text: "restored" } },
      { kind: "put", sk: "NOTE#deleted", item: { text: "restored" } },
      { kind: "delete", sk: "NOTE#created" },
    ];
    const before = await read(projectId);
    await commitLarge(before, changes, {});
    await writeItems(stack, `PROJECT#${projectId}`, {
      "NOTE#changed": { text: "later", state_run: 1 },
      "NOTE#deleted": undefined,
      "NOTE#created": { text: "later" },
    });
    const attempt = crypto.randomUUID();
    await changeLater({ project_id: projectId, attempt }, { run: 1, changes });
    expect((await items(projectId)).filter(isNote).map(({ sk, text }) => [sk, text])).toEqual([
      ["NOTE#changed", "later"],
      ["NOTE#created", "later"],
    ]);
  });

  test("keeps a later change of an item that it has written, while other items are still to be written", async () => {
    const { commitLarge, read } = await store();
    const projectId = await makeProject();
    const project = await read(projectId);
    // The object, the commit and the first transaction pass.
    plan.killAt(3, "before");
    await commitLarge(project, puts("restored"), {});
    plan.clear();
    await writeItems(stack, `PROJECT#${projectId}`, { [noteKey(0)]: { text: "later", state_run: 1 } });
    await read(projectId);
    const notes = (await items(projectId)).filter(isNote);
    expect(notes).toHaveLength(NOTES);
    expect(notes.filter(({ text }) => text === "later").map(({ sk }) => sk)).toEqual([noteKey(0)]);
  });

  test("refuses a commit over a lab that changed since it was read, and leaves no object", async () => {
    const { commitLarge, read } = await store();
    const projectId = await makeProject();
    const project = await read(projectId);
    await commitLarge(project, puts("first"), {});
    expect(await commitLarge(project, puts("second"), {})).toBe(false);
    await call("POST", `/projects/${projectId}/nodes`, {
      name: "PC1",
      node_type: "vpcs",
      compute_id: "local",
    });
    const [earlier, now] = [{ ...(await read(projectId)), node_count: 0 }, await read(projectId)];
    expect(await commitLarge(earlier, puts("third"), { asRead: ["node_count"] })).toBe(false);
    expect(await texts(projectId)).toEqual(new Set(["first"]));
    expect((await objectKeys(stack)).filter((key) => key.startsWith(`commits/${projectId}/`))).toEqual([]);
    expect(now.run).toBe(1);
  });

  test("reports a commit whose changes are lost, and deletes the project all the same", async () => {
    const { commitLarge, read } = await store();
    const projectId = await makeProject();
    const project = await read(projectId);
    plan.killAt(2, "before");
    await commitLarge(project, puts("lost"), {});
    plan.clear();
    const { deletePrefix } = await import("../../functions/shared/store/base/objects.ts");
    await deletePrefix(`commits/${projectId}/`);
    await expect(read(projectId)).rejects.toMatchObject({ code: "store.damaged" });
    expect((await client.delete(`/projects/${projectId}`)).status).toBe(204);
  });

  test("writes nothing into a project that is being deleted", async () => {
    const { commitLarge, changeLater, read } = await store();
    const { markProjectDeleting } = await import("../../functions/shared/store/project/project.ts");
    const projectId = await makeProject();
    const project = await read(projectId);
    plan.killAt(2, "before");
    await commitLarge(project, puts("late"), {});
    plan.clear();
    const [{ pending }] = (await items(projectId)).filter(({ sk }) => sk === "META") as [Item];
    await markProjectDeleting(project);
    await changeLater({ project_id: projectId, attempt: pending }, { run: 1, changes: puts("late") });
    expect((await items(projectId)).filter(isNote)).toEqual([]);
  });
});
