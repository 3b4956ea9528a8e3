import { describe, expect, test } from "vitest";
import { commandsNamed } from "../../../../../../packages/engine/devices/pc/commands/command-table.ts";
import { HELP_PAGES } from "../../../../../../packages/engine/devices/pc/commands/help-pages.ts";
import { bold, underline } from "../../../../../../packages/engine/devices/pc/commands/terminal-text.ts";
import { onePc, output } from "./pc-bench.ts";

const ESC = "\x1b";
const plain = (text: string): string => text.replaceAll(new RegExp(`${ESC}\\[\\d+m`, "g"), "");

const NAMES = [
  ...["?", "arp", "clear", "dhcp", "disconnect", "echo", "help", "history", "ip", "load", "neighbor", "ping"],
  ...["quit", "relay", "rlogin", "save", "set", "show", "sleep", "tracer", "version", "write", "zzz"],
];

describe("the list of commands", () => {
  const list = plain(output(onePc().bench, "A", "?"));

  test.each(["help", "he", "help ip"])("%s prints what ? prints", (line) => {
    expect(plain(output(onePc().bench, "A", line))).toBe(list);
  });

  test("has a line for each, in alphabetical order, syntax in 25 columns", () => {
    const [before, ...lines] = list.split("\n");
    const entries = lines.slice(0, lines.indexOf(""));
    expect(before).toBe("");
    expect(entries.map((line) => line.split(" ")[0])).toEqual(
      NAMES.filter((name) => name !== "zzz").map((name) => (name === "tracer" ? "trace" : name)),
    );
    for (const line of entries) expect(line).toMatch(/^.{24} \S/);
    for (const line of entries) expect(line[24]).toBe(" ");
    expect(lines.at(-2)).toContain("?");
  });
});

describe("help pages", () => {
  test("exist for every command except those that take ? as a word", () => {
    const without = NAMES.filter(
      (name) => !HELP_PAGES.some(({ topic, details }) => topic === name && details.length > 0),
    );
    expect(without).toEqual(["disconnect", "echo", "history", "neighbor", "quit", "version"]);
  });

  test("exist only for known commands", () => {
    const topics = HELP_PAGES.map(({ topic }) => topic.split(" ")[0]!);
    expect(topics.filter((topic) => commandsNamed(topic)[0]?.name !== topic)).toEqual([]);
  });

  test("begin with a blank line, and have keywords bold and placeholders underlined", () => {
    const text = output(onePc().bench, "A", "ping ?");
    const [before, syntax] = text.split("\n");
    expect(before).toBe("");
    expect(syntax).toBe(`${bold("ping")} ${underline("HOST")} [${underline("OPTION")} ...]`);
    expect(plain(text)).not.toMatch(/[*_]/);
  });

  test("fit on a terminal", () => {
    const lines = HELP_PAGES.flatMap(({ details, syntax }) => [syntax, ...details]);
    expect(lines.filter((line) => line.replaceAll(/[*_]/g, "").length > 98)).toEqual([]);
  });

  test.each([
    ["ping", "ping help"],
    ["trace", "t ?"],
    ["ip", "ip ?"],
    ["clear", "clear help"],
    ["set", "set echo ?"],
    ["rlogin", "rlogin ?"],
    ["show ?", "show version ?"],
    ["show arp ?", "show arp help"],
    ["show dump ?", "show dump x"],
    ["show ip ?", "show ip x"],
    ["show ip ?", "show ip 10"],
    ["show ipv6 ?", "show i x"],
    ["sl ?", "sleep 3 ?"],
  ])("%s prints the page of %s", (one, other) => {
    const { bench } = onePc();
    const page = output(bench, "A", one);
    expect(page.startsWith(`\n${ESC}[1m`)).toBe(true);
    expect(output(bench, "A", other)).toBe(page);
  });

  test("ip dhcp has a page of its own", () => {
    const text = plain(output(onePc().bench, "A", "ip dhcp ?"));
    expect(text).toMatch(/^\nip dhcp \[OPTION \.\.\.\]\n/);
    for (const option of ["-d", "-r", "-x"]) expect(text).toContain(`\n  ${option} `);
  });

  test("a request for help does nothing else", () => {
    const { bench, pc } = onePc();
    const before = pc.saveState();
    for (const name of NAMES) output(bench, "A", `${name} x ?`);
    expect({ ...pc.saveState(), history: [] }).toEqual(before);
    expect(bench.frames).toEqual([]);
  });
});
