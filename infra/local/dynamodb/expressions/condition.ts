/** Conditions and filters: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html */
import {
  type Attribute,
  type AttributeType,
  compareAttributes,
  equalAttributes,
  type Item,
  sizeOfAttribute,
  typeOf,
} from "../attribute.ts";
import type { Bindings } from "./bindings.ts";
import { checkTypes } from "./operand-types.ts";
import { type Path, readPath } from "./path.ts";
import { Tokens } from "./tokens.ts";

/** Decides for an item, which is empty if there is none. */
export type Condition = (item: Item) => boolean;

interface Operand {
  readonly read: (item: Item) => Attribute | undefined;
  /** The type, if it is the same for all items. */
  readonly type?: AttributeType;
}

export interface ParsedCondition {
  readonly holds: Condition;
  /** Attributes that the condition names. */
  readonly names: ReadonlySet<string>;
}

/** @throws DynamoDbError for another syntax. */
export function parseCondition(kind: string, text: string, bindings: Bindings): ParsedCondition {
  const tokens = new Tokens(kind, text, bindings);
  const names = new Set<string>();
  const holds = new Parser(tokens, names).any();
  tokens.expectEnd();
  return { holds, names };
}

type Compare = (a: Attribute | undefined, b: Attribute | undefined) => boolean;

const isEqual: Compare = (a, b) => a !== undefined && b !== undefined && equalAttributes(a, b);
const isLess: Compare = (a, b) => order(a, b, (by) => by < 0);
const isNoMore: Compare = (a, b) => order(a, b, (by) => by <= 0);
const isMore: Compare = (a, b) => order(a, b, (by) => by > 0);
const isNoLess: Compare = (a, b) => order(a, b, (by) => by >= 0);

const COMPARISONS: ReadonlyMap<string, Compare> = new Map([
  ["=", isEqual],
  ["<>", (a, b) => a === undefined || b === undefined || !equalAttributes(a, b)],
  ["<", isLess],
  ["<=", isNoMore],
  [">", isMore],
  [">=", isNoLess],
]);

function order(
  a: Attribute | undefined,
  b: Attribute | undefined,
  isRight: (by: number) => boolean,
): boolean {
  const by = a === undefined || b === undefined ? undefined : compareAttributes(a, b);
  return by !== undefined && isRight(by);
}

const ORDERED: readonly AttributeType[] = ["S", "N", "B"];
const SIZED: readonly AttributeType[] = ["S", "B", "SS", "NS", "BS", "L", "M"];

class Parser {
  readonly #tokens: Tokens;
  readonly #names: Set<string>;

  constructor(tokens: Tokens, names: Set<string>) {
    this.#tokens = tokens;
    this.#names = names;
  }

  any(): Condition {
    const parts = [this.#all()];
    while (this.#tokens.accept("OR")) parts.push(this.#all());
    return parts.length === 1 ? parts[0]! : (item) => parts.some((part) => part(item));
  }

  #all(): Condition {
    const parts = [this.#not()];
    while (this.#tokens.accept("AND")) parts.push(this.#not());
    return parts.length === 1 ? parts[0]! : (item) => parts.every((part) => part(item));
  }

  #not(): Condition {
    if (!this.#tokens.accept("NOT")) return this.#single();
    const inner = this.#not();
    return (item) => !inner(item);
  }

  #single(): Condition {
    const tokens = this.#tokens;
    if (tokens.accept("(")) {
      const inner = this.any();
      tokens.expect(")");
      return inner;
    }
    if (tokens.second === "(" && tokens.next !== "size") return this.#function();
    const left = this.#operand();
    if (tokens.accept("BETWEEN")) {
      const low = this.#operand();
      tokens.expect("AND");
      const high = this.#operand();
      checkTypes(tokens, "BETWEEN", ORDERED, [left, low, high]);
      return (item) =>
        isNoLess(left.read(item), low.read(item)) && isNoMore(left.read(item), high.read(item));
    }
    if (tokens.accept("IN")) {
      tokens.expect("(");
      const values = tokens.list(() => this.#operand());
      tokens.expect(")");
      return (item) => values.some((value) => isEqual(left.read(item), value.read(item)));
    }
    const operator = tokens.take();
    const compare = COMPARISONS.get(operator);
    if (compare === undefined) throw tokens.fault("Syntax error; expected a comparison");
    const right = this.#operand();
    if (operator !== "=" && operator !== "<>") checkTypes(tokens, operator, ORDERED, [left, right]);
    return (item) => compare(left.read(item), right.read(item));
  }

  #function(): Condition {
    const tokens = this.#tokens;
    const name = tokens.take();
    tokens.expect("(");
    const condition = this.#call(name);
    tokens.expect(")");
    return condition;
  }

  #call(name: string): Condition {
    const tokens = this.#tokens;
    const second = () => {
      tokens.expect(",");
      return this.#operand();
    };
    switch (name) {
      case "attribute_exists": {
        const path = this.#path();
        return (item) => readPath(item, path) !== undefined;
      }
      case "attribute_not_exists": {
        const path = this.#path();
        return (item) => readPath(item, path) === undefined;
      }
      case "attribute_type": {
        const path = this.#path();
        const type = second();
        return (item) => {
          const present = readPath(item, path);
          return present !== undefined && typeOf(present) === type.read(item)?.S;
        };
      }
      case "begins_with": {
        const [operand, prefix] = [this.#operand(), second()];
        checkTypes(tokens, name, ["S", "B"], [operand, prefix]);
        return (item) => beginsWith(operand.read(item), prefix.read(item));
      }
      case "contains": {
        const [operand, part] = [this.#operand(), second()];
        return (item) => contains(operand.read(item), part.read(item));
      }
      default:
        throw tokens.fault(`Invalid function name; function: ${name}`);
    }
  }

  #path(): Path {
    const path = this.#tokens.path();
    this.#names.add(String(path[0]));
    return path;
  }

  #operand(): Operand {
    const tokens = this.#tokens;
    if (tokens.next?.startsWith(":")) {
      const value = tokens.bindings.value(tokens.take());
      return { read: () => value, type: typeOf(value) };
    }
    if (tokens.next === "size" && tokens.second === "(") {
      tokens.take();
      tokens.expect("(");
      const inner = this.#operand();
      tokens.expect(")");
      checkTypes(tokens, "size", SIZED, [inner]);
      return { read: (item) => sizeOf(inner.read(item)), type: "N" };
    }
    const path = this.#path();
    return { read: (item) => readPath(item, path) };
  }
}

function sizeOf(attribute: Attribute | undefined): Attribute | undefined {
  if (attribute === undefined) return undefined;
  const { M, L, SS, NS, BS, S, B } = attribute;
  const list = L ?? SS ?? NS ?? BS;
  if (list !== undefined) return { N: String(list.length) };
  if (M !== undefined) return { N: String(Object.keys(M).length) };
  return S === undefined && B === undefined ? undefined : { N: String(sizeOfAttribute(attribute)) };
}

function beginsWith(whole: Attribute | undefined, prefix: Attribute | undefined): boolean {
  if (whole?.S !== undefined && prefix?.S !== undefined) return whole.S.startsWith(prefix.S);
  if (whole?.B === undefined || prefix?.B === undefined) return false;
  const [bytes, first] = [Buffer.from(whole.B, "base64"), Buffer.from(prefix.B, "base64")];
  return bytes.subarray(0, first.length).equals(first);
}

function contains(whole: Attribute | undefined, part: Attribute | undefined): boolean {
  if (whole === undefined || part === undefined) return false;
  if (whole.S !== undefined) return part.S !== undefined && whole.S.includes(part.S);
  if (whole.B !== undefined)
    return part.B !== undefined && Buffer.from(whole.B, "base64").includes(Buffer.from(part.B, "base64"));
  if (whole.L !== undefined) return whole.L.some((each) => equalAttributes(each, part));
  if (whole.SS !== undefined) return part.S !== undefined && whole.SS.includes(part.S);
  if (whole.NS !== undefined) return part.N !== undefined && whole.NS.includes(part.N);
  return whole.BS !== undefined && part.B !== undefined && whole.BS.includes(part.B);
}
