import { describe, expect, it } from "vitest";
import { fitsOf, mayEnd } from "../../../../../packages/engine/devices/console/match.ts";
import { parseSyntax } from "../../../../../packages/engine/devices/console/syntax.ts";

/** Whether a line is a whole line of the form. */
function takes(form: string, line: string): boolean {
  const [head = "", ...rest] = form.split(" ");
  const command = { head, syntax: rest.join(" "), meaning: "", run: () => [] };
  const vocabulary = { values: { N: { meaning: "number", pattern: /^\d+$/ } }, names: () => [] };
  return fitsOf([command], line.split(" "), vocabulary).some(mayEnd);
}

describe("the form of a command", () => {
  it.each([
    ["mtu PORT N", "mtu Ethernet0 1400", true],
    ["mtu PORT N", "mtu Ethernet0", false],
    ["mtu PORT N", "mtu Ethernet0 big", false],
    ["mtu PORT N", "mtu Ethernet0 1400 1", false],
    ["ra PORT on|off", "ra 0 off", true],
    ["ra PORT on|off", "ra 0 maybe", false],
    ["ping ADDR[%PORT] [-c N]", "ping fe80::1%0", true],
    ["ping ADDR[%PORT] [-c N]", "ping fe80::1%0 -c 3", true],
    ["ping ADDR[%PORT] [-c N]", "ping fe80::1%0 -c", false],
    ["ping ADDR[%PORT] [-c N]", "ping fe80::1%0 -C 3", false],
    ["x A [one N] [two N]", "x a two 2 one 1", true],
    ["x A [one N] [two N]", "x a one 1 two 2", true],
    ["x A [one N] [two N]", "x a", true],
    ["x A [one N] [two N]", "x a one 1 one 2", false],
    ["x A [one N]... [two N]", "x a one 1 two 2 one 3", true],
    ["x [SEQ] permit [A [B]]", "x permit", true],
    ["x [SEQ] permit [A [B]]", "x 10 permit a b", true],
    ["x [SEQ] permit [A [B]]", "x 10 permit a b c", false],
    ["x [ip A...] [on]", "x ip 1 2 3 on", true],
    ["x [ip A...] [on]", "x ip", false],
    ["x any|host|A", "x any", true],
  ])("`%s` takes `%s`: %s", (form, line, isTaken) => expect(takes(form, line)).toBe(isTaken));

  it.each(["x [A", "x A]", "x [A [B]"])("%s is a mistake of who wrote it", (form) => {
    expect(() => parseSyntax(form)).toThrow(/\]/);
  });
});
