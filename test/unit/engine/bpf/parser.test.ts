/** How the parser reads expressions, and which ones it rejects. */

import { FilterSyntaxError } from "@wirelab/engine/bpf/index";
import { describe, expect, it } from "vitest";
import { parse } from "../../../../packages/engine/bpf/parser.ts";
import type { Expression, Id, Qualifiers } from "../../../../packages/engine/bpf/syntax.ts";

/** Formats a tree as nested prefix text, short enough to compare. */
function show(node: Expression | null): string {
  switch (node?.kind) {
    case undefined:
      return "everything";
    case "chain":
      return node.rest.reduce(
        (text, { op, node: next }) => `(${text} ${op} ${show(next)})`,
        show(node.first),
      );
    case "not":
      return `!${show(node.node)}`;
    case "primitive":
      return showPrimitive(node.qualifiers, node.id);
    case "protocol":
      return node.protocol;
    default:
      return node!.kind;
  }
}

function showPrimitive({ protocol, direction, type }: Qualifiers, id: Id): string {
  const value = id.kind === "number" ? id.value : id.text;
  return [protocol, direction, type === "default" ? null : type, value]
    .filter((part) => part !== null)
    .join(".");
}

const read = (text: string): string => show(parse(text));

describe("the filter parser", () => {
  it.each([
    ["", "everything"],
    ["tcp or udp and icmp", "((tcp or udp) and icmp)"],
    ["tcp or (udp and icmp)", "(tcp or (udp and icmp))"],
    ["not tcp and udp", "(!tcp and udp)"],
    ["not (tcp and udp)", "!(tcp and udp)"],
    ["tcp port 80 or 443", "(tcp.port.80 or tcp.port.443)"],
    ["tcp src port 80 or not 443 and 22", "((tcp.src.port.80 or !tcp.src.port.443) and tcp.src.port.22)"],
    ["not host vs and ace", "(!host.vs and host.ace)"],
    ["host (a or b)", "(host.a or host.b)"],
    ["port (80)", "port.80"],
    ["port (80 or (443))", "(port.80 or port.443)"],
    ["port not 80", "!port.80"],
    ["port 80 or (443 or 22)", "(port.80 or (port.443 or port.22))"],
    ["port 80 or (not (443 or 22))", "(port.80 or !(port.443 or port.22))"],
    ["port 80 or (udp) or 443", "((port.80 or udp) or port.443)"],
    ["port 80 or (udp port 53 or 54) or 443", "((port.80 or (udp.port.53 or udp.port.54)) or port.443)"],
    ["port 80 or 443 = 443", "(port.80 or relation)"],
    ["dst or src host a", "src or dst.host.a"],
    ["src 10.1", "src.10.1"],
    ["((ip[0]) + 1) * 2 = (3)", "relation"],
  ])("reads %j as %s", (text, tree) => {
    expect(read(text)).toBe(tree);
  });

  it.each([
    ["port 80 or (443 or tcp)", "a group of ids holds only ids"],
    ["host ((a or b) and c)", "an id list cannot open with another"],
    ["(tcp port 80) or 443", "parentheses end inheritance"],
    ["tcp and 80", "a protocol alone passes nothing on"],
    ["net 10/8", "a prefix length needs a dotted address"],
    ["src proto 6", "proto has no direction"],
    ["tcp tcp", "words do not join by themselves"],
  ])("refuses %j: %s", (text) => {
    expect(() => read(text)).toThrow(FilterSyntaxError);
  });

  it("keeps a long chain flat", () => {
    const tree = parse(`${"ip or ".repeat(9000)}ip`);

    expect(tree?.kind === "chain" && tree.rest.length).toBe(9000);
  });
});
