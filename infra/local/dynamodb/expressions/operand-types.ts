/** The types of values that operators and functions take. */
import type { AttributeType } from "../attribute.ts";
import type { Tokens } from "./tokens.ts";

interface Typed {
  /** Undefined if it depends on the item. */
  readonly type?: AttributeType;
}

/** @throws DynamoDbError for a value whose type the operator never takes. */
export function checkTypes(
  tokens: Tokens,
  operator: string,
  types: readonly AttributeType[],
  operands: readonly Typed[],
): void {
  const wrong = operands.find(({ type }) => type !== undefined && !types.includes(type));
  if (wrong === undefined) return;
  throw tokens.fault(
    `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${wrong.type}`,
  );
}
