/** How `wirelab users` is called; what it does to a table is in test/integration/auth.test.ts. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCli } from "./run-cli.ts";

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
    [[], "ACTION is missing"],
    [["greet"], 'users cannot "greet"; it can add, list, passwd, role, remove, unlock'],
    [["constructor"], 'users cannot "constructor"'],
    [["list"], "which table? Give --table, --stack or WIRELAB_TABLE"],
    [["list", ...TABLE, "--stack", "S"], "--table or --stack, not both"],
    [["add", ...TABLE], "expected users add NAME"],
    [["role", "alice", ...TABLE], "expected users role NAME ROLE"],
    [["list", "--role", "admin", ...TABLE], "users list takes no --role"],
    [["remove", "alice", "--password-stdin", ...TABLE], "users remove takes no --password-stdin"],
    [["add", "alice", "--role", "root", ...TABLE], "root is no role; there are viewer, editor, admin"],
    [["unlock", ...TABLE], "expected users unlock NAME"],
    [["unlock", "a#b", ...TABLE], '"a#b": a name has up to 64 of'],
    [["add", "a:b", ...TABLE], '"a:b": a name has up to 64 of'],
    [["add", "x\ny", ...TABLE], '"x\\ny": a name has up to 64 of'],
    [["add", "alice", "--password", "secret", ...TABLE], "Unknown option '--password'"],
  ])("%j says so", async (args, message) => {
    const { code, stdout, stderr } = await runCli(["users", ...args]);
    expect(stderr).toContain(message);
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 2, stdout: "" });
  });

  test("a password that is too short is told before anything is written, and is not repeated", async () => {
    const { code, stderr } = await runCli(["users", "add", "alice", "--password-stdin", ...TABLE], {
      stdin: Buffer.from("short\n"),
    });
    expect(code).toBe(1);
    expect(stderr).toBe("wirelab: the password has to have 12 characters\n");
  });
});

test("wirelab users --help names every action", async () => {
  const { code, stdout } = await runCli(["users", "--help"]);
  expect(code).toBe(0);
  for (const action of ["add", "list", "passwd", "role", "remove"]) {
    expect(stdout.toString()).toMatch(new RegExp(`^ {2}${action} `, "m"));
  }
});
