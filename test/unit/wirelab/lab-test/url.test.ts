import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parseLabFile } from "@wirelab/lab/file/parse";
import { toWire } from "@wirelab/lab/report/wire";
import { runLab } from "@wirelab/lab/run-lab";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeFolder, runCli } from "../run-cli.ts";

const folder = makeFolder();
const LAB =
  "nodes: {a: 10.0.0.1/24, b: 10.0.0.2/24}\nlinks: [a -- b]\nexpect:\n  - reach: a -> b\n  - not reach: b -> a\n";
const file = join(folder, "a.lab.yaml");
writeFileSync(file, LAB);

/** Answers as the service does, by the same code. */
let server: Server;
let url = "";
let requests: string[] = [];
let refusal: { status: number; message: string } | undefined;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(request.url!, "http://service");
    requests.push(`${request.method} ${pathname} ${searchParams.get("seed")}`);
    if (refusal) {
      response.writeHead(refusal.status).end(JSON.stringify({ message: refusal.message }));
      return;
    }
    const model = parseLabFile(Buffer.concat(chunks).toString(), { name: "lab" });
    const seed = searchParams.get("seed");
    response.end(JSON.stringify(toWire(runLab(model, seed === null ? {} : { seed }))));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`;
});
afterAll(() => void server.close());
beforeEach(() => {
  requests = [];
  refusal = undefined;
});

const labTest = (...args: string[]) =>
  runCli(["test", file, "--captures", join(folder, "captures"), ...args]);
const json = (stdout: Buffer): unknown => JSON.parse(stdout.toString());

test("a service plays the file, and the report is that of this process", async () => {
  const there = await labTest("--url", url, "--reporter", "tap");
  const here = await labTest("--reporter", "tap");
  expect(requests).toEqual(["POST /v2/labs/run null"]);
  expect(there.code).toBe(1);
  expect(there.stdout.toString()).toBe(here.stdout.toString());
});

test("each seed is a request, and --filter and --bail choose among the results", async () => {
  const all = await labTest("--url", url, "--seeds", "3", "--filter", "not reach", "--reporter", "json");
  expect(requests).toEqual(["1", "2", "3"].map((seed) => `POST /v2/labs/run ${seed}`));
  expect(json(all.stdout)).toMatchObject({
    labs: [{ cases: [{ report: { verdicts: [{ name: "not reach: b -> a" }] } }, {}, {}] }],
  });
  requests = [];
  await labTest("--url", url, "--seeds", "3", "--bail", "--reporter", "json");
  expect(requests).toHaveLength(1);
});

test("what the service refuses cannot be found out", async () => {
  refusal = { status: 429, message: "ann has sent 300 requests in this minute; retry in 17 s" };
  const { code, stderr } = await labTest("--url", url);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: "wirelab: POST /labs/run: 429 ann has sent 300 requests in this minute; retry in 17 s\n",
  });
});

test("a service that is not there cannot be asked", async () => {
  const { code, stderr } = await labTest("--url", "http://127.0.0.1:1/v2");
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("does not answer") });
});

test.each([
  [["--sweep", "links"], "a service plays no failures: --url excludes --sweep, --fail and --matrix"],
  [["--fail", "link:a-b"], "a service plays no failures"],
  [["--matrix"], "a service plays no failures"],
])("%j is refused", async (args, message) => {
  const { code, stderr } = await labTest("--url", url, ...args);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  expect(requests).toEqual([]);
});

test("an address that is none is refused", async () => {
  const { code, stderr } = await labTest("--url", "localhost");
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"localhost" is no URL'),
  });
});
