/** `?` and TAB while a line is typed. */
import { assistConsole } from "@wirelab/engine/devices/assist-console";
import { Router } from "@wirelab/engine/devices/router/index";
import type { Assistant } from "@wirelab/engine/terminal/assistant";
import { feed, makeTerminal, type TerminalState } from "@wirelab/engine/terminal/terminal";
import { describe, expect, test } from "vitest";
import { DeviceBench } from "../../../helpers/engine/device-bench.ts";
import { Screen } from "../../../helpers/engine/screen.ts";
import { specOf } from "../devices/router/probe.ts";

const PROMPT = "R1> ";
const LEFT = "\x1b[D";
const ROUTER = specOf({ ports: [{}, {}] });

/** A user at the terminal of a router; entered lines are noted, and not run. */
class User {
  state: TerminalState = makeTerminal();
  readonly screen = new Screen().print(PROMPT);
  readonly entered: string[] = [];
  printed = "";
  readonly #assistant: Assistant | undefined;

  constructor(spec: Parameters<typeof assistConsole>[0] = ROUTER) {
    this.#assistant = assistConsole(spec, undefined);
  }

  type(text: string): this {
    const { state, entered, screen } = feed(this.state, text, PROMPT, this.#assistant);
    this.state = state;
    this.printed = entered.map(({ screen: echo }) => `${echo}${PROMPT}`).join("") + screen;
    this.screen.print(this.printed);
    this.entered.push(...entered.map(({ line }) => line));
    return this;
  }
}

describe("a question mark", () => {
  test("lists what may follow at once, and the line goes on", () => {
    const user = new User().type("show ip r?");
    expect(user.screen.rows).toEqual([
      "R1> show ip r?",
      expect.stringMatching(/^ {2}rip {4}\S/),
      expect.stringMatching(/^ {2}route {2}\S/),
      "R1> show ip r",
    ]);
    expect(user.type("o\r").entered).toEqual(["show ip ro"]);
  });

  test("in the middle of a line asks about what is before it, and the cursor stays", () => {
    const user = new User().type(`show run${LEFT.repeat(4)}?`);
    expect(user.screen.line).toBe("R1> show| run");
    expect(user.screen.rows[0]).toBe("R1> show run?");
  });

  test("does not depend on how the input is split", () => {
    const whole = new User().type("show ip r?oute\rsh?");
    const split = new User();
    for (const character of "show ip r?oute\rsh?") split.type(character);
    expect(split.screen.rows).toEqual(whole.screen.rows);
    expect(split.state).toEqual(whole.state);
  });

  test.each(["\x16?", "\x16\x16?"])("after Ctrl-V is a character (%j)", (keys) => {
    expect(new User().type(`a${keys}b\r`).entered).toEqual(["a?b"]);
  });

  test("is a character on a console without help", () => {
    const user = new User({ type: "ethernet_hub", name: "H", ports: 4 });
    expect(user.type("a?b\r").entered).toEqual(["a?b"]);
  });

  test("and TAB work on a server", () => {
    const spec = { type: "server", name: "S1" } as unknown as Parameters<typeof assistConsole>[0];
    expect(assistConsole(spec, undefined)?.complete("sh")).toEqual(["show"]);
    expect(assistConsole(spec, undefined)?.help("http ")).toEqual(["  get  Fetch a file"]);
  });
});

describe("TAB", () => {
  test.each([
    ["completes a word, and begins the next one", "sho\t", "show |"],
    ["ends a whole word", "show\t", "show |"],
    ["completes as far as the words agree", "acc\t", "access-|"],
    ["completes the name of an interface", "mtu E\t", "mtu Ethernet|"],
    ["completes it in any case", "mtu ethernet1\t", "mtu ethernet1 |"],
    ["completes the next word if only one may follow", "copy \t", "copy running-config |"],
    ["completes in the middle of a line", `sho run${LEFT.repeat(4)}\t`, "show | run"],
    ["completes several words one after another", "sho\trun\t", "show running-config |"],
  ])("%s: %j", (_what, keys, line) => {
    expect(new User().type(keys).screen.line).toBe(`R1> ${line}`);
  });

  test("lists the words if they agree no further", () => {
    const user = new User().type("show ip r\t");
    expect(user.screen.rows).toEqual(["R1> show ip r", "rip  route", "R1> show ip r"]);
  });

  test.each(["frob", "ping 10.0.0.1", "help "])("rings if nothing fits: %j", (line) => {
    const user = new User().type(`${line}\t`);
    expect(user.printed).toBe(`${line}\x07`);
    expect(user.state.edited.line).toBe(line);
  });
});

test("help knows the mode and the interfaces that the console has made", () => {
  const bench = new DeviceBench();
  const router = bench.add("R1", (world) => new Router(ROUTER, world));
  bench.type("R1", "configure terminal", "interface lo0 loopback", "interface lo0");
  const assistant = assistConsole(ROUTER, router.saveState());
  expect(assistant?.complete("ip ad")).toEqual(["address"]);
  expect(assistant?.complete("do show run")).toEqual(["running-config"]);
  expect(assistant?.complete("show run")).toEqual([]);
  bench.type("R1", "exit");
  expect(assistConsole(ROUTER, router.saveState())?.complete("interface ")).toContain("lo0");
});
