/** The arguments and errors of `wirelab users`; test/integration/auth.test.ts covers its effects on a table. */
import { spawnSync } from "node:child_process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CLI, NODE, runCli } from "./run-cli.ts";

const saved = process.env.WIRELAB_TABLE;
beforeEach(() => {
  delete process.env.WIRELAB_TABLE;
});
afterEach(() => {
  if (saved !== undefined) process.env.WIRELAB_TABLE = saved;
});

const TABLE = ["--table", "nowhere"];

describe("wirelab users, used wrongly,", () => {
  test.each([
    [[], "an action is missing; the actions are first, add, list, passwd, role, remove, unlock"],
    [["greet"], 'unknown action "greet"; the actions are first, add, list, passwd, role, remove, unlock'],
    [["constructor"], 'unknown action "constructor"'],
    [["list"], "no table is given; use --table, --stack or the environment variable WIRELAB_TABLE"],
    [["list", ...TABLE, "--stack", "S"], "--table and --stack exclude each other"],
    [["add", ...TABLE], "expected users add NAME"],
    [["role", "alice", ...TABLE], "expected users role NAME ROLE"],
    [["list", "--role", "admin", ...TABLE], "users list takes no --role"],
    [["remove", "alice", "--password-stdin", ...TABLE], "users remove takes no --password-stdin"],
    [["add", "alice", "--role", "root", ...TABLE], "root is no role; the roles are viewer, editor, admin"],
    [["first", "alice", ...TABLE], "expected users first"],
    [["add", "alice", "--keep", ...TABLE], "users add takes no --keep"],
    [["unlock", ...TABLE], "expected users unlock NAME"],
    [["unlock", "a#b", ...TABLE], '"a#b": a name has up to 64 of'],
    [["add", "x@namespaces", ...TABLE], "x@namespaces is the name of a namespace's user"],
    [["add", "a:b", ...TABLE], '"a:b": a name has up to 64 of'],
    [["add", "x\ny", ...TABLE], '"x\\ny": a name has up to 64 of'],
    [
      ["add", "alice", "--password", "secret", ...TABLE],
      "unknown option --password. Expected one of: --table, --stack, --role, --json, --keep, --password-stdin.",
    ],
  ])("%j reports the mistake", async (args, message) => {
    const { code, stdout, stderr } = await runCli(["users", ...args]);
    expect(stderr).toContain(message);
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 2, stdout: "" });
  });

  test("rejects a password that is too short before it writes anything, and does not print it", async () => {
    const { code, stderr } = await runCli(["users", "add", "alice", "--password-stdin", ...TABLE], {
      stdin: Buffer.from("short\n"),
    });
    expect(code).toBe(1);
    expect(stderr).toBe("wirelab: the password has to have at least 12 characters\n");
  });
});

describe("wirelab users, when the table does not respond,", () => {
  test("reports its name, its endpoint and the cause", async () => {
    const { stderr, status } = spawnSync(NODE, [CLI, "users", "list", ...TABLE], {
      encoding: "utf8",
      env: {
        ...process.env,
        AWS_ENDPOINT_URL_DYNAMODB: "http://127.0.0.1:1",
        AWS_REGION: "us-east-1",
        AWS_ACCESS_KEY_ID: "a",
        AWS_SECRET_ACCESS_KEY: "b",
        AWS_MAX_ATTEMPTS: "1",
      },
    });
    expect(stderr).toMatch(
      /^wirelab: the table nowhere does not answer at http:\/\/127\.0\.0\.1:1 \(ECONNREFUSED: .*\)\n$/,
    );
    expect(status).toBe(1);
  });
});

test("wirelab users without a region names the variable that sets it", () => {
  const { AWS_REGION: _region, AWS_DEFAULT_REGION: _default, ...env } = process.env;
  const { stderr, status } = spawnSync(NODE, [CLI, "users", "list", ...TABLE], {
    encoding: "utf8",
    env: { ...env, AWS_CONFIG_FILE: "/dev/null", AWS_SHARED_CREDENTIALS_FILE: "/dev/null" },
  });
  expect([status, stderr]).toEqual([1, expect.stringContaining("no AWS region is set; set AWS_REGION")]);
});

test("wirelab users --help names every action", async () => {
  const { code, stdout } = await runCli(["users", "--help"]);
  expect(code).toBe(0);
  for (const action of ["first", "add", "list", "passwd", "role", "remove"]) {
    expect(stdout.toString()).toMatch(new RegExp(`^ {2}${action} `, "m"));
  }
});
