/** The names and values that a request gives for the placeholders of its expressions. */
import { type Attribute, checkAttribute, type Item } from "../attribute.ts";
import { invalid } from "../dynamodb-error.ts";
import type { Limits } from "../limits.ts";

export interface Placeholders {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Item;
}

export class Bindings {
  readonly limits: Limits;
  readonly #names: Readonly<Record<string, string>>;
  readonly #values: Item;
  readonly #unusedNames: Set<string>;
  readonly #unusedValues: Set<string>;

  constructor(
    { ExpressionAttributeNames = {}, ExpressionAttributeValues = {} }: Placeholders,
    limits: Limits,
  ) {
    this.limits = limits;
    this.#names = ExpressionAttributeNames;
    this.#values = ExpressionAttributeValues;
    this.#unusedNames = new Set(Object.keys(ExpressionAttributeNames));
    this.#unusedValues = new Set(Object.keys(ExpressionAttributeValues));
  }

  name(placeholder: string): string {
    const name = Object.hasOwn(this.#names, placeholder) ? this.#names[placeholder] : undefined;
    if (name === undefined)
      throw invalid(
        `An expression attribute name used in the document path is not defined; attribute name: ${placeholder}`,
      );
    this.#unusedNames.delete(placeholder);
    return name;
  }

  value(placeholder: string): Attribute {
    const value = Object.hasOwn(this.#values, placeholder) ? this.#values[placeholder] : undefined;
    if (value === undefined)
      throw invalid(
        `An expression attribute value used in expression is not defined; attribute value: ${placeholder}`,
      );
    this.#unusedValues.delete(placeholder);
    return checkAttribute(value, this.limits);
  }

  /** @throws DynamoDbError if a placeholder is in no expression. */
  checkUse(): void {
    const [name] = this.#unusedNames;
    if (name !== undefined)
      throw invalid(`Value provided in ExpressionAttributeNames unused in expressions: keys: {${name}}`);
    const [value] = this.#unusedValues;
    if (value !== undefined)
      throw invalid(`Value provided in ExpressionAttributeValues unused in expressions: keys: {${value}}`);
  }
}
