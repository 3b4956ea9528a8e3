/**
 * What a request that was interrupted leaves behind, and which later request repairs it. The test calls the store's own steps one
 * by one, in its process, against the service's table and bucket.
 */
import { randomBytes } from "node:crypto";
import { ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { headerOf } from "@wirelab/engine/link/capture-header";
import { beforeAll, describe, expect, test } from "vitest";
import { SERVICE } from "../../functions/shared/edge/access.ts";
import { makeBulkyPcap, makePcap, parsePcap } from "../helpers/captures/pcap.ts";
import { perform } from "../helpers/service/in-process.ts";
import { client, makePair, type Pair } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";
import { readPartition } from "../helpers/stores/raw-items.ts";

type Store = {
  capture: typeof import("../../functions/shared/store/lab/capture.ts");
  file: typeof import("../../functions/shared/store/lab/capture-file.ts");
  project: typeof import("../../functions/shared/store/project/project.ts");
  read: typeof import("../../functions/shared/store/contents/read.ts");
  replay: typeof import("../../functions/links/replay.ts");
  record: typeof import("../../functions/links/record.ts");
  tap: typeof import("../../functions/shared/run/tap.ts");
};
let store: Store;
let s3: S3Client;
const stack = localStack();

beforeAll(async () => {
  Object.assign(process.env, {
    AWS_REGION: stack.region,
    AWS_ACCESS_KEY_ID: stack.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: stack.credentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: stack.dynamodbEndpoint,
    AWS_ENDPOINT_URL_S3: stack.s3Endpoint,
    TABLE_NAME: stack.tableName,
    BUCKET_NAME: stack.bucketName,
  });
  s3 = new S3Client({});
  store = {
    capture: await import("../../functions/shared/store/lab/capture.ts"),
    file: await import("../../functions/shared/store/lab/capture-file.ts"),
    project: await import("../../functions/shared/store/project/project.ts"),
    read: await import("../../functions/shared/store/contents/read.ts"),
    replay: await import("../../functions/links/replay.ts"),
    record: await import("../../functions/links/record.ts"),
    tap: await import("../../functions/shared/run/tap.ts"),
  };
});

const objects = async (prefix: string): Promise<string[]> => {
  const { Contents = [] } = await s3.send(
    new ListObjectsV2Command({ Bucket: stack.bucketName, Prefix: prefix }),
  );
  return Contents.map((object) => object.Key!);
};
const linkOf = async ({ projectId, linkId }: Pair) =>
  (await store.read.readItems(SERVICE, projectId, { links: [linkId] })).links.get(linkId)!;

const projectOf = async ({ projectId }: Pair) => (await store.project.getProject(SERVICE, projectId))!;

/** A replay of one packet that is not committed yet. */
async function replayOf(pair: Pair, packet = new Uint8Array(60)) {
  const [project, link] = [await projectOf(pair), await linkOf(pair)];
  const tap = store.tap.makeTap({ tap: store.tap.tapOf(link.capture!) })!;
  tap.offer(0, packet, packet.length);
  const startNs = store.record.startOfRun(project, link.capture);
  const { link_id, created_us } = link;
  const traffic = { link_id, created_us, a_to_b: [1, 60, 1, 60, 0, 0], b_to_a: [0, 0, 0, 0, 0, 0] } as const;
  return { project, link, tap, startNs, spanNs: 0, traffic, receipt: undefined };
}

/** A pair with a capture of `runs` runs of three packets each, which are an object; with `makePcap` they are an item. */
async function capturing(runs: number, make = makeBulkyPcap): Promise<Pair> {
  const pair = await makePair();
  await client.post(`${pair.link}/start_capture`, {});
  for (let run = 0; run < runs; run++) await client.call("POST", `${pair.link}/replay`, { raw: make(3) });
  return pair;
}

describe("a stop that died before the capture was one object", () => {
  test("leaves the capture whole, and the next stop finishes it", async () => {
    const pair = await capturing(2);
    const stopped = (await store.capture.stopCapture(await linkOf(pair)))!;
    expect((await client.get(pair.link)).json.capturing).toBe(false);
    const path = `${pair.link}/captures/${stopped.capture_id}`;
    const before = (await client.get(`${path}/packets`)).json;
    expect(before).toMatchObject({ total: 6, more: false });
    expect(await objects(`segments/${pair.projectId}/`)).toHaveLength(2);
    expect(await objects(`captures/${pair.projectId}/`)).toHaveLength(0);

    expect((await client.post(`${pair.link}/stop_capture`)).status).toBe(201);
    expect(await objects(`captures/${pair.projectId}/`)).toHaveLength(1);
    expect(parsePcap((await client.get(`${path}/pcap`)).bytes)).toHaveLength(6);
    expect((await client.get(`${path}/packets`)).json).toEqual(before);
  });

  test("is repaired by the first download", async () => {
    const pair = await capturing(9);
    const stopped = (await store.capture.stopCapture(await linkOf(pair)))!;
    const path = `${pair.link}/captures/${stopped.capture_id}/pcap`;
    const files = await Promise.all([client.get(path), client.get(path)]);
    for (const { bytes } of files) expect(parsePcap(bytes)).toHaveLength(27);
    expect(await objects(`captures/${pair.projectId}/`)).toHaveLength(1);
    const [capture] = await store.capture.listCaptures(pair.projectId);
    expect(capture).toMatchObject({ stored: true });
  });
});

describe("a reader of a capture", () => {
  /** As many segments as fill two pages, and some more. */
  const RUNS = 2 * 8 + 3;

  /** Reads a capture of RUNS runs: the first `before` of them, then the stop and `removes`, then the rest. */
  async function readAcross(
    before: number,
    removes: (pair: Pair) => Promise<void>,
    make = makeBulkyPcap,
  ): Promise<void> {
    const pair = await capturing(before, make);
    const early = (await linkOf(pair)).capture!;
    const cursor = new store.file.CaptureCursor(
      { ...early, project_id: pair.projectId, link_id: pair.linkId },
      headerOf({ data_link_type: "DLT_EN10MB" }),
    );
    const parts: Uint8Array[] = [];
    for await (const part of cursor.readUntil(early)) parts.push(part);
    for (let run = before; run < RUNS; run++)
      await client.call("POST", `${pair.link}/replay`, { raw: make(3) });
    const late = (await linkOf(pair)).capture!;
    await client.post(`${pair.link}/stop_capture`);
    await removes(pair);
    for await (const part of cursor.readUntil(late)) parts.push(part);
    const file = await client.get(`${pair.link}/captures/${early.capture_id}/pcap`);
    expect(parsePcap(file.bytes)).toHaveLength(3 * RUNS);
    expect(Buffer.concat(parts).equals(file.bytes)).toBe(true);
  }

  test.each([2, 8, 11])(
    "continues in the stored object when the pages are deleted, after %i segments",
    (before) => readAcross(before, async () => {}),
  );

  test.each([2, 8, 11])(
    "continues in the stored object when the items are deleted, after %i segments",
    (before) => readAcross(before, async () => {}, makePcap),
  );

  test("continues in the stored object when the segments' objects are deleted", () =>
    readAcross(RUNS - 1, async ({ projectId }) => {
      const { deletePrefix } = await import("../../functions/shared/store/base/objects.ts");
      await deletePrefix(`segments/${projectId}/`);
    }));

  test.each([1, 7, 8, 9, 16, 17])("finds all of %i segments, from wherever it starts", async (runs) => {
    const { listSegments } = await import("../../functions/shared/store/lab/segment.ts");
    const pair = await capturing(runs);
    const capture = (await linkOf(pair)).capture!;
    expect(capture.recent.length).toBe(runs % 8 || 8);
    const all = (await listSegments(pair.projectId, capture.capture_id, capture))!;
    expect(new Set(all.map(({ object_id }) => object_id)).size).toBe(runs);
    for (let from = 0; from <= runs; from++) {
      expect(await listSegments(pair.projectId, capture.capture_id, capture, from)).toEqual(all.slice(from));
    }
    const file = await client.get(`${pair.link}/captures/${capture.capture_id}/pcap`);
    expect(parsePcap(file.bytes)).toHaveLength(3 * runs);
  });
});

describe("a run that died before it was committed", () => {
  test("leaves an object that no capture refers to", async () => {
    const pair = await capturing(1);
    const { segmentsKey } = await import("../../functions/shared/store/lab/capture-objects.ts");
    const { putObject } = await import("../../functions/shared/store/base/objects.ts");
    const { capture_id } = (await linkOf(pair)).capture!;
    const key = segmentsKey(pair.projectId, crypto.randomUUID());
    await putObject(key, Buffer.alloc(76), "application/octet-stream");
    await client.post(`${pair.link}/stop_capture`);
    const { bytes } = await client.get(`${pair.link}/captures/${capture_id}/pcap`);
    expect(parsePcap(bytes)).toHaveLength(3);
    expect(await objects(`segments/${pair.projectId}/`)).toContain(key);
  });

  test.each([
    { size: 60, packets: "an item", segments: 0, items: 1 },
    { size: 8_000, packets: "an object", segments: 1, items: 0 },
  ])("that lost a race for one place leaves nothing; $packets", async ({ size, segments, items }) => {
    const pair = await capturing(0);
    const replayed = await replayOf(pair, randomBytes(size));
    const committed = await Promise.all([1, 2, 3].map(() => store.record.record(replayed)));
    expect(committed.filter(Boolean)).toHaveLength(1);
    const [counters] = (await client.get(`${pair.path}/links/counters`)).json;
    expect(counters.a_to_b.delivered).toEqual({ packets: 1, bytes: 60 });
    expect((await linkOf(pair)).capture).toMatchObject({ segments: 1, packets: 1, bytes: 16 + size });
    expect(await objects(`segments/${pair.projectId}/`)).toHaveLength(segments);
    const stored = await readPartition(stack, `PROJECT#${pair.projectId}`);
    expect(stored.filter(({ sk }) => sk.startsWith("PACKETS#"))).toHaveLength(items);
    await client.delete(pair.path);
  });

  test("and has nothing to commit once it has the turn releases the turn", async () => {
    const pair = await capturing(0);
    const { projectId: project_id, linkId: link_id } = pair;
    await store.project.takeTurn(project_id, "another request", Date.now() + 60_000);
    // Its first attempt reads the running capture, before the capture stops.
    const replayed = perform(store.replay.replay, { params: { project_id, link_id }, body: makePcap(3) });
    expect((await client.post(`${pair.link}/stop_capture`)).status).toBe(201);
    await store.project.leaveTurn(project_id, "another request");
    expect(parsePcap((await replayed) as Buffer)).toHaveLength(3);
    expect((await projectOf(pair)).turn).toBeUndefined();
  });

  test("because another run ended meanwhile does not set the lab's clock back", async () => {
    const pair = await capturing(0);
    const replayed = await replayOf(pair);
    expect((await client.post(`${pair.path}/run`, { duration: 3600 })).status).toBe(200);
    const clock = (await projectOf(pair)).clock_us!;
    expect(replayed.startNs).toBeLessThan(BigInt(clock) * 1000n);
    expect(await store.record.record(replayed)).toBe(false);
    expect((await projectOf(pair)).clock_us).toBe(clock);
    expect(await objects(`segments/${pair.projectId}/`)).toHaveLength(0);
    expect((await linkOf(pair)).capture).toMatchObject({ segments: 0 });
  });
});

describe("a deletion of a project", () => {
  test("removes its objects, even if they need more than one listing", async () => {
    const pair = await capturing(1);
    const { segmentsKey } = await import("../../functions/shared/store/lab/capture-objects.ts");
    const { putObject } = await import("../../functions/shared/store/base/objects.ts");
    const put = () =>
      putObject(segmentsKey(pair.projectId, crypto.randomUUID()), Buffer.alloc(1), "text/plain");
    for (let n = 1; n < 1100; n += 50) await Promise.all(Array.from({ length: 50 }, put));
    expect(await objects(`segments/${pair.projectId}/`)).toHaveLength(1000);
    expect((await client.delete(pair.path)).status).toBe(204);
    expect(await objects(`segments/${pair.projectId}/`)).toEqual([]);
  });
});

describe("an interrupted deletion of a project", () => {
  test("hides the project at once, and continues when it is requested again", async () => {
    const pair = await capturing(2);
    await client.post(`${pair.link}/stop_capture`);
    await client.post(`${pair.link}/start_capture`, {});
    await client.call("POST", `${pair.link}/replay`, { raw: makePcap(1) });
    const project = (await store.project.getProject(SERVICE, pair.projectId))!;
    await store.project.markProjectDeleting(project);

    expect((await client.get(pair.path)).status).toBe(404);
    expect((await client.get(`${pair.path}/nodes`)).status).toBe(404);
    expect((await client.get(pair.link)).status).toBe(404);
    const listed = (await client.get("/projects")).json.map(
      (each: { project_id: string }) => each.project_id,
    );
    expect(listed).not.toContain(pair.projectId);
    expect((await client.post("/projects", { name: "x", project_id: pair.projectId })).status).toBe(409);
    expect((await client.post("/projects", { name: project.name })).status).toBe(201);
    const node = { name: "PC9", node_type: "vpcs", compute_id: "local" };
    expect((await client.post(`${pair.path}/nodes`, node)).status).toBe(404);

    expect((await client.delete(pair.path)).status).toBe(204);
    expect((await client.delete(pair.path)).status).toBe(404);
    expect(await objects(`segments/${pair.projectId}/`)).toEqual([]);
    expect(await objects(`captures/${pair.projectId}/`)).toEqual([]);
    const left = await store.read.readTopology(SERVICE, pair.projectId, "topology");
    expect(left).toEqual({ project: undefined, nodes: [], links: [] });
  });
});
