/** Updates: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.UpdateExpressions.html */
import { type Attribute, type AttributeType, equalAttributes, type Item, typeOf } from "../attribute.ts";
import { addDecimals, formatDecimal, parseDecimal, toCanonical } from "../decimal.ts";
import { invalid } from "../dynamodb-error.ts";
import type { Bindings } from "./bindings.ts";
import { checkTypes } from "./operand-types.ts";
import { formatPath, overlap, type Path, readPath, removePath, writePath } from "./path.ts";
import { Tokens } from "./tokens.ts";

interface Operand {
  readonly read: (item: Item) => Attribute;
  /** The type, if it is the same for all items. */
  readonly type?: AttributeType;
}

interface Action {
  readonly path: Path;
  /** Returns the new value; undefined removes the attribute. */
  readonly valueFor: (item: Item) => Attribute | undefined;
}

export interface Update {
  readonly paths: readonly Path[];
  /** Every value is made from the item as it was before. */
  apply(item: Item): Item;
}

const SETS = ["SS", "NS", "BS"] as const;
const WRONG_TYPE = "An operand in the update expression has an incorrect data type";
const SECTIONS = ["SET", "REMOVE", "ADD", "DELETE"] as const;

/** @throws DynamoDbError for another syntax, and for paths that overlap. */
export function parseUpdate(text: string, bindings: Bindings): Update {
  const tokens = new Tokens("UpdateExpression", text, bindings);
  const sections = new Map<string, Action[]>();
  while (!tokens.isAtEnd) {
    const section = SECTIONS.find((name) => tokens.accept(name));
    if (section === undefined) throw tokens.fault(`Syntax error; token: ${JSON.stringify(tokens.next)}`);
    if (sections.has(section))
      throw tokens.fault(`The "${section}" section can only be used once in an update expression;`);
    sections.set(
      section,
      tokens.list(() => READERS[section](tokens)),
    );
  }
  const actions = [...sections.values()].flat();
  checkOverlaps(actions, tokens);
  return {
    paths: actions.map(({ path }) => path),
    apply(item) {
      const changes = actions.map(({ path, valueFor }) => ({ path, value: valueFor(item) }));
      let changed = item;
      for (const { path, value } of changes)
        if (value !== undefined) changed = writePath(changed, path, value);
      const removed = changes.filter(({ value }) => value === undefined).map(({ path }) => path);
      // Later elements of a list go first, so that the indexes of the others stay.
      for (const path of removed.sort(byLastIndex)) changed = removePath(changed, path);
      return changed;
    },
  };
}

function byLastIndex(a: Path, b: Path): number {
  const [first, second] = [a.at(-1), b.at(-1)];
  return typeof first === "number" && typeof second === "number" ? second - first : 0;
}

function checkOverlaps(actions: readonly Action[], tokens: Tokens): void {
  for (const [index, { path }] of actions.entries()) {
    const other = actions.slice(index + 1).find((each) => overlap(path, each.path));
    if (other === undefined) continue;
    throw tokens.fault(
      `Two document paths overlap with each other; must remove or rewrite one of these paths; path one: ${formatPath(path)}, path two: ${formatPath(other.path)}`,
    );
  }
}

const READERS: Readonly<Record<(typeof SECTIONS)[number], (tokens: Tokens) => Action>> = {
  SET(tokens) {
    const path = tokens.path();
    tokens.expect("=");
    const left = readOperand(tokens);
    const sign = tokens.accept("+") ? 1 : tokens.accept("-") ? -1 : undefined;
    if (sign === undefined) return { path, valueFor: left.read };
    const right = readOperand(tokens);
    checkTypes(tokens, sign === 1 ? "+" : "-", ["N"], [left, right]);
    return { path, valueFor: (item) => sum(left.read(item), right.read(item), sign) };
  },
  REMOVE(tokens) {
    return { path: tokens.path(), valueFor: () => undefined };
  },
  ADD(tokens) {
    const path = tokens.path();
    const value = tokens.bindings.value(tokens.take());
    checkTypes(tokens, "ADD", ["N", ...SETS], [{ type: typeOf(value) }]);
    return { path, valueFor: (item) => add(readPath(item, path), value) };
  },
  DELETE(tokens) {
    const path = tokens.path();
    const value = tokens.bindings.value(tokens.take());
    checkTypes(tokens, "DELETE", SETS, [{ type: typeOf(value) }]);
    return { path, valueFor: (item) => without(readPath(item, path), value) };
  },
};

function readOperand(tokens: Tokens): Operand {
  if (tokens.accept("(")) {
    const inner = readOperand(tokens);
    tokens.expect(")");
    return inner;
  }
  if (tokens.next?.startsWith(":")) {
    const value = tokens.bindings.value(tokens.take());
    return { read: () => value, type: typeOf(value) };
  }
  if (tokens.second !== "(") {
    const path = tokens.path();
    return { read: (item) => present(readPath(item, path)) };
  }
  const name = tokens.take();
  tokens.expect("(");
  const read = readFunction(name, tokens);
  tokens.expect(")");
  return read;
}

function readFunction(name: string, tokens: Tokens): Operand {
  if (name === "if_not_exists") {
    const path = tokens.path();
    tokens.expect(",");
    const otherwise = readOperand(tokens);
    return { read: (item) => readPath(item, path) ?? otherwise.read(item) };
  }
  if (name !== "list_append") throw tokens.fault(`Invalid function name; function: ${name}`);
  const first = readOperand(tokens);
  tokens.expect(",");
  const second = readOperand(tokens);
  checkTypes(tokens, name, ["L"], [first, second]);
  const read = (item: Item): Attribute => {
    const [{ L: head }, { L: tail }] = [first.read(item), second.read(item)];
    if (head === undefined || tail === undefined) throw invalid(WRONG_TYPE);
    return { L: [...head, ...tail] };
  };
  return { read, type: "L" };
}

function present(attribute: Attribute | undefined): Attribute {
  if (attribute === undefined)
    throw invalid("The provided expression refers to an attribute that does not exist in the item");
  return attribute;
}

function sum(left: Attribute, right: Attribute, sign: 1 | -1): Attribute {
  if (left.N === undefined || right.N === undefined) throw invalid(WRONG_TYPE);
  return { N: formatDecimal(addDecimals(parseDecimal(left.N), parseDecimal(right.N), sign)) };
}

function add(before: Attribute | undefined, value: Attribute): Attribute {
  if (value.N !== undefined)
    return before === undefined ? { N: toCanonical(value.N) } : sum(before, value, 1);
  const type = SETS.find((each) => value[each] !== undefined);
  if (type === undefined || (before !== undefined && before[type] === undefined)) throw invalid(WRONG_TYPE);
  return { [type]: [...new Set([...(before?.[type] ?? []), ...value[type]!])] };
}

/** @returns undefined if nothing is left, because a set is never empty. */
function without(before: Attribute | undefined, value: Attribute): Attribute | undefined {
  const type = SETS.find((each) => value[each] !== undefined);
  if (type === undefined) throw invalid(WRONG_TYPE);
  if (before === undefined) return undefined;
  if (before[type] === undefined) throw invalid(WRONG_TYPE);
  const left = before[type].filter((each) => !value[type]!.includes(each));
  return left.length === 0 ? undefined : { [type]: left };
}

/** Reports whether an update has changed an item. */
export const isSame = (a: Item | undefined, b: Item | undefined): boolean =>
  a === undefined || b === undefined ? a === b : equalAttributes({ M: a }, { M: b });
