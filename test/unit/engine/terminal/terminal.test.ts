import { feed, makeTerminal, printAbove, type TerminalState } from "@wirelab/engine/terminal/terminal";
import { describe, expect, test } from "vitest";
import { Screen } from "../../../helpers/engine/screen.ts";

const PROMPT = "PC1> ";
const LEFT = "\x1b[D";
const RIGHT = "\x1b[C";
const UP = "\x1b[A";
const DOWN = "\x1b[B";

/** A user at the terminal of a device that prints nothing but its prompt. */
class User {
  state: TerminalState;
  readonly screen = new Screen().print(PROMPT);
  readonly entered: string[] = [];
  printed = "";

  constructor(history: readonly string[] = []) {
    this.state = makeTerminal(history);
  }

  type(text: string): this {
    const { state, entered, screen } = feed(this.state, text, PROMPT);
    this.state = state;
    this.printed = entered.map(({ screen: echo, line }) => `${echo}<${line}>\r\n${PROMPT}`).join("") + screen;
    this.screen.print(this.printed);
    this.entered.push(...entered.map(({ line }) => line));
    return this;
  }
}

describe("editing a line", () => {
  test.each([
    ["typing", "ping", "ping|"],
    ["backspace, either code", "pinx\x7fg \b", "ping|"],
    ["backspace in the middle", `pixng${LEFT}${LEFT}\x7f`, "pi|ng"],
    ["backspace at the beginning", "\x7f\x7fa\x01\x7f", "|a"],
    ["delete", `pixng${LEFT}${LEFT}${LEFT}\x1b[3~`, "pi|ng"],
    ["delete at the end", "ab\x1b[3~", "ab|"],
    ["Ctrl-D deletes", `pixng${LEFT}${LEFT}${LEFT}\x04`, "pi|ng"],
    ["Ctrl-D on an empty line", "\x04", "|"],
    ["insertion in the middle", `png${LEFT}${LEFT}i`, "pi|ng"],
    ["cursor keys stop at both ends", `ab${RIGHT}${LEFT.repeat(5)}x${RIGHT.repeat(9)}y`, "xaby|"],
    ["Home and End", "bc\x1b[Ha\x1b[Fd", "abcd|"],
    ["Home and End as VPCS names them", "bc\x1b[1~a\x1b[4~d", "abcd|"],
    ["Home and End of other terminals", "bc\x1b[7~a\x1b[8~d", "abcd|"],
    ["Ctrl-A and Ctrl-E", "bc\x01a\x05d", "abcd|"],
    ["Ctrl-B and Ctrl-F", "ac\x02b\x06d", "abcd|"],
    ["Ctrl-U erases to the start", `ping 10.0.0.1${LEFT.repeat(8)}\x15`, "|10.0.0.1"],
    ["Ctrl-K erases to the end", `ping 10.0.0.1${LEFT.repeat(9)}\x0b`, "ping|"],
    ["Ctrl-W erases a word", "ping 10.0.0.1  \x17", "ping |"],
    ["Ctrl-W of spaces", "   \x17", "|"],
    ["Ctrl-W in the middle", `one two three${LEFT.repeat(6)}\x17`, "one | three"],
    ["keys of application mode", "bc\x1bOHa\x1bOFd\x1bOD", "abc|d"],
    ["TAB", "pi\tng", "ping|"],
    ["`?` is typed like any character", "ping ?", "ping ?|"],
    ["UTF-8 is ignored whole", "pé€😀ing", "ping|"],
    ["unknown sequences", "p\x1b[5~i\x1b[1;5Cn\x1b[<0;1;1M\x1b[200~g\x1b[201~", "ping|"],
    ["Alt with a letter", "pi\x1bxng", "ping|"],
    ["a letter after a long sequence", `\x1b[${"1;".repeat(90)}Xa`, "a|"],
  ])("%s", (_, keys, line) => {
    expect(new User().type(keys).screen.line).toBe(PROMPT + line);
  });

  test("prints what VPCS prints for an erased character", () => {
    const user = new User().type("ab");
    expect(user.type("\x7f").printed).toBe("\b \b");
  });

  test("enters the whole line, wherever the cursor is", () => {
    const user = new User().type(`png 10.0.0.1\x01${RIGHT}i\r`);
    expect(user.entered).toEqual(["ping 10.0.0.1"]);
    expect(user.screen.rows.at(-3)).toBe("PC1> ping 10.0.0.1");
    expect(user.screen.line).toBe(`${PROMPT}|`);
  });

  test("takes 1,000 characters", () => {
    const user = new User().type(`${"x".repeat(1_005)}\x01y\r`);
    expect(user.entered).toEqual(["x".repeat(1_000)]);
  });

  test.each([
    ["CR", "a\rb\r", ["a", "b"]],
    ["LF", "a\nb\n", ["a", "b"]],
    ["CR LF", "a\r\nb\r\n", ["a", "b"]],
    ["CR NUL", "a\r\0b\r\0", ["a", "b"]],
    ["LF CR", "a\n\rb\n", ["a", "", "b"]],
    ["empty lines", "\r\r\n\n", ["", "", ""]],
  ])("ends a line at %s", (_, keys, lines) => {
    expect(new User().type(keys).entered).toEqual(lines);
  });

  test("shows pasted lines, each above its output", () => {
    const user = new User().type("show arp\nshow ip\nping 1");
    expect(user.screen.rows).toEqual([
      "PC1> show arp",
      "<show arp>",
      "PC1> show ip",
      "<show ip>",
      "PC1> ping 1",
    ]);
  });
});

describe("Ctrl-C and Ctrl-L", () => {
  test("Ctrl-C drops the line and prints a prompt", () => {
    const user = new User().type(`ping 1${LEFT.repeat(3)}\x03show\r`);
    expect(user.entered).toEqual(["show"]);
    expect(user.screen.rows.slice(0, 2)).toEqual(["PC1> ping 1^C", "PC1> show"]);
  });

  test("Ctrl-C works after a lone ESC", () => {
    expect(new User().type("abc\x1b\x03").screen.line).toBe(`${PROMPT}|`);
  });

  test("Ctrl-L clears the screen and prints the line again", () => {
    const user = new User().type(`show\rping 1${LEFT}\x0c`);
    expect(user.screen.rows).toEqual(["PC1> ping 1"]);
    expect(user.screen.line).toBe(`${PROMPT}ping |1`);
  });
});

describe("the history", () => {
  const LINES = ["show arp", "ping 10.0.0.1", "show ip", "show ip"];

  test.each([
    ["the newest line", UP, "show ip|"],
    ["duplicates, too", UP + UP, "show ip|"],
    ["an older line", UP + UP + UP, "ping 10.0.0.1|"],
    ["not beyond the oldest", UP.repeat(9), "show arp|"],
    ["the empty line after the newest", UP + UP + DOWN + DOWN + DOWN, "|"],
    ["nothing newer than a new line", `new${DOWN}`, "new|"],
    ["only lines that begin with what was typed", `show a${UP}`, "show arp|"],
    ["the typed text after them", `show a${UP}${DOWN}`, "show a|"],
    ["nothing when no line begins so", `trace${UP}`, "trace|"],
    ["Ctrl-P and Ctrl-N", "\x10\x10\x10\x0e", "show ip|"],
  ])("shows %s", (_, keys, line) => {
    expect(new User(LINES).type(keys).screen.line).toBe(PROMPT + line);
  });

  test("continues from the edited line, which begins a new search", () => {
    const user = new User(LINES).type(`${UP}\x7f\x7f${UP}`);
    expect(user.screen.line).toBe(`${PROMPT}show ip|`);
    expect(user.type(UP + UP).screen.line).toBe(`${PROMPT}show arp|`);
  });

  test("has the entered lines, without spaces around them and without empty ones", () => {
    expect(new User().type(`  a \r\r   \rb\r${UP}${UP}`).screen.line).toBe(`${PROMPT}a|`);
  });

  test("keeps 50 lines", () => {
    const user = new User(Array.from({ length: 60 }, (_, index) => `line ${index}`));
    expect(user.type(UP.repeat(100)).screen.line).toBe(`${PROMPT}line 10|`);
    expect(user.type(`\x03new\r${UP.repeat(100)}`).screen.line).toBe(`${PROMPT}line 11|`);
  });

  test("keeps 8,192 characters", () => {
    const { history } = makeTerminal(Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(1_000)));
    expect(history.lines).toHaveLength(8);
    expect(history.lines.at(-1)).toMatch(/^49/);
  });
});

describe("telnet commands in the input", () => {
  test.each([
    ["negotiations", "\xff\xfd\x01\xff\xfb\x03pi\xff\xfc\x03ng", "ping|"],
    ["a subnegotiation", "pi\xff\xfa\x18\x00xterm\xff\xff\xff\xf0ng", "ping|"],
    ["other commands", "pi\xff\xf1\xff\xf6ng", "ping|"],
    ["the byte 255", "pi\xff\xffng", "ping|"],
    ["ÿ", "pi\xffng", "ping|"],
    ["erase character and erase line", "abcx\xff\xf7\xff\xf8ping", "ping|"],
    ["what begins like a subnegotiation and does not end", `\xff\xfa${"x".repeat(63)}abc`, "abc|"],
  ])("%s", (_, keys, line) => {
    expect(new User().type(keys).screen.line).toBe(PROMPT + line);
  });

  test("interrupt process is Ctrl-C", () => {
    expect(new User().type("ping\xff\xf4").screen.rows).toEqual(["PC1> ping^C", "PC1>"]);
  });
});

test("text of another console appears above the line, and the cursor stays in place", () => {
  const user = new User().type(`ping 1${LEFT}`);
  user.screen.print(printAbove(user.state, `PC1> show\r\nnothing\r\n${PROMPT}`));
  expect(user.screen.rows).toEqual(["PC1> show", "nothing", "PC1> ping 1"]);
  expect(user.type("0").screen.line).toBe(`${PROMPT}ping 0|1`);
});
