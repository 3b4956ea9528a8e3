/** The key condition of a query: one partition key, and a range of sort keys. */
import { type Attribute, compareAttributes, typeOf } from "../attribute.ts";
import { invalid } from "../dynamodb-error.ts";
import type { KeySchema } from "../table.ts";
import type { Bindings } from "./bindings.ts";
import { Tokens } from "./tokens.ts";

type Comparison = "=" | "<" | "<=" | ">" | ">=" | "BETWEEN" | "begins_with";

export interface KeyClause {
  readonly comparison: Comparison;
  readonly values: readonly Attribute[];
}

export interface KeyCondition {
  readonly partition: Attribute;
  readonly sort: KeyClause | undefined;
}

const COMPARISONS: ReadonlySet<string> = new Set(["=", "<", "<=", ">", ">="]);

/** @throws DynamoDbError for another syntax, for attributes that are no key, and for values of other types. */
export function parseKeyCondition(
  text: string,
  bindings: Bindings,
  { hash, range, types }: KeySchema,
): KeyCondition {
  const tokens = new Tokens("KeyConditionExpression", text, bindings);
  const clauses = new Map<string, KeyClause>();
  do {
    const [name, clause] = readClause(tokens);
    if (clauses.has(name)) throw invalid("KeyConditionExpressions must only contain one condition per key");
    clauses.set(name, clause);
  } while (tokens.accept("AND"));
  tokens.expectEnd();
  const partition = clauses.get(hash);
  if (partition === undefined) throw invalid(`Query condition missed key schema element: ${hash}`);
  if (partition.comparison !== "=") throw invalid("Query key condition not supported");
  const sort = range === undefined ? undefined : clauses.get(range);
  if (clauses.size > (sort === undefined ? 1 : 2)) {
    throw range === undefined || sort !== undefined
      ? invalid("Query key condition not supported")
      : invalid(`Query condition missed key schema element: ${range}`);
  }
  for (const [name, { values }] of clauses)
    if (values.some((value) => typeOf(value) !== types[name]))
      throw invalid(
        "One or more parameter values were invalid: Condition parameter type does not match schema type",
      );
  return { partition: partition.values[0]!, sort };
}

function readClause(tokens: Tokens): [string, KeyClause] {
  if (tokens.accept("(")) {
    const clause = readClause(tokens);
    tokens.expect(")");
    return clause;
  }
  const value = (): Attribute => {
    const token = tokens.take();
    if (!token.startsWith(":")) throw tokens.fault(`Syntax error; token: ${JSON.stringify(token)}`);
    return tokens.bindings.value(token);
  };
  if (tokens.next === "begins_with") {
    tokens.take();
    tokens.expect("(");
    const name = String(tokens.path()[0]);
    tokens.expect(",");
    const values = [value()];
    tokens.expect(")");
    return [name, { comparison: "begins_with", values }];
  }
  const name = String(tokens.path()[0]);
  if (tokens.accept("BETWEEN")) {
    const low = value();
    tokens.expect("AND");
    const high = value();
    if ((compareAttributes(low, high) ?? 0) > 0)
      throw invalid(
        `Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: ${show(low)}, upper bound operand: AttributeValue: ${show(high)}`,
      );
    return [name, { comparison: "BETWEEN", values: [low, high] }];
  }
  const comparison = tokens.take();
  if (!COMPARISONS.has(comparison)) throw tokens.fault(`Syntax error; token: ${JSON.stringify(comparison)}`);
  return [name, { comparison: comparison as Comparison, values: [value()] }];
}

const show = (attribute: Attribute): string => {
  const type = typeOf(attribute);
  return `{${type}:${attribute[type]}}`;
};
