/** `npm run janitor` as a process, against an account on the loopback interface. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { FakeAccount, type FakeContent, type FakeStack } from "../../../helpers/stack/fake-account.ts";
import { NODE } from "../../wirelab/run-cli.ts";

const MAIN = new URL("../../../../infra/janitor/main.ts", import.meta.url).pathname;

async function janitor(args: string[], { url }: { url: string }) {
  const child = spawn(NODE, [MAIN, ...args], {
    env: {
      PATH: process.env.PATH,
      AWS_REGION: "eu-central-1",
      AWS_ACCESS_KEY_ID: "a",
      AWS_SECRET_ACCESS_KEY: "b",
      AWS_ENDPOINT_URL: url,
      AWS_MAX_ATTEMPTS: "1",
    },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, stdout, stderr };
}

const description = "Wirelab: a network emulation service without servers";
const tags = { "wirelab-lifetime": "ephemeral", expires: "2020-01-01T00:00Z" };
const created = "2019-12-31T00:00:00Z";
const OLD = "a".repeat(64);
const SHARED = "b".repeat(64);
const OWN_TEMPLATE = `{"a":"${OLD}.zip","b":"${SHARED}.zip"}`;
const OWN_HASH = createHash("sha256").update(OWN_TEMPLATE).digest("hex");

const STANDING: FakeStack = {
  id: "arn:ci-1",
  name: "ci-1",
  status: "CREATE_COMPLETE",
  description,
  tags,
  created,
};
const GONE: FakeStack = {
  id: "arn:ci-0",
  name: "ci-0",
  status: "DELETE_COMPLETE",
  description,
  tags,
  created,
  deleted: "2020-01-02T00:00:00Z",
  template: OWN_TEMPLATE,
  resources: [
    ["AWS::Lambda::Function", "ci-0-CustomS3Auto-xyz"],
    ["AWS::DynamoDB::Table", "ci-0-Table"],
  ],
};
const CONTENT: FakeContent = {
  stacks: [
    STANDING,
    GONE,
    {
      id: "arn:keep",
      name: "Wirelab",
      status: "UPDATE_COMPLETE",
      description,
      created,
      template: `{"x":"${SHARED}.zip"}`,
    },
  ],
  logGroups: ["/aws/lambda/ci-0-CustomS3Auto-xyz", "/aws/lambda/others"],
  secrets: [
    ["ci-0/computes/vm", Date.parse("2020-01-01T00:00Z") / 1000],
    ["others", Date.parse("2020-01-01T00:00Z") / 1000],
  ],
  objects: [OLD, SHARED, OWN_HASH, "c".repeat(64)].flatMap((hash) =>
    ["zip", "json"].map((kind) => [`${hash}.${kind}`, "2020-01-01T00:00:00Z"] as const),
  ),
};

describe("the janitor", () => {
  test("deletes nothing by default, and lists what it would delete and why", async () => {
    const account = await new FakeAccount(CONTENT).start();
    const { code, stdout, stderr } = await janitor([], account);
    const left = "the ephemeral stack ci-0 left it, which was deleted at 2020-01-02T00:00:00.000Z";
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n")).toEqual([
      "would delete  stack ci-1: it expired at 2020-01-01T00:00Z",
      `would delete  log group /aws/lambda/ci-0-CustomS3Auto-xyz: ${left}`,
      `would delete  secret ci-0/computes/vm: ${left}`,
      "nothing is deleted without --delete",
      "",
    ]);
    expect(account.deleted).toEqual([]);
  });

  test("deletes with --delete; secrets can be restored for a week", async () => {
    const account = await new FakeAccount(CONTENT).start();
    const { code, stdout } = await janitor(["--delete"], account);
    expect([code, stdout.match(/^deleted /gm)?.length]).toEqual([0, 3]);
    expect(account.deleted).toEqual([
      "stack arn:ci-1",
      "log group /aws/lambda/ci-0-CustomS3Auto-xyz",
      "secret arn:ci-0/computes/vm for 7 days",
    ]);
  });

  test("deletes files of the bootstrap bucket that only a deleted ephemeral stack named, its template included", async () => {
    const account = await new FakeAccount(CONTENT).start();
    const { code } = await janitor(["--delete", "--assets", "cdk-assets"], account);
    expect(code).toBe(0);
    expect(account.deleted.filter((what) => what.startsWith("object")).toSorted()).toEqual(
      [OLD, OWN_HASH]
        .flatMap((hash) => ["json", "zip"].map((kind) => `object /cdk-assets/${hash}.${kind}`))
        .toSorted(),
    );
  });

  test("goes on after something cannot be deleted, and exits with 1", async () => {
    const account = await new FakeAccount({ ...CONTENT, refuses: ["stack arn:ci-1"] }).start();
    const { code, stderr } = await janitor(["--delete"], account);
    expect([code, stderr]).toEqual([1, "janitor: stack ci-1 is not deleted: not allowed\n"]);
    expect(account.deleted).toHaveLength(2);
  });

  test("finds nothing in an account without ephemeral stacks", async () => {
    const account = await new FakeAccount({ ...CONTENT, stacks: [] }).start();
    expect((await janitor(["--delete", "--assets", "b"], account)).stdout).toBe("nothing to delete\n");
    expect(account.deleted).toEqual([]);
  });

  test("reports an account that does not answer, and wrong usage", async () => {
    const { code, stderr } = await janitor([], { url: "http://127.0.0.1:1" });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^janitor: .*ECONNREFUSED.*\n$/)]);
    const wrong = await janitor(["--everything"], { url: "http://127.0.0.1:1" });
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("Usage: npm run janitor")]);
    const help = await janitor(["--help"], { url: "http://127.0.0.1:1" });
    expect([help.code, help.stdout]).toEqual([0, expect.stringContaining("--assets BUCKET")]);
  });
});
