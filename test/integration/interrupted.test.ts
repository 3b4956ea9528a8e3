/**
 * What a request leaves that dies half-way, and who makes up for it. The store's own steps are called one by one, in
 * the test's process, against the service's table and bucket.
 */
import { ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { asService } from "../../functions/api/access.ts";
import { captureHeader } from "../../functions/engine/capture-header.ts";
import { client, makePair, type Pair } from "../helpers/lab.ts";
import { makePcap, parsePcap } from "../helpers/pcap.ts";

type Store = {
  capture: typeof import("../../functions/store/capture.ts");
  file: typeof import("../../functions/store/capture-file.ts");
  project: typeof import("../../functions/store/project.ts");
  read: typeof import("../../functions/store/read.ts");
};
let store: Store;
let s3: S3Client;
const stack = inject("localStack");

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
    capture: await import("../../functions/store/capture.ts"),
    file: await import("../../functions/store/capture-file.ts"),
    project: await import("../../functions/store/project.ts"),
    read: await import("../../functions/store/read.ts"),
  };
});

const objects = async (prefix: string): Promise<string[]> => {
  const { Contents = [] } = await s3.send(
    new ListObjectsV2Command({ Bucket: stack.bucketName, Prefix: prefix }),
  );
  return Contents.map((object) => object.Key!);
};
const linkOf = async ({ projectId, linkId }: Pair) =>
  (await asService(() => store.read.readItems(projectId, { links: [linkId] }))).links.get(linkId)!;

/** A pair whose capture holds `runs` runs of three packets. */
async function capturing(runs: number): Promise<Pair> {
  const pair = await makePair();
  await client.post(`${pair.link}/start_capture`, {});
  for (let run = 0; run < runs; run++) await client.call("POST", `${pair.link}/replay`, { raw: makePcap(3) });
  return pair;
}

describe("a stop that died before the capture was one object", () => {
  test("leaves the capture whole, and the next stop finishes it", async () => {
    const pair = await capturing(2);
    const stopped = (await store.capture.stopCapture(await linkOf(pair)))!;
    expect((await client.get(pair.link)).json.capturing).toBe(false);
    const path = `${pair.link}/captures/${stopped.capture_id}`;
    const before = await client.get(`${path}/pcap`);
    expect(parsePcap(before.bytes)).toHaveLength(6);
    expect(await objects(`segments/${pair.projectId}/`)).toHaveLength(2);

    expect((await client.post(`${pair.link}/stop_capture`)).status).toBe(201);
    expect(await objects(`segments/${pair.projectId}/`)).toEqual([]);
    expect(await objects(`captures/${pair.projectId}/`)).toHaveLength(1);
    expect((await client.get(`${path}/pcap`)).bytes.equals(before.bytes)).toBe(true);
  });
});

describe("a reader of a capture", () => {
  test("goes on in the stored object when the segments are gone", async () => {
    const pair = await capturing(4);
    const link = await linkOf(pair);
    const capture = link.capture!;
    const cursor = new store.file.CaptureCursor(
      { ...capture, project_id: pair.projectId },
      captureHeader("DLT_EN10MB"),
    );
    const parts: Uint8Array[] = [];
    for await (const part of cursor.readUntil(2)) parts.push(part);
    await client.post(`${pair.link}/stop_capture`);
    for await (const part of cursor.readUntil(4)) parts.push(part);
    const file = await client.get(`${pair.link}/captures/${capture.capture_id}/pcap`);
    expect(Buffer.concat(parts).equals(file.bytes)).toBe(true);
  });
});

describe("a run that died before it was committed", () => {
  test("leaves an object that no capture has, and that the stop removes", async () => {
    const pair = await capturing(1);
    const { segmentKey } = await import("../../functions/store/capture-objects.ts");
    const { putObject } = await import("../../functions/store/objects.ts");
    const { capture_id } = (await linkOf(pair)).capture!;
    await putObject(segmentKey(pair.projectId, capture_id, 1), Buffer.alloc(76), "application/octet-stream");
    await client.post(`${pair.link}/stop_capture`);
    const { bytes } = await client.get(`${pair.link}/captures/${capture_id}/pcap`);
    expect(parsePcap(bytes)).toHaveLength(3);
    expect(await objects(`segments/${pair.projectId}/`)).toEqual([]);
  });

  test("of two that race for one place the loser leaves nothing", async () => {
    const pair = await capturing(0);
    const link = await linkOf(pair);
    const content = { objectKey: "segments/x", packets: 1, bytes: 76, endNs: 1n };
    const committed = await Promise.all(
      [1, 2, 3].map(() => store.capture.commitSegment(link, link.capture!, content)),
    );
    expect(committed.filter(Boolean)).toHaveLength(1);
    expect((await linkOf(pair)).capture).toMatchObject({ segments: 1, packets: 1, bytes: 76 });
  });
});

describe("a deletion of a project", () => {
  test("removes its objects, more than one listing tells", async () => {
    const pair = await capturing(1);
    const { segmentKey } = await import("../../functions/store/capture-objects.ts");
    const { putObject } = await import("../../functions/store/objects.ts");
    const { capture_id } = (await linkOf(pair)).capture!;
    const put = (n: number) =>
      putObject(segmentKey(pair.projectId, capture_id, n), Buffer.alloc(1), "text/plain");
    for (let n = 1; n < 1100; n += 50) await Promise.all(Array.from({ length: 50 }, (_, at) => put(n + at)));
    expect(await objects(`segments/${pair.projectId}/`)).toHaveLength(1000);
    expect((await client.delete(pair.path)).status).toBe(204);
    expect(await objects(`segments/${pair.projectId}/`)).toEqual([]);
  });
});

describe("a deletion of a project that died", () => {
  test("hides the project at once, and goes on when it is asked for again", async () => {
    const pair = await capturing(2);
    await client.post(`${pair.link}/stop_capture`);
    await client.post(`${pair.link}/start_capture`, {});
    await client.call("POST", `${pair.link}/replay`, { raw: makePcap(1) });
    const project = (await asService(() => store.project.getProject(pair.projectId)))!;
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
    const left = await asService(() => store.read.readTopology(pair.projectId, "topology"));
    expect(left).toEqual({ project: undefined, nodes: [], links: [] });
  });
});
