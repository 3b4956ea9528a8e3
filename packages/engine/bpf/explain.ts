/** Prints the syntax tree, one test per line, with inherited qualifiers filled in. */

import { compileProgram } from "./compile.ts";
import type { LinkType } from "./link-types.ts";
import { parse } from "./parser.ts";
import type { Arithmetic, Expression, Id, Qualifiers } from "./syntax.ts";

/**
 *     explain("tcp port 80 or 443 and not ip6")
 *
 *     all of
 *       any of
 *         tcp port 80, source or destination
 *         tcp port 443, source or destination
 *       not
 *         protocol ip6
 *
 * `and` and `or` have equal precedence and bind to the left, the most common cause of wrong filters. Throws FilterSyntaxError for an
 * expression that does not compile for `linkType`.
 */
export function explain(expression: string, linkType: LinkType = "DLT_EN10MB"): string {
  compileProgram(expression, linkType);
  const tree = parse(expression);
  return tree === null ? "every packet" : explainNode(tree).join("\n");
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

function explainNode(node: Expression): string[] {
  switch (node.kind) {
    case "chain":
      return explainChain(node);
    case "not":
      return ["not", ...indent(explainNode(node.node))];
    case "primitive":
      return [explainPrimitive(node.qualifiers, node.id)];
    case "protocol":
      return [`protocol ${node.protocol}`];
    case "relation":
      return [`${explainArithmetic(node.left)} ${node.op} ${explainArithmetic(node.right)}`];
    case "broadcast":
    case "multicast":
      return [`${node.protocol ?? "link"} ${node.kind}`];
    case "less":
      return [`at most ${node.value} bytes long`];
    case "greater":
      return [`at least ${node.value} bytes long`];
    case "byte":
      return [`byte ${node.index} of the frame ${node.op} ${node.value}`];
    case "encapsulation":
      return [`${node.layer}${node.number === null ? "" : ` ${node.number}`}, and what follows is inside it`];
    case "pppoed":
      return ["PPPoE discovery"];
    case "inbound":
    case "outbound":
      return [`${node.kind} packet`];
    case "ifindex":
      return [`interface ${node.index}`];
    case "llc":
      return [node.type === null ? "llc frame" : `llc frame of kind ${node.type}`];
  }
}

/** `a or b and c` is "(a or b) and c": runs of one operator become one group, from the left. */
function explainChain({ first, rest }: Extract<Expression, { kind: "chain" }>): string[] {
  let group = explainNode(first);
  let groupOp: "and" | "or" | null = null;
  let members: string[] = group;
  for (const { op, node } of rest) {
    if (op !== groupOp) {
      members = groupOp === null ? group : heading(groupOp, members);
      groupOp = op;
    }
    members = [...members, ...explainNode(node)];
  }
  if (groupOp !== null) group = heading(groupOp, members);
  return group;
}

function heading(op: "and" | "or", members: readonly string[]): string[] {
  return [op === "and" ? "all of" : "any of", ...indent(members)];
}

const DIRECTIONS = {
  src: "source",
  dst: "destination",
  "src or dst": "source or destination",
  "src and dst": "source and destination",
} as const;

function explainPrimitive({ protocol, direction, type }: Qualifiers, id: Id): string {
  const prefix = protocol === null ? "" : `${protocol === "link" ? "ether" : protocol} `;
  const noun = type === "default" ? "host" : type;
  const side = type === "proto" || type === "protochain" ? "" : `, ${DIRECTIONS[direction ?? "src or dst"]}`;
  return `${prefix}${noun} ${explainId(id)}${side}`;
}

function explainId(id: Id): string {
  switch (id.kind) {
    case "number":
      return String(id.value);
    case "ipv4-prefix":
    case "ipv6-prefix":
      return `${id.text}/${id.length}`;
    case "ipv4-mask":
      return `${id.text} mask ${id.mask}`;
    default:
      return id.text;
  }
}

/** Prints all parentheses, because the precedence of `%` and `^` is surprising. */
function explainArithmetic(node: Arithmetic): string {
  switch (node.kind) {
    case "number":
      return String(node.value);
    case "len":
      return "length";
    case "negate":
      return `-${explainArithmetic(node.operand)}`;
    case "load": {
      const name = node.protocol === "link" ? "ether" : node.protocol;
      return `${name}[${explainArithmetic(node.index)}:${node.size}]`;
    }
    case "binary":
      return explainBinary(node);
  }
}

/** Walks the left side in a loop: a sum of many terms is a deep left-leaning tree. */
function explainBinary(node: Extract<Arithmetic, { kind: "binary" }>): string {
  const pending: Extract<Arithmetic, { kind: "binary" }>[] = [];
  let innermost: Arithmetic = node;
  while (innermost.kind === "binary") {
    pending.push(innermost);
    innermost = innermost.left;
  }
  let text = explainArithmetic(innermost);
  for (const { op, right } of pending.reverse()) text = `(${text} ${op} ${explainArithmetic(right)})`;
  return text;
}
