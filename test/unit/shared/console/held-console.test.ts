/** How a request handles the input of a console: the store, the connections and the lab are stand-ins. */
import { ConsoleSession } from "@wirelab/engine/simulation/console-session";
import { makeTerminal } from "@wirelab/engine/terminal/terminal";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { handleInput } from "../../../../functions/shared/console/held-console.ts";
import { failure, failureOf } from "../../../../functions/shared/edge/errors.ts";
import { GUEST_ERRORS } from "../../../../functions/shared/edge/own-errors/guest.ts";
import type { ConsoleItem } from "../../../../functions/shared/store/console/console.ts";

const mocks = vi.hoisted(() => ({
  getConsole: vi.fn(),
  listConsoles: vi.fn(),
  releaseConsole: vi.fn(),
  removeConsole: vi.fn(),
  saveProgress: vi.fn(),
  send: vi.fn(),
  disconnect: vi.fn(),
  take: vi.fn(),
  runLines: vi.fn(),
  readItems: vi.fn(),
}));
vi.mock("../../../../functions/shared/store/console/console.ts", () => mocks);
vi.mock("../../../../functions/shared/store/sockets/send.ts", () => mocks);
vi.mock("../../../../functions/shared/store/contents/read.ts", () => mocks);
vi.mock("../../../../functions/shared/store/limits/pace.ts", () => ({ runPace: mocks }));
vi.mock("../../../../functions/shared/console/run-lines.ts", () => mocks);

const PROMPT = "PC1> ";

const itemWith = (texts: readonly string[], fields: Partial<ConsoleItem> = {}): ConsoleItem => ({
  project_id: "p",
  node_id: "n",
  connection_id: "own",
  terminal: makeTerminal(),
  prompt: PROMPT,
  input: texts.map((text, index) => ({ id: `m${index}`, at_ms: index, text })),
  handled: 0,
  characters: 0,
  revision: texts.length,
  holder: "me",
  held_until_ms: Number.MAX_SAFE_INTEGER,
  expires_s: 0,
  ...fields,
});

const surroundings = {
  access: { caller: { name: "eva", role: "editor" }, needed: "editor" },
  pace: "once",
  remainingTimeMs: () => 29_000,
} as const;

const nodeOf = (node_type: string) => ({
  node_id: "n",
  name: "R1",
  links: {},
  document: { node_type, properties: {}, compute_id: "local" },
});

/** What the console `own` printed. */
const printed = (id = "own"): string =>
  mocks.send.mock.calls.flatMap(([to, text]) => (to === id ? [text] : [])).join("");
const run = (): string[][] => mocks.runLines.mock.calls.map(([, , lines]) => lines);

beforeEach(() => {
  for (const mock of Object.values(mocks)) mock.mockReset();
  mocks.getConsole.mockResolvedValue(undefined);
  mocks.readItems.mockResolvedValue({ nodes: new Map([["n", nodeOf("vpcs")]]) });
  mocks.listConsoles.mockResolvedValue([]);
  mocks.releaseConsole.mockResolvedValue(true);
  mocks.saveProgress.mockResolvedValue(true);
  mocks.send.mockResolvedValue(true);
  mocks.take.mockResolvedValue({ limit: 10, retryAfterS: undefined });
  mocks.runLines.mockImplementation(async (_access, _key, lines: string[]) => {
    const session = new ConsoleSession("n", lines, { isEchoed: false });
    const terminal = {
      prompt: PROMPT,
      enter(line: string, done: () => void) {
        session.print(`<${line}>\n\n${PROMPT}`, 0);
        done();
      },
      interrupt: () => {},
    };
    session.begin(
      terminal,
      () => 0,
      (_kind, next) => next.typeNext(),
    );
    return { session, prompt: PROMPT, notice: undefined };
  });
});

test("echoes keys and stores the terminal", async () => {
  await handleInput(itemWith(["pi", "nx\x7f"]), surroundings);
  expect(printed()).toBe("pinx\b \b");
  const [, progress] = mocks.releaseConsole.mock.calls[0]!;
  expect(progress.terminal.edited.line).toBe("pin");
  expect(run()).toEqual([]);
});

test("handles messages in the order in which API Gateway received them, and a repeated one once", async () => {
  const input = [
    { id: "b", at_ms: 2, text: "b" },
    { id: "a", at_ms: 1, text: "a" },
    { id: "b", at_ms: 2, text: "b" },
  ];
  await handleInput(itemWith([], { input }), surroundings);
  expect(printed()).toBe("ab");
});

test("types the line again when a message arrives after later ones", async () => {
  mocks.releaseConsole.mockResolvedValueOnce(false);
  const input = [
    { id: "p", at_ms: 1, text: "p" },
    { id: "n", at_ms: 3, text: "n" },
  ];
  mocks.getConsole.mockResolvedValueOnce(
    itemWith([], { input: [...input, { id: "i", at_ms: 2, text: "i" }] }),
  );
  await handleInput(itemWith([], { input }), surroundings);
  expect(printed()).toBe(`pn\r\x1b[K${PROMPT}pin`);
  const [, progress] = mocks.releaseConsole.mock.calls.at(-1)!;
  expect(progress.terminal.edited.line).toBe("pin");
});

test("places a late message in a line that an earlier request has stored", async () => {
  await handleInput(
    itemWith(["a"], {
      input: [
        { id: "a", at_ms: 1, text: "a" },
        { id: "c", at_ms: 3, text: "c" },
      ],
    }),
    surroundings,
  );
  const [, stored] = mocks.releaseConsole.mock.calls[0]!;
  mocks.send.mockClear();
  await handleInput(itemWith([], { ...stored, input: [{ id: "b", at_ms: 2, text: "b" }] }), surroundings);
  expect(printed()).toBe(`\r\x1b[K${PROMPT}abc`);
});

test("Enter waits for keys that were typed before it", async () => {
  const enteredMs = Date.now();
  const input = [{ id: "enter", at_ms: enteredMs, text: "\r" }];
  mocks.getConsole.mockResolvedValueOnce(
    itemWith([], {
      input: [
        ...input,
        { id: "s", at_ms: enteredMs - 2, text: "s" },
        { id: "x", at_ms: enteredMs + 1, text: "x" },
        { id: "h", at_ms: enteredMs - 1, text: "h" },
      ],
    }),
  );
  await handleInput(itemWith([], { input }), surroundings);
  expect(run()).toEqual([["sh"]]);
  expect(printed()).toBe(`sh\r\n<sh>\r\n\r\n${PROMPT}x`);
});

test("a line that has run is not typed again", async () => {
  mocks.releaseConsole.mockResolvedValueOnce(false);
  const input = [{ id: "show", at_ms: 5, text: "show\r" }];
  mocks.getConsole.mockResolvedValueOnce(
    itemWith([], { input: [...input, { id: "late", at_ms: 1, text: "x" }] }),
  );
  await handleInput(itemWith([], { input }), surroundings);
  expect(run()).toEqual([["show"]]);
  expect(printed()).toBe(`show\r\n<show>\r\n\r\n${PROMPT}x`);
});

test("puts messages in their places in a line of at most 256 messages", async () => {
  const letters = Array.from({ length: 300 }, (_, index) => ({ id: `${index}`, at_ms: index, text: "x" }));
  await handleInput(itemWith([], { input: letters }), surroundings);
  const [, stored] = mocks.releaseConsole.mock.calls[0]!;
  expect(stored.line.messages).toHaveLength(256);
  await handleInput(itemWith([], { ...stored, input: [{ id: "y", at_ms: 0, text: "y" }] }), surroundings);
  const [, { terminal }] = mocks.releaseConsole.mock.calls[1]!;
  expect(terminal.edited.line).toBe(`${"x".repeat(44)}y${"x".repeat(256)}`);
});

test("runs entered lines in one run, and shows each above its output", async () => {
  await handleInput(itemWith(["one\ntwo\nthr"]), surroundings);
  expect(run()).toEqual([["one", "two"]]);
  expect(printed()).toBe(`one\r\n<one>\r\n\r\n${PROMPT}two\r\n<two>\r\n\r\n${PROMPT}thr`);
  expect(mocks.take).toHaveBeenCalledExactlyOnceWith("eva");
});

test("an empty line runs nothing", async () => {
  await handleInput(itemWith(["\r\n \r"]), surroundings);
  expect(run()).toEqual([]);
  expect(printed()).toBe(`\r\n\r\n${PROMPT} \r\n\r\n${PROMPT}`);
});

test("types at most 256 lines in a run", async () => {
  await handleInput(itemWith(["x\n".repeat(300)]), surroundings);
  expect(run().map((lines) => lines.length)).toEqual([256, 44]);
});

test("handles what was typed meanwhile before it releases the console", async () => {
  mocks.releaseConsole.mockResolvedValueOnce(false);
  mocks.getConsole.mockResolvedValueOnce(itemWith(["a", "b"]));
  await handleInput(itemWith(["a"]), surroundings);
  expect(printed()).toBe("ab");
  expect(mocks.releaseConsole).toHaveBeenCalledTimes(2);
});

test("does not handle input again that a request has handled before it died", async () => {
  await handleInput(itemWith(["show\r", "x"], { handled: 1 }), surroundings);
  expect(run()).toEqual([]);
  expect(printed()).toBe("x");
});

test("runs nothing when another request has taken the console", async () => {
  mocks.saveProgress.mockResolvedValueOnce(false);
  await handleInput(itemWith(["show\r"]), surroundings);
  expect(run()).toEqual([]);
  expect(mocks.releaseConsole).not.toHaveBeenCalled();
});

test("shows the line and its output on the other consoles of the node, above what is typed there", async () => {
  const terminal = { ...makeTerminal(), edited: { line: "abc", cursor: 1 } };
  mocks.listConsoles.mockResolvedValueOnce([
    itemWith([]),
    itemWith([], { connection_id: "other", terminal }),
  ]);
  await handleInput(itemWith(["how\x01s\r"]), surroundings);
  expect(printed("other")).toBe(`\r\x1b[K${PROMPT}show\r\n<show>\r\n\r\n${PROMPT}abc\b\b`);
});

test("forgets another console whose connection has ended", async () => {
  mocks.listConsoles.mockResolvedValueOnce([itemWith([], { connection_id: "gone" })]);
  mocks.send.mockImplementation(async (id: string) => id !== "gone");
  await handleInput(itemWith(["show\r"]), surroundings);
  expect(mocks.removeConsole.mock.calls.map(([{ connection_id }]) => connection_id)).toEqual(["gone"]);
});

test("prints an error as one line, and goes on", async () => {
  mocks.take.mockResolvedValueOnce({ limit: 10, retryAfterS: 7 });
  await handleInput(itemWith(["show\rx"]), surroundings);
  expect(printed()).toMatch(/^show\r\neva has sent 10 requests .*retry in 7 s\r\n\r\nPC1> x$/);
  expect(run()).toEqual([]);
  expect(mocks.disconnect).not.toHaveBeenCalled();
  expect(mocks.releaseConsole).toHaveBeenCalledOnce();
});

test("closes the console of a node that was stopped, with the reason", async () => {
  mocks.runLines.mockRejectedValueOnce(failure("node.not-started", { name: "PC1", status: "stopped" }));
  await handleInput(itemWith(["show\rx"]), surroundings);
  expect(printed()).toBe("show\r\nNode PC1 is stopped; start it first\r\n");
  expect(mocks.removeConsole).toHaveBeenCalledOnce();
  expect(mocks.disconnect).toHaveBeenCalledExactlyOnceWith("own");
});

test("a fault of the service is one line without its cause; the console is released, and the fault is logged", async () => {
  mocks.runLines.mockRejectedValueOnce(new Error("secret"));
  await expect(handleInput(itemWith(["show\rx"]), surroundings)).rejects.toThrow("secret");
  expect(printed()).toBe(
    `show\r\nThe service failed; the command may not have run. Try again.\r\n\r\n${PROMPT}x`,
  );
  expect(mocks.releaseConsole).toHaveBeenCalledOnce();
});

test("keeps the prompt that a run has left, and the one before it if the device has none", async () => {
  const leaving = async (prompt: string | undefined) => {
    const session = new ConsoleSession("n", ["configure"], { isEchoed: false });
    session.print("R1(config)# ", 0);
    mocks.runLines.mockResolvedValueOnce({ session, prompt, notice: undefined });
    await handleInput(itemWith(["configure\rx"]), surroundings);
    return mocks.releaseConsole.mock.calls.at(-1)![1].prompt;
  };
  expect(await leaving("R1(config)# ")).toBe("R1(config)# ");
  expect(await leaving(undefined)).toBe(PROMPT);
});

test("names the limit that ended a run", async () => {
  const session = new ConsoleSession("n", ["ping -t"], { isEchoed: false });
  session.print("1\n^C\nPC1> ", 0);
  mocks.runLines.mockResolvedValueOnce({ session, prompt: PROMPT, notice: "Stopped after an hour." });
  await handleInput(itemWith(["ping -t\r"]), surroundings);
  expect(printed()).toBe(`ping -t\r\n1\r\n^C\r\nPC1> \r\x1b[KStopped after an hour.\r\n\r\n${PROMPT}`);
});

test("stops when the connection has ended", async () => {
  mocks.send.mockResolvedValue(false);
  await handleInput(itemWith(["show\rshow ip\r"]), surroundings);
  expect(mocks.removeConsole).toHaveBeenCalled();
  expect(mocks.releaseConsole).not.toHaveBeenCalled();
});

test("sends long output in parts, and cuts no character", async () => {
  const session = new ConsoleSession("n", ["x"], { isEchoed: false });
  session.print(`a${"😀".repeat(40_000)}`, 0);
  mocks.runLines.mockResolvedValueOnce({ session, prompt: PROMPT, notice: undefined });
  await handleInput(itemWith(["x\r"]), surroundings);
  const parts = mocks.send.mock.calls.map(([, text]) => text as string);
  expect(parts.join("")).toBe(`x\r\na${"😀".repeat(40_000)}`);
  for (const part of parts) {
    expect(part.isWellFormed()).toBe(true);
    expect(Buffer.byteLength(part)).toBeLessThanOrEqual(131_072);
  }
});

test("at real pace, Ctrl-C ends the output and drops what was typed before it", async () => {
  const session = new ConsoleSession("n", ["ping"], { isEchoed: false });
  session.print("one\n", 0);
  session.print("two\n\nPC1> ", 60_000_000_000);
  mocks.runLines.mockResolvedValueOnce({ session, prompt: PROMPT, notice: undefined });
  const later = itemWith(["ping\r", "lost\r", "lost\x03kept"]);
  mocks.getConsole.mockResolvedValue(later);
  mocks.releaseConsole.mockResolvedValueOnce(false);
  await handleInput(itemWith(["ping\r"]), { ...surroundings, pace: "real" });
  expect(printed()).toBe(`ping\r\none\r\n^C\r\n\r\n${PROMPT}kept`);
});

describe("in a lab with Linux nodes", () => {
  const needsGuests = () => failureOf(GUEST_ERRORS, "node.needs-guests", { name: "a" });

  test("hands the lines that have not run to the function `guests`, shows that it runs, and releases nothing", async () => {
    mocks.runLines.mockRejectedValueOnce(needsGuests());
    const handOver = vi.fn();
    const item = itemWith(["one\rtwo\rth", "ree"]);
    await handleInput(item, { ...surroundings, handOver });
    expect(printed()).toBe("one\r\n[running]");
    expect(handOver).toHaveBeenCalledExactlyOnceWith(item, {
      lines: [
        { line: "one", screen: "" },
        { line: "two", screen: "two\r\n" },
      ],
      screen: "th",
      begun: [{ id: "m1", at_ms: 1, text: "ree" }],
      seen: ["m0", "m1"],
    });
    expect(mocks.releaseConsole).not.toHaveBeenCalled();
  });

  test("prints an error if that function cannot be started, and goes on", async () => {
    mocks.runLines.mockRejectedValueOnce(needsGuests());
    const handOver = vi.fn().mockRejectedValue(failure("store.unavailable"));
    await handleInput(itemWith(["one\r"]), { ...surroundings, handOver });
    expect(printed()).toBe(
      `one\r\n[running]\r\x1b[K${failure("store.unavailable").message}\r\n\r\n${PROMPT}`,
    );
    expect(mocks.releaseConsole).toHaveBeenCalledOnce();
  });

  const ENTERED = {
    lines: [{ line: "one", screen: "" }],
    screen: "x",
    begun: [{ id: "m1", at_ms: 1, text: "y" }],
    seen: ["m0", "m1"],
  };
  const guests = { ...surroundings, labSeconds: () => 2.5 };

  test("the function `guests` runs the lines, then what follows them, then what was typed meanwhile", async () => {
    const terminal = { ...makeTerminal(), edited: { line: "x", cursor: 1 } };
    const item = itemWith(["one\rx", "y"], { handled: 2, terminal });
    mocks.getConsole.mockResolvedValue({
      ...item,
      input: [...item.input, { id: "m2", at_ms: 2, text: "z\r" }],
    });
    await handleInput(item, guests, ENTERED);
    expect(run()).toEqual([["one"], ["xyz"]]);
    expect(printed()).toBe(`\r\x1b[K<one>\r\n\r\n${PROMPT}xyz\r\n[running]\r\x1b[K<xyz>\r\n\r\n${PROMPT}`);
    // The first run was counted when the lines were entered.
    expect(mocks.take).toHaveBeenCalledOnce();
    expect(mocks.releaseConsole).toHaveBeenCalledOnce();
  });

  test("Ctrl-C during a run interrupts it, and drops what was typed before", async () => {
    const item = itemWith(["one\r"], { handled: 1 });
    mocks.getConsole.mockResolvedValue(itemWith(["one\r", "lost\r", "lost\x03kept"]));
    const runWhole = mocks.runLines.getMockImplementation()!;
    mocks.runLines.mockImplementationOnce(async (...args) => {
      await vi.waitUntil(() => args[4](), { timeout: 5_000 });
      return runWhole(...args);
    });
    await handleInput(item, guests, { ...ENTERED, screen: "", begun: [], seen: ["m0"] });
    expect(run()).toEqual([["one"]]);
    expect(printed()).toBe(`\r\x1b[K<one>\r\n\r\n${PROMPT}kept`);
  });
});

test("lists at once what may follow a question mark on a router, without a run", async () => {
  mocks.readItems.mockResolvedValue({ nodes: new Map([["n", nodeOf("router")]]) });
  await handleInput(itemWith(["show ip r", "?"]), surroundings);
  expect(printed()).toMatch(/^show ip r\?\r\n {2}rip .*\r\n {2}route .*\r\nPC1> show ip r$/);
  expect(run()).toEqual([]);
});

test("completes words of pasted lines, and reads the router after each line", async () => {
  mocks.readItems.mockResolvedValue({ nodes: new Map([["n", nodeOf("router")]]) });
  await handleInput(itemWith(["help\rsho\trun\t\rmtu E\t"]), surroundings);
  expect(run()).toEqual([["help"], ["show running-config "]]);
  expect(mocks.readItems).toHaveBeenCalledTimes(2);
  expect(printed()).toMatch(/PC1> mtu Ethernet$/);
});

test("a question mark on a PC is a character, and TAB is ignored", async () => {
  await handleInput(itemWith(["?", "\t", "\r"]), surroundings);
  expect(run()).toEqual([["?"]]);
});

test("a late key is typed after help, which is not printed again", async () => {
  mocks.readItems.mockResolvedValue({ nodes: new Map([["n", nodeOf("router")]]) });
  const early = { ...itemWith(["show ", "?"]), revision: 3 };
  const late = { id: "late", at_ms: 0.5, text: "i" };
  mocks.getConsole.mockResolvedValue({ ...early, input: [...early.input, late] });
  mocks.releaseConsole.mockResolvedValueOnce(false);
  await handleInput(early, surroundings);
  expect(printed().match(/show \?/g)).toHaveLength(1);
  expect(printed()).toMatch(/PC1> show i$/);
});

test("hands what follows entered lines to the function `guests` if it asks for help", async () => {
  mocks.runLines.mockRejectedValueOnce(failureOf(GUEST_ERRORS, "node.needs-guests", { name: "a" }));
  const handOver = vi.fn();
  await handleInput(itemWith(["one\rtwo?\r", "x"]), { ...surroundings, handOver });
  expect(handOver.mock.calls[0]?.[1]).toMatchObject({
    lines: [{ line: "one" }],
    begun: [{ text: "two?\r" }, { text: "x" }],
  });
});
