/** Capture files: where they are downloaded, their maximum length, and the errors when their packets are lost. */
import { execFileSync } from "node:child_process";
import { DynamoDBClient, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Measured } from "../../functions/shared/edge/metrics.ts";
import { hasProgram, makeBulkyPcap, makePcap, parsePcap } from "../helpers/captures/pcap.ts";
import { perform, useServiceStores } from "../helpers/service/in-process.ts";
import { client, makePair, type Pair } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";

let store: typeof import("../../functions/shared/store/base/objects.ts");
let database: DynamoDBClient;

beforeAll(async () => {
  useServiceStores();
  store = await import("../../functions/shared/store/base/objects.ts");
  database = new DynamoDBClient({});
});

const start = (link: string, body: unknown = {}) => client.post(`${link}/start_capture`, body);
const stop = (link: string) => client.post(`${link}/stop_capture`);
const replay = (link: string, pcap: Buffer) => client.call("POST", `${link}/replay`, { raw: pcap });
/** Follows no redirect and accepts any status. */
const ask = (path: string) => fetch(`${localStack().baseUrl}${path}`, { redirect: "manual" });

/** Creates a pair with a running capture of so many runs. */
async function capturing(runs = 1) {
  const pair = await makePair();
  await start(pair.link);
  for (let run = 0; run < runs; run++) await replay(pair.link, makeBulkyPcap(5));
  const [{ capture_id }] = (await client.get(`${pair.link}/captures`)).json;
  return { pair, captureId: capture_id as string, capture: `${pair.link}/captures/${capture_id}` };
}

describe("downloading a stopped capture", () => {
  async function stopped(captureFileName = "one.pcap") {
    const pair = await makePair();
    await start(pair.link, { capture_file_name: captureFileName });
    await replay(pair.link, makePcap(5));
    const [{ capture_id }] = (await client.get(`${pair.link}/captures`)).json;
    const path = `${pair.link}/captures/${capture_id}`;
    const running = await ask(`${path}/pcap`);
    expect(running.status).toBe(200);
    const file = Buffer.from(await running.arrayBuffer());
    await client.post(`${pair.link}/stop_capture`);
    return { path, file };
  }
  const locationOf = async (path: string) => {
    const { status, headers } = await ask(`${path}/pcap`);
    expect(status).toBe(303);
    return headers.get("location")!;
  };

  test("redirects to a presigned URL, which sets the file name and supports ranges", async () => {
    const { path, file } = await stopped("ein Gerät.pcap");
    const location = await locationOf(path);
    const { searchParams } = new URL(location);
    expect(searchParams.get("X-Amz-Signature")).toMatch(/^[0-9a-f]{64}$/);
    expect(searchParams.get("X-Amz-Expires")).toBe("300");
    const whole = await fetch(location);
    expect(whole.headers.get("content-type")).toBe("application/vnd.tcpdump.pcap");
    expect(whole.headers.get("content-disposition")).toContain("filename*=UTF-8''ein%20Ger%C3%A4t.pcap");
    expect(Buffer.from(await whole.arrayBuffer()).equals(file)).toBe(true);
    for (const [range, from, to] of [
      ["bytes=24-", 24, file.length],
      ["bytes=0-23", 0, 24],
      ["bytes=-76", file.length - 76, file.length],
    ] as const) {
      const part = await fetch(location, { headers: { range } });
      expect([part.status, part.headers.get("content-range")]).toEqual([
        206,
        `bytes ${from}-${to - 1}/${file.length}`,
      ]);
      expect(Buffer.from(await part.arrayBuffer()).equals(file.subarray(from, to))).toBe(true);
    }
    expect((await fetch(location, { headers: { range: `bytes=${file.length}-` } })).status).toBe(416);
  });

  test("redirects HEAD to a URL that answers HEAD", async () => {
    const { path, file } = await stopped();
    const redirect = await fetch(`${localStack().baseUrl}${path}/pcap`, {
      method: "HEAD",
      redirect: "manual",
    });
    expect(redirect.status).toBe(303);
    const { status, headers } = await fetch(redirect.headers.get("location")!, { method: "HEAD" });
    expect([status, headers.get("content-length")]).toEqual([200, String(file.length)]);
    expect(headers.get("content-disposition")).toContain("one.pcap");
  });

  test("requires the signature: any other URL is rejected", async () => {
    const location = await locationOf((await stopped()).path);
    expect((await fetch(location.replace(/X-Amz-Signature=\w/, "X-Amz-Signature=g"))).status).toBeGreaterThan(
      400,
    );
    expect((await fetch(location.replace(/\?.*/, ""))).status).toBeGreaterThan(400);
    expect((await fetch(location, { method: "PUT", body: "x" })).status).toBeGreaterThan(400);
  });

  test.skipIf(!hasProgram("curl"))("works with curl -L, credentials and a range", async () => {
    const { path, file } = await stopped();
    const url = `${localStack().baseUrl}${path}/pcap`;
    const curl = (...options: string[]) => execFileSync("curl", ["-sfL", "-u", "a:b", ...options, url]);
    expect(curl().equals(file)).toBe(true);
    expect(curl("-r", "24-").equals(file.subarray(24))).toBe(true);
  });

  test("returns 404 when the capture is deleted", async () => {
    const { path } = await stopped();
    await client.delete(path);
    expect((await ask(`${path}/pcap`)).status).toBe(404);
  });
});

describe("a file of more than 200 MB", () => {
  const MANY = 250_000_000;

  /** Sets a larger length in the items of the capture and of its project than its file has. */
  async function claimBytes(
    { projectId, linkId }: Pair,
    captureId: string,
    isRunning: boolean,
  ): Promise<void> {
    if (isRunning) await setMany(projectId, `LINK#${linkId}`, ["capture", "bytes"]);
    else await setMany(projectId, `CAPTURE#${linkId}#${captureId}`, ["bytes"]);
    await setMany(projectId, "META", ["stored_bytes"]);
  }
  const setMany = (projectId: string, sk: string, path: readonly string[]) =>
    database.send(
      new UpdateItemCommand({
        TableName: localStack().tableName,
        Key: { pk: { S: `PROJECT#${projectId}` }, sk: { S: sk } },
        UpdateExpression: `SET ${path.map((name) => `#${name}`).join(".")} = :many`,
        ExpressionAttributeNames: Object.fromEntries(path.map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: { ":many": { N: String(MANY) } },
      }),
    );
  const refusal = async (path: string) => {
    const { status, json } = await client.get(path);
    return `${status} ${json.message}`;
  };

  test("is refused of a running capture, as a download and as a stream, with the size and the alternative", async () => {
    const { pair, captureId, capture } = await capturing();
    await claimBytes(pair, captureId, true);
    const said =
      `409 The file has ${MANY + 24} bytes, and a response has at most 200000000; ` +
      "stop the capture, then download it";
    expect(await refusal(`${capture}/pcap`)).toBe(said);
    expect(await refusal(`${pair.link}/pcap`)).toBe(said);
  });

  test("is refused as pcapng, during the capture and after it", async () => {
    const one = await capturing();
    await stop(one.pair.link);
    await claimBytes(one.pair, one.captureId, false);
    const said = /^409 The file has 25\d{7} bytes, .*; name fewer captures with `captures`/;
    expect(await refusal(`/projects/${one.pair.projectId}/pcapng`)).toMatch(said);
    const other = await capturing();
    await claimBytes(other.pair, other.captureId, true);
    expect(await refusal(`/projects/${other.pair.projectId}/pcapng`)).toMatch(said);
  });

  test("ends a stream before it exceeds the limit, with a whole file", async () => {
    const { pair, captureId } = await capturing();
    const response = await ask(`${pair.link}/pcap`);
    await claimBytes(pair, captureId, true);
    expect(parsePcap(Buffer.from(await response.arrayBuffer()))).toHaveLength(5);
  });
});

describe("a capture whose packets are missing from the bucket", () => {
  const answer = async (path: string) => {
    const response = await ask(path);
    return { status: response.status, ...((await response.json()) as object) };
  };
  const lost = (captureId: string) => ({
    status: 500,
    code: "capture.lost",
    message: `The packets of capture ${captureId} are missing from storage`,
    request_id: expect.any(String),
  });
  const damaged = new Set<string>();
  const lose = (kind: "captures" | "segments", { projectId, path }: Pair) => {
    damaged.add(path);
    return store.deletePrefix(`${kind}/${projectId}/`);
  };
  // Tests of other files check all references of the stack.
  afterAll(() => Promise.all([...damaged].map((path) => client.delete(path))));

  test("is 500 with a code on every route that reads it, and can be deleted", async () => {
    const { pair, captureId, capture } = await capturing(2);
    await stop(pair.link);
    await lose("captures", pair);
    for (const route of [`${capture}/pcap`, `${capture}/packets`, `/projects/${pair.projectId}/pcapng`]) {
      expect(await answer(route), route).toEqual(lost(captureId));
    }
    expect((await client.delete(capture)).status).toBe(204);
  });

  test("is 500 while it runs, and can be stopped, as can the next one of its link", async () => {
    const { pair, captureId, capture } = await capturing(2);
    await lose("segments", pair);
    for (const route of [`${capture}/pcap`, `${capture}/packets`, `${pair.link}/pcap`]) {
      expect(await answer(route), route).toEqual(lost(captureId));
    }
    expect((await stop(pair.link)).status).toBe(201);
    expect(await answer(`${capture}/pcap`)).toEqual(lost(captureId));
    await start(pair.link);
    await replay(pair.link, makePcap(3));
    expect((await stop(pair.link)).status).toBe(201);
    expect((await stop(pair.link)).status).toBe(201);
    const [, next] = (await client.get(`${pair.link}/captures`)).json;
    expect(parsePcap((await client.get(`${pair.link}/captures/${next.capture_id}/pcap`)).bytes)).toHaveLength(
      3,
    );
  });

  test("is 500 when its object is too short", async () => {
    const { pair, captureId, capture } = await capturing();
    await stop(pair.link);
    const [object] = (await store.listObjects(`captures/${pair.projectId}/`, 1)).objects;
    const bytes = (await store.readObject(object!.key, 0, 100))!;
    await store.putObject(object!.key, bytes, "application/octet-stream");
    for (const route of ["pcap", "packets"]) {
      expect(await answer(`${capture}/${route}`)).toEqual(lost(captureId));
    }
  });

  test("is counted in a metric, and its cause is logged", async () => {
    const { downloadCapture } = await import("../../functions/captures/read-captures.ts");
    const { countInto } = await import("../../functions/shared/edge/metrics.ts");
    const { pair, captureId } = await capturing();
    await stop(pair.link);
    await lose("captures", pair);
    const counted: Measured = {};
    const params = { project_id: pair.projectId, link_id: pair.linkId, capture_id: captureId };
    await expect(countInto(counted, () => perform(downloadCapture, { params }))).rejects.toMatchObject({
      code: "capture.lost",
      cause: { message: expect.stringContaining(`captures/${pair.projectId}/${captureId}/`) },
    });
    expect(counted).toEqual({ LostCaptures: 1 });
  });
});
