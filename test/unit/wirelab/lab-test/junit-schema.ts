/** The rules of JUnit.xsd (https://github.com/windyroad/JUnit-Schema, JUnit 4 reports of Ant), as far as its types go. */
import { SaxesParser } from "saxes";

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
}

interface Rule {
  /** By attribute: its type; all are required unless `optional` names them. */
  readonly attributes: Readonly<Record<string, RegExp>>;
  readonly optional?: readonly string[];
  /** The names of the children, joined by spaces, as a sequence. */
  readonly children: RegExp;
}

const TEXT = /^/;
const TOKEN = /^\S(.*\S)?$/s;
const INTEGER = /^[+-]?[0-9]+$/;
const DECIMAL = /^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)$/;
const TIME_WITHOUT_ZONE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$/;
const OUTCOME: Rule = { attributes: { message: TEXT, type: TEXT }, optional: ["message"], children: /^$/ };

const RULES: Readonly<Record<string, Rule>> = {
  testsuites: { attributes: {}, children: /^(testsuite ?)*$/ },
  testsuite: {
    attributes: {
      name: TOKEN,
      timestamp: TIME_WITHOUT_ZONE,
      hostname: TOKEN,
      tests: INTEGER,
      failures: INTEGER,
      errors: INTEGER,
      time: DECIMAL,
      package: TOKEN,
      id: INTEGER,
    },
    children: /^properties( testcase)* system-out system-err$/,
  },
  properties: { attributes: {}, children: /^(property ?)*$/ },
  property: { attributes: { name: TOKEN, value: TEXT }, children: /^$/ },
  testcase: {
    attributes: { name: TOKEN, classname: TOKEN, time: DECIMAL },
    children: /^(skipped|error|failure)?$/,
  },
  skipped: { attributes: { message: TEXT }, optional: ["message"], children: /^$/ },
  error: OUTCOME,
  failure: OUTCOME,
  "system-out": { attributes: {}, children: /^$/ },
  "system-err": { attributes: {}, children: /^$/ },
};

/** @throws Error for text that is not well-formed XML 1.0. */
export function problemsOfJunit(text: string): string[] {
  const root = parse(text);
  return [...(root.name === "testsuites" ? [] : [`the root is ${root.name}`]), ...check(root)];
}

function parse(text: string): Element {
  const stack: Element[] = [{ name: "", attributes: {}, children: [] }];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, children: [] };
    stack.at(-1)!.children.push(element);
    stack.push(element);
  });
  parser.on("closetag", () => void stack.pop());
  parser.write(text).close();
  return stack[0]!.children[0]!;
}

function check(element: Element): string[] {
  const { name, attributes, children } = element;
  const rule = RULES[name];
  if (rule === undefined) return [`there is no element ${name}`];
  const order = children.map((child) => child.name).join(" ");
  return [
    ...Object.entries(rule.attributes).flatMap(([key, type]) => {
      const value = attributes[key];
      if (value === undefined) return rule.optional?.includes(key) ? [] : [`${name} lacks ${key}`];
      return type.test(value) ? [] : [`${name} has ${key}=${value}`];
    }),
    ...Object.keys(attributes).flatMap((key) =>
      key in rule.attributes ? [] : [`${name} must not have ${key}`],
    ),
    ...(rule.children.test(order) ? [] : [`${name} has the children ${order}`]),
    ...(name === "testsuite" ? checkCounts(element) : []),
    ...children.flatMap(check),
  ];
}

/** What the attributes count; the schema says it in words. */
const checkCounts = ({ attributes, children }: Element): string[] => {
  const cases = children.filter(({ name }) => name === "testcase");
  const having = (kind: string) =>
    cases.filter((each) => each.children.some(({ name }) => name === kind)).length;
  const counts = { tests: cases.length, failures: having("failure"), errors: having("error") };
  return Object.entries(counts).flatMap(([key, count]) =>
    attributes[key] === String(count) ? [] : [`${key} is ${attributes[key]}, and there are ${count}`],
  );
};
