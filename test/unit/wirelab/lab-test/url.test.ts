import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { captureLab } from "@wirelab/lab/capture/capture-lab";
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { toWire } from "@wirelab/lab/report/wire";
import { runLab } from "@wirelab/lab/run-lab";
import { applyFailures } from "@wirelab/lab/sweep/failures";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readFailures as readQuery } from "../../../../functions/shared/lab-file/read-failures.ts";
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
/** The path of a capture, and its bytes. */
let captures = new Map<string, Uint8Array>();
/** Requests that are refused before one is served. */
let tooEarly = 0;
/** What the service answers, one after the other, before the report: a lab with Linux nodes takes its time. */
let unfinished: object[] = [];
let refusal: { status: number; message: string } | undefined;

const RUNNING = { run_id: "r1", status: "running", elapsed: 0, answer: null, error: null };

const readFailures = (query: string | null, model: Parameters<typeof readQuery>[1]) =>
  query === null ? [] : readQuery(query, model);

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(request.url!, "http://service");
    if (searchParams.get("run_id") === "r1") {
      response.end(JSON.stringify(unfinished.shift()));
      return;
    }
    if (request.method === "GET") {
      const { authorization } = request.headers;
      response.writeHead(captures.has(pathname) && !authorization ? 200 : 403).end(captures.get(pathname));
      return;
    }
    const asked = searchParams.get("captures");
    requests.push(`${request.method} ${pathname} ${searchParams.get("seed")}${asked ? ` ${asked}` : ""}`);
    if (refusal) {
      response.writeHead(refusal.status).end(JSON.stringify({ message: refusal.message }));
      return;
    }
    if (tooEarly > 0) {
      tooEarly -= 1;
      response.writeHead(429, { "retry-after": "0" }).end("{}");
      return;
    }
    const whole = parseLabFile(Buffer.concat(chunks).toString(), { name: "lab" });
    const model = applyFailures(whole, readFailures(searchParams.get("fail"), whole));
    const seed = searchParams.get("seed");
    const report = runLab(model, seed === null ? {} : { seed });
    const failed = report.verdicts.flatMap(({ status }, index) => (status === "failed" ? [index] : []));
    for (const verdict of failed) {
      const expectation = model.expectations[verdict]!;
      captures.set(`/bucket/${verdict}`, captureLab(model, { seed: report.seed, expectation }));
    }
    const links = failed.map((verdict) => ({ verdict, url: `${new URL(url).origin}/bucket/${verdict}` }));
    const body = { ...toWire(report), ...(asked && { captures: links }) };
    if (unfinished.length > 0) {
      unfinished.push({ ...RUNNING, status: "finished", answer: { status: 200, body } });
      response.writeHead(202).end(JSON.stringify(RUNNING));
    } else response.end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`;
});
afterAll(() => void server.close());
beforeEach(() => {
  requests = [];
  unfinished = [];
  captures = new Map();
  rmSync(join(folder, "captures"), { recursive: true, force: true });
  refusal = undefined;
});

const labTest = (...args: string[]) =>
  runCli(["test", file, "--captures", join(folder, "captures"), ...args]);
const json = (stdout: Buffer): unknown => JSON.parse(stdout.toString());

test("a service plays the file, and the report is that of this process", async () => {
  const there = await labTest("--url", url, "--reporter", "tap");
  const here = await labTest("--reporter", "tap");
  expect(requests).toEqual(["POST /v2/labs/run null", "POST /v2/labs/run null failed"]);
  expect(there.code).toBe(1);
  expect(there.stdout.toString()).toBe(here.stdout.toString());
});

test("a run that the service has not finished is read until it is, and its failure is the command's", async () => {
  const here = await labTest("--reporter", "tap");
  unfinished = [RUNNING];
  const there = await labTest("--url", url, "--reporter", "tap");
  expect(there.stdout.toString()).toBe(here.stdout.toString());
  unfinished = [{ ...RUNNING, status: "failed", error: { message: "Run r1 has failed" } }];
  const failed = await labTest("--url", url);
  expect(failed.code).toBe(2);
  expect(failed.stderr.toString()).toContain("Run r1 has failed");
});

test("each seed is a request, and --filter and --bail choose among the results", async () => {
  const all = await labTest("--url", url, "--seeds", "3", "--filter", "not reach", "--reporter", "json");
  expect(requests).toEqual([
    ...["1", "2", "3"].map((seed) => `POST /v2/labs/run ${seed}`),
    "POST /v2/labs/run 1 failed",
  ]);
  expect(json(all.stdout)).toMatchObject({
    labs: [{ cases: [{ report: { verdicts: [{ name: "not reach: b -> a" }] } }, {}, {}] }],
  });
  requests = [];
  await labTest("--url", url, "--seeds", "3", "--bail", "--reporter", "json");
  expect(requests).toEqual(["POST /v2/labs/run 1", "POST /v2/labs/run 1 failed"]);
});

const capturesOf = () => {
  const from = join(folder, "captures");
  return Object.fromEntries(readdirSync(from).map((name) => [name, readFileSync(join(from, name))]));
};

test("the service's captures of failures have the names and bytes of those of this process", async () => {
  await labTest("--reporter", "tap");
  const here = capturesOf();
  rmSync(join(folder, "captures"), { recursive: true });
  const there = await labTest("--url", url, "--reporter", "tap");
  expect(there.code).toBe(1);
  expect(Object.keys(here)).toEqual(["a.2.pcapng"]);
  expect(capturesOf()).toEqual(here);
});

test("a chosen expectation gets its own capture, from the service", async () => {
  await labTest("--url", url, "--filter", "not reach", "--seed", "4", "--reporter", "tap");
  expect(capturesOf()).toEqual({ "a.seed-4.1.pcapng": Buffer.from(captures.get("/bucket/1")!) });
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

test("a service has no matrix", async () => {
  const { code, stderr } = await labTest("--url", url, "--matrix");
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--url and --matrix exclude each other"),
  });
  expect(requests).toEqual([]);
});

test.each([
  [["--sweep", "links=1,nodes=2"], 5],
  [["--fail", "link:a-b", "--fail", "node:b"], 1],
  [["--sweep", "links", "--seeds", "2"], 4],
])("a service plays failures with the results of this process: %j", async (args, cases) => {
  const here = await labTest(...args, "--reporter", "tap");
  const there = await labTest("--url", url, ...args, "--reporter", "tap");
  expect(there.stdout.toString()).toBe(here.stdout.toString());
  expect(there.code).toBe(here.code);
  expect(requests.filter((each) => !each.endsWith("failed"))).toHaveLength(cases);
});

test("a request that comes too early is sent again after the time that the service names", async () => {
  tooEarly = 2;
  const { code } = await labTest("--url", url, "--filter", "reach: a -> b", "--reporter", "tap");
  expect({ code, tooEarly }).toEqual({ code: 0, tooEarly: 0 });
});

test("an address that is none is refused", async () => {
  const { code, stderr } = await labTest("--url", "localhost");
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"localhost" is no URL'),
  });
});
