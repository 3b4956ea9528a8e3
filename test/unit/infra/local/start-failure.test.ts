/** Starts that fail for a reason outside of the program: one line reports the problem, its place and how to fix it. */
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startDynamoDb } from "../../../../infra/local/dynamodb/start.ts";
import { startLocalStack } from "../../../../infra/local/local-stack.ts";
import { makeFolder } from "../../../../infra/local/make-folder.ts";
import { LocalProblem } from "../../../../infra/local/problem.ts";
import { explainStart } from "../../../../infra/local/start-failure.ts";
import { TABLE, writeAssembly } from "./assembly.ts";

let synth: string;
let folder: string;
beforeAll(() => {
  synth = writeAssembly({
    functions: { None: { code: "export const handler = async () => ({ statusCode: 200 });" } },
    methods: [{ path: "/none", target: "None" }],
    extra: { State: TABLE, Data: { Type: "AWS::S3::Bucket" } },
  });
});
afterAll(() => rmSync(synth, { recursive: true }));

beforeEach(() => {
  for (const variable of ["AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL_S3"])
    vi.stubEnv(variable, undefined);
  folder = mkdtempSync(join(tmpdir(), "wirelab-failure-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** @returns the message of the start's failure. */
async function failureOf(dataDir = folder): Promise<string> {
  const error = await startLocalStack({ synth, dataDir, port: 0, quiet: true }).then(
    async (stack) => {
      await stack.stop();
      return new Error("it has started");
    },
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(LocalProblem);
  const { message } = error as Error;
  expect(message).not.toContain("\n");
  return message;
}

describe("a data folder", () => {
  const ANOTHER = "choose another folder: WIRELAB_DATA=<folder> npm start";

  it("that cannot be created is reported", async () => {
    expect(await failureOf("/proc/wirelab/data")).toBe(
      `/proc/wirelab cannot be created (ENOENT): ${ANOTHER}`,
    );
  });

  it("that is a file, or in one, is reported", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    const needed = `is a file, or in one, where a folder is needed: move the file, or ${ANOTHER}`;
    expect(await failureOf(file)).toBe(`${file} ${needed}`);
    expect(await failureOf(join(file, "below"))).toBe(`${join(file, "below")} ${needed}`);
  });

  it("with a file in the place of a folder, or the other way round, is reported", async () => {
    writeFileSync(join(folder, "s3"), "");
    expect(await failureOf()).toContain(`${join(folder, "s3")} is a file`);
    mkdirSync(join(folder, "lock"));
    expect(await failureOf()).toContain(`${join(folder, "lock")} is a folder where a file is needed`);
  });

  it("keeps its contents if it exists", () => {
    makeFolder(join(folder, "a", "b"));
    writeFileSync(join(folder, "a", "b", "kept"), "");
    makeFolder(join(folder, "a", "b"));
    expect(() => makeFolder(join(folder, "a", "b", "kept"))).toThrow("EEXIST");
  });

  it.each(["EACCES", "EPERM", "EROFS"])("that cannot be written (%s) is reported", (code) => {
    const error = Object.assign(new Error(code), { code, path: "/data/lock", syscall: "open" });
    expect(explainStart(error, "/data")).toEqual(
      new LocalProblem(`/data/lock cannot be written (${code}): change its permissions, or ${ANOTHER}`),
    );
  });
});

describe("a full disk", () => {
  it.each([
    Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", syscall: "write" }),
    new LocalProblem(
      "The stack could not be synthesized:\nError: ENOSPC: no space left on device, write\n at ...",
    ),
    new LocalProblem("The embedded DynamoDB does not start: Internal error: database or disk is full"),
  ])("is reported for the error of any part: $message", (error) => {
    expect(explainStart(error, "/data")).toEqual(
      new LocalProblem(
        "No space is left on the disk of /data: free some, or choose another folder: WIRELAB_DATA=<folder> npm start",
      ),
    );
  });

  it("is distinguished from a failing disk by the free space", () => {
    const error = Object.assign(new Error("EIO"), { code: "EIO", path: "/data/cdk.out/a", syscall: "cp" });
    expect(explainStart(error, "/data", () => 0)).toHaveProperty(
      "message",
      expect.stringContaining("No space is left on the disk of /data"),
    );
    expect(explainStart(error, "/data", () => 1e9)).toEqual(
      new LocalProblem("/data/cdk.out/a cannot be read or written (EIO): check its disk"),
    );
  });

  it("is not reported for other errors, which stay unchanged", () => {
    for (const error of [new TypeError("x is not a function"), new LocalProblem("Port 1 is taken")])
      expect(explainStart(error, "/data")).toBe(error);
  });
});

describe("a database", () => {
  it("that is damaged is reported, with the steps to fix it", async () => {
    const file = join(folder, "dynamodb.sqlite");
    const damaged = `The database ${file} is damaged: put a copy of the data folder in its place, or move the file away to start with an empty database.`;
    writeFileSync(file, Buffer.alloc(8192, 7));
    expect(await failureOf()).toBe(damaged);

    rmSync(file);
    await (await startDynamoDb("127.0.0.1", file, () => {})).stop();
    const handle = openSync(file, "r+");
    writeSync(handle, Buffer.alloc(4000, 7), 0, 4000, 4096);
    closeSync(handle);
    expect(await failureOf()).toBe(damaged);
  });

  it("that cannot be opened is reported", async () => {
    const file = join(folder, "dynamodb.sqlite");
    mkdirSync(file);
    expect(await failureOf()).toContain(`does not start with the database ${file}: `);
  });
});

describe("an endpoint in an environment variable", () => {
  let other: Server;
  let url: string;
  beforeAll(async () => {
    other = createServer((_request, response) => response.writeHead(404).end("<html>Not here</html>"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  });
  afterAll(() => other.close());

  it.each([
    ["AWS_ENDPOINT_URL_DYNAMODB", "localhost:8000"],
    ["AWS_ENDPOINT_URL_DYNAMODB", "yes"],
    ["AWS_ENDPOINT_URL_S3", "s3://bucket"],
  ])("%s=%s is rejected, because it is not the URL of a server", async (variable, value) => {
    vi.stubEnv(variable, value);
    expect(await failureOf()).toMatch(
      new RegExp(`^${variable} is "${value}", and must be an http or https URL such as http://127`),
    );
  });

  it.each([
    ["AWS_ENDPOINT_URL_DYNAMODB", "DynamoDB"],
    ["AWS_ENDPOINT_URL_S3", "S3"],
  ])("%s is reported when no server accepts connections there", async (variable, name) => {
    vi.stubEnv(variable, "http://127.0.0.1:1");
    expect(await failureOf()).toBe(
      `No ${name} accepts connections at http://127.0.0.1:1 (ECONNREFUSED): start it, or correct ${variable}.`,
    );
    vi.stubEnv(variable, "http://no.such.host.invalid:8000");
    expect(await failureOf()).toMatch(/at http:\/\/no\.such\.host\.invalid:8000 \((ENOTFOUND|EAI_AGAIN)\)/);
  });

  it.each([
    ["AWS_ENDPOINT_URL_DYNAMODB", "DynamoDB"],
    ["AWS_ENDPOINT_URL_S3", "S3"],
  ])("%s is reported when another server responds there", async (variable, name) => {
    vi.stubEnv(variable, url);
    const message = await failureOf();
    expect(message).toContain(`${url} does not work as ${name} (`);
    expect(message).toContain(`correct ${variable}`);
  });
});
