import { once } from "node:events";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { main } from "../../../packages/wirelab/main.ts";
import { FakeService, PASSWORD } from "../../helpers/wirelab/fake-service.ts";
import { runCli } from "./run-cli.ts";

let service: FakeService;

beforeEach(async () => {
  service = await new FakeService().start();
  service.add("PC1-id", 5000);
  vi.stubEnv("WIRELAB_PASSWORD", PASSWORD);
  vi.stubEnv("WIRELAB_URL", service.url);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await service.stop();
});

test("a pipe: types the lines, prints the output without CR, and ends with the last line", async () => {
  const { code, stdout } = await runCli(["console", "lab", "PC1"], { stdin: Buffer.from("show\nshow é\nx") });
  expect(code).toBe(0);
  expect(stdout.toString()).toBe("\nPC1> show\n<show>\n\nPC1> show \n<show >\n\nPC1> x\n");
});

test("a pipe: the input may be empty", async () => {
  const { code, stdout } = await runCli(["console", "lab-id", "PC1-id"]);
  expect([code, stdout.toString()]).toEqual([0, "\nPC1> \n"]);
});

test("a pipe: does not print that a run computes, which the output replaces on a terminal", async () => {
  const { stdout } = await runCli(["console", "lab", "PC1"], { stdin: Buffer.from("slow\n") });
  expect(stdout.toString()).toBe("\nPC1> slow\n<slow>\n\nPC1> \n");
});

test("ends when the service closes the console", async () => {
  const input = (function* () {
    yield Buffer.from("halt\n");
  })();
  const { code, stdout } = await runCli(["console", "lab", "PC1"], { stdin: input });
  expect([code, stdout.toString()]).toEqual([0, "\nPC1> halt\n<halt>\n\nPC1> \n"]);
});

test.each([
  [["another", "PC1"], "there is no project another; there are: lab, shut"],
  [["lab", "PC2"], "there is no node PC2; there are: PC1"],
  [["shut", "PC1"], "there is no node PC1; there are: none"],
])("%j: %s", async (names, message) => {
  expect(await runCli(["console", ...names])).toMatchObject({ code: 1, stderr: `wirelab: ${message}\n` });
});

test("explains a service that refuses the console, the credentials, or does not answer", async () => {
  service.add("unknown", 5001);
  expect(await runCli(["console", "lab", "unknown"])).toMatchObject({
    code: 1,
    stderr: "wirelab: the console of unknown cannot be opened: 404 Node ID unknown doesn't exist\n",
  });
  vi.stubEnv("WIRELAB_PASSWORD", "wrong");
  expect(await runCli(["console", "lab", "PC1"])).toMatchObject({
    code: 1,
    stderr: `wirelab: ${service.url} requires credentials: set WIRELAB_USER and WIRELAB_PASSWORD\n`,
  });
  const { code, stderr } = await runCli(["console", "--url", "http://127.0.0.1:2/v2", "lab", "PC1"]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/127\.0\.0\.1:2\/v2 does not answer: .*ECONNREFUSED/),
  ]);
});

/** Standard input of a terminal, with the modes that were set. */
class Keyboard extends PassThrough {
  readonly isTTY = true;
  readonly modes: boolean[] = [];

  setRawMode(isRaw: boolean): this {
    this.modes.push(isRaw);
    return this;
  }
}

function openTerminal() {
  const stdin = new Keyboard();
  const stdout = new PassThrough({ encoding: "utf8" });
  const stderr = new PassThrough({ encoding: "utf8" });
  let screen = "";
  stdout.on("data", (text: string) => {
    screen += text;
  });
  return {
    stdin,
    stderr,
    screen: () => screen,
    exit: main(["console", "lab", "PC1"], { stdin, stdout, stderr }),
    async untilScreen(end: string) {
      while (!screen.endsWith(end)) await once(stdout, "data");
    },
  };
}

test("a terminal: raw while the console is open, until Ctrl-]", async () => {
  const terminal = openTerminal();
  await terminal.untilScreen("PC1> ");
  expect(terminal.stdin.modes).toEqual([true]);
  terminal.stdin.write("shw\x1b[Do\r");
  await terminal.untilScreen("<show>\r\n\r\nPC1> ");
  terminal.stdin.write("\x1d");
  expect(await terminal.exit).toBe(0);
  expect(terminal.stdin.modes).toEqual([true, false]);
  expect(terminal.stderr.read()).toBe("Console of PC1; Ctrl-] leaves.\r\n");
  expect(process.listeners("exit").filter(({ name }) => name === "restore")).toEqual([]);
});

test("a terminal: restored when the service closes the console, and when the connection breaks", async () => {
  const halted = openTerminal();
  await halted.untilScreen("PC1> ");
  halted.stdin.write("halt\r");
  expect(await halted.exit).toBe(0);
  expect(halted.stdin.modes).toEqual([true, false]);

  const broken = openTerminal();
  await broken.untilScreen("PC1> ");
  service.consoles.at(-1)!.terminate();
  expect(await broken.exit).toBe(0);
  expect(broken.stdin.modes).toEqual([true, false]);
});
