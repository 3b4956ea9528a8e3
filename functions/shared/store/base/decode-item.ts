/**
 * Decodes items as the table returns them, by the schema of their entity, in one pass. The result equals that of dynamodb-toolbox's
 * `EntityFormatter` (test/unit/shared/store/decode-item.test.ts compares the two), without its checks, which take as long as the call to the
 * table. The checks are not needed, because only this service writes the table, and it checks what it writes.
 */
import type { AttributeValue } from "@aws-sdk/client-dynamodb";

/** The parts of a dynamodb-toolbox schema that decide how its values are stored. */
export interface StoredSchema {
  readonly type: string;
  readonly props: {
    readonly savedAs?: string;
    readonly hidden?: boolean;
    readonly transform?: unknown;
  };
  readonly attributes?: Readonly<Record<string, StoredSchema>>;
  readonly elements?: StoredSchema;
}

type Decode = (value: AttributeValue) => unknown;
type Values = Readonly<Record<string, AttributeValue>>;

interface Transformer {
  readonly decode: (value: unknown) => unknown;
}

/** @throws Error for a schema type that no entity uses yet. */
function decoderOf(schema: StoredSchema): Decode {
  const { transform } = schema.props;
  const decode = plainDecoderOf(schema);
  return transform ? (value) => (transform as Transformer).decode(decode(value)) : decode;
}

function plainDecoderOf({ type, attributes, elements, props }: StoredSchema): Decode {
  switch (type) {
    case "string":
      return ({ S }) => S;
    case "number":
      return ({ N }) => Number(N);
    case "boolean":
      return ({ BOOL }) => BOOL;
    case "binary":
      return ({ B }) => B;
    case "set":
      return ({ SS, NS, BS }) => new Set<unknown>(NS?.map(Number) ?? SS ?? BS);
    case "list": {
      const decode = decoderOf(elements!);
      return ({ L = [] }) => L.map(decode);
    }
    case "record": {
      const decode = decoderOf(elements!);
      return ({ M = {} }) =>
        Object.fromEntries(Object.entries(M).map(([key, value]) => [key, decode(value)]));
    }
    case "map": {
      const decode = attributesDecoder(attributes!);
      return ({ M = {} }) => decode(M);
    }
    case "any":
      // The attribute holds JSON text.
      if (props.transform) return ({ S }) => S;
  }
  throw new Error(`There is no decoder for a schema of type ${type}`);
}

function attributesDecoder(attributes: Readonly<Record<string, StoredSchema>>) {
  const decoders = Object.entries(attributes)
    .filter(([, { props }]) => !props.hidden)
    .map(([name, schema]) => ({
      name,
      savedAs: schema.props.savedAs ?? name,
      decode: decoderOf(schema),
    }));
  return (values: Values): Record<string, unknown> => {
    const decoded: Record<string, unknown> = {};
    for (const { name, savedAs, decode } of decoders) {
      const value = values[savedAs];
      if (value !== undefined) decoded[name] = decode(value);
    }
    return decoded;
  };
}

/** Makes the function that decodes the items of an entity with this schema. */
export const itemDecoder = ({
  attributes,
}: {
  readonly attributes: object;
}): ((item: Values) => Record<string, unknown>) =>
  attributesDecoder(attributes as Readonly<Record<string, StoredSchema>>);
