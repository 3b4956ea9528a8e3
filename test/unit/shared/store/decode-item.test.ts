import { globSync } from "node:fs";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import { Entity } from "dynamodb-toolbox/entity";
import { EntityFormatter } from "dynamodb-toolbox/entity/actions/format";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { itemDecoder, type StoredSchema } from "../../../../functions/shared/store/base/decode-item.ts";

const STORE = new URL("../../../../functions/shared/store/", import.meta.url);
const entities = new Map<string, Entity>();

beforeAll(async () => {
  Object.assign(process.env, { AWS_REGION: "eu-west-1", TABLE_NAME: "table" });
  for (const file of globSync("**/*.ts", { cwd: STORE })) {
    const exported: Record<string, unknown> = await import(new URL(file, STORE).href);
    for (const value of Object.values(exported)) {
      if (value instanceof Entity) entities.set(value.entityName, value);
    }
  }
});

/** The keys of records are ids. The document client treats an object with the key `constructor` as a class instance. */
const recordKey = fc.string({ minLength: 1 }).filter((key) => !(key in Object.prototype));

/** Any value that the document client may store under a schema. */
function storedUnder({ type, props, attributes, elements }: StoredSchema): fc.Arbitrary<unknown> {
  switch (type) {
    case "string": {
      const { enum: values } = props as { enum?: readonly string[] };
      return values ? fc.constantFrom(...values) : fc.string();
    }
    case "number":
      return fc.oneof(
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
      );
    case "boolean":
      return fc.boolean();
    case "binary":
      return fc.uint8Array({ minLength: 1 });
    case "set":
      return fc
        .array(storedUnder(elements!), { minLength: 1, maxLength: 3 })
        .map((values) => new Set(values));
    case "list":
      return fc.array(storedUnder(elements!), { maxLength: 3 });
    case "record":
      return fc.dictionary(recordKey, storedUnder(elements!), {
        maxKeys: 3,
        noNullPrototype: true,
      });
    case "map":
      return attributesUnder(attributes!);
    case "any":
      // Documents are objects; dynamodb-toolbox leaves the text "null" as it is.
      return fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));
  }
  throw new Error(`There is no arbitrary for a schema of type ${type}`);
}

function attributesUnder(attributes: Readonly<Record<string, StoredSchema>>): fc.Arbitrary<object> {
  const entries = Object.entries(attributes).filter(([, { props }]) => !props.hidden);
  const values = Object.fromEntries(entries.map(([name, schema]) => [name, storedUnder(schema)]));
  const isRequired = ({ props }: StoredSchema) => (props as { required?: string }).required !== "never";
  const requiredKeys = entries.flatMap(([name, schema]) => (isRequired(schema) ? [name] : []));
  return fc.record(values, { requiredKeys, noNullPrototype: true });
}

describe("an item in the table's format", () => {
  test("there are entities to check", () => {
    expect([...entities.keys()]).toEqual(expect.arrayContaining(["project", "node", "link", "capture"]));
  });

  test("is decoded to the toolbox's result, for every entity", () => {
    for (const [name, entity] of entities) {
      const { attributes } = entity.schema as unknown as { attributes: Record<string, StoredSchema> };
      const decode = itemDecoder(entity.schema);
      const formatter = entity.build(EntityFormatter);
      const property = fc.property(attributesUnder(attributes), (stored) => {
        const sent = marshall({ ...stored, pk: "a", sk: "b", entity: name, of_a_later_release: 1 });
        expect(decode(sent), name).toEqual(formatter.format(unmarshall(sent)));
      });
      fc.assert(property, { numRuns: 30 });
    }
  });

  test("of a type that no entity has is rejected when the function starts", () => {
    const attributes = { odd: { type: "anyOf", props: {} } };
    expect(() => itemDecoder({ attributes })).toThrow("There is no decoder for a schema of type anyOf");
  });
});
