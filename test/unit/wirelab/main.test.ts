import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pointAt } from "../../../packages/wirelab/failure.ts";
import { CLI, FIXTURE, makeFolder, NODE, runCli } from "./run-cli.ts";

const folder = makeFolder();

describe("wirelab", () => {
  test("lists its commands and their arguments", async () => {
    const { code, stdout } = await runCli(["--help"]);
    expect(code).toBe(0);
    for (const command of ["link", "match", "explain", "console", "proxy"]) {
      expect(stdout.toString()).toContain(`wirelab ${command}`);
      const help = await runCli([command, "--help"]);
      expect([help.code, help.stdout.toString()]).toEqual([
        0,
        expect.stringContaining(`Usage: wirelab ${command}`),
      ]);
    }
  });

  test("exits with 2 without a command, or with an unknown one", async () => {
    expect(await runCli([])).toMatchObject({ code: 2, stderr: expect.stringContaining("Usage:") });
    for (const [name, advice] of [
      ["toString", "Expected one of: test, run, new, "],
      ["Match", 'Did you mean "match"?'],
      ["tets", 'Did you mean "test"?'],
    ] as const) {
      const { code, stderr } = await runCli([name]);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`wirelab: unknown command "${name}". ${advice}`),
      ]);
      expect(stderr).toContain('\nTry "wirelab --help".\n');
    }
    expect(await runCli(["help", "tets"])).toMatchObject({ code: 2 });
  });

  test("help of a command is the text of its --help", async () => {
    expect((await runCli(["help"])).stdout).toEqual((await runCli(["--help"])).stdout);
    expect((await runCli(["help", "trace"])).stdout).toEqual((await runCli(["trace", "--help"])).stdout);
  });

  test("prints its version, which is the package's", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
    const { code, stdout } = await runCli(["--version"]);
    expect([code, stdout.toString()]).toEqual([0, `wirelab ${version}\n`]);
  });

  test.each([
    [["match", "--count", "ip", "f"], "unknown option --count. There are none but --help."],
    [["explain", "--type", "x"], "unknown option --type. Expected one of: --link-type."],
    [["trace", "--form"], 'unknown option --form. Did you mean "--from"?'],
    [["link", "--seed"], "--seed needs a value"],
    [["link", "--json=1", "a", "b"], "--json takes no value"],
    [["match", "tcp", "80", "f", "g"], 'unexpected argument "g": expected EXPR in.pcap [out.pcap]'],
  ])("%j: %s", async (args, message) => {
    expect(await runCli(args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`wirelab: ${message}`),
    });
  });

  test("explains an expression, for any link type", async () => {
    const { code, stdout } = await runCli(["explain", "tcp port 80 or 443"]);
    expect([code, stdout.toString()]).toEqual([
      0,
      expect.stringContaining("tcp port 443, source or destination"),
    ]);
    expect((await runCli(["explain", "--link-type", "DLT_C_HDLC", "ether host 1:2:3:4:5:6"])).code).toBe(1);
    expect((await runCli(["explain", "--link-type", "DLT_X", "ip"])).code).toBe(2);
    expect(await runCli(["explain", "tcp prot 80"])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/column 5.*\n {2}tcp prot 80\n {6}\^\n$/),
    });
  });
});

test("a message about a long expression shows the part around the fault", () => {
  const text = `${"ip or ".repeat(100)}foo${" or ip".repeat(100)}`;
  const [line, caret] = pointAt(text, 1, 601).split("\n") as [string, string];
  expect(line.length).toBe(102);
  expect(line.slice(caret.indexOf("^"), caret.indexOf("^") + 3)).toBe("foo");
});

test.each([
  ["tcp\rprot 80", 2, "  prot 80\n  ^\n"],
  ["ip and\r\nudp prot 53", 2, "  udp prot 53\n      ^\n"],
  ["tcp prot 80\rudp", 1, "  tcp prot 80\n      ^\n"],
])("the caret is under the fault, for any line ending: %j", async (text, line, shown) => {
  const { code, stderr } = await runCli(["explain", text]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(new RegExp(`^wirelab: line ${line}, column `))]);
  expect(stderr.endsWith(`\n${shown}`)).toBe(true);
});

test("a message about a link's bpf filter points at the fault too", async () => {
  const filter = "bpf=ip\r\rtcp prot 80";
  const { code, stderr } = await runCli(["link", "--filter", filter, FIXTURE, join(folder, "out.pcap")]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/line 3.*\n {2}tcp prot 80\n {6}\^\n$/)]);
});

describe("as a program, wirelab", () => {
  test("ends with the exit code", () => {
    const run = (...args: string[]) => spawnSync(NODE, [CLI, ...args], { encoding: "utf8" });
    expect(run("match", "icmp", FIXTURE, "/dev/null")).toMatchObject({
      status: 0,
      stderr: "405 of 473 packets match\n",
    });
    expect(run("match", "icmp and", FIXTURE)).toMatchObject({ status: 1, stdout: "" });
    expect(run("march")).toMatchObject({ status: 2, stdout: "" });
  });

  test("ends quietly when the reader closes its output", () => {
    const piped = spawnSync(
      "sh",
      ["-c", `{ "${NODE}" "${CLI}" match "" - ; echo $? >&2; } | head -c 1 > /dev/null`],
      {
        input: endlessCapture(),
        encoding: "utf8",
      },
    );
    expect(piped.stderr).toBe("0\n");
  });

  test("removes its partial output when it is interrupted", async () => {
    const out = join(folder, "out.pcap");
    const child = spawn(NODE, [CLI, "match", "", "-", out], { stdio: ["pipe", "ignore", "ignore"] });
    child.stdin.write(endlessCapture().subarray(0, 100_000));
    while (!readdirSync(folder).some((name) => name.endsWith(".tmp")))
      await new Promise((done) => setTimeout(done, 10));
    child.kill("SIGINT");
    const [, signal] = await once(child, "exit");
    expect([signal, readdirSync(folder)]).toEqual(["SIGINT", []]);
  });
});

/** More bytes than a pipe buffers. */
function endlessCapture(): Buffer {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(0xa1b2c3d4, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(65_535, 16);
  header.writeUInt32LE(1, 20);
  const record = Buffer.alloc(16 + 1000);
  record.writeUInt32LE(1000, 8);
  return Buffer.concat([header, ...Array.from({ length: 2000 }, () => record)]);
}
