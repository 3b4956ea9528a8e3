/** Joins the parts of the lab file's schema in one JSON Schema, by which editors complete and check `*.lab.yaml`. */
import { kindInLab } from "@wirelab/engine/devices/find-kind";
import { PROPERTY_SCHEMAS } from "@wirelab/engine/devices/property-schemas";
import * as z from "zod/mini";
import {
  type ClaimKey,
  claimSchemas,
  eventSchema,
  labSchema,
  linkSchema,
  NODE_TYPES,
  nodeSchemas,
} from "./schema.ts";

interface JsonSchema {
  readonly properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required?: readonly string[];
  readonly [key: string]: unknown;
}

/** A date of YAML has no type in JSON Schema; the union with text beside it describes it. */
function convert(schema: z.ZodMiniType): JsonSchema {
  const { $schema: _version, ...plain } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return plain as JsonSchema;
}

/** Draft 2020-12. */
export function labJsonSchema(): JsonSchema {
  const root = convert(labSchema);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Wirelab lab file",
    ...root,
    properties: {
      ...root.properties,
      nodes: {
        description: `By name: a type (${NODE_TYPES.join(", ")}), an address, or a map`,
        type: "object",
        additionalProperties: {
          anyOf: [{ type: ["null", "string"] }, ...Object.entries(nodeSchemas).map(convertNode)],
        },
      },
      links: {
        description: "Texts such as `pc1 -- sw1`, or maps",
        type: "array",
        items: { anyOf: [{ type: "string" }, convert(linkSchema)] },
      },
      run: { description: "What happens at which lab time", type: "array", items: convert(eventSchema) },
      expect: {
        description: "What must hold",
        type: "array",
        items: { anyOf: (Object.keys(claimSchemas) as ClaimKey[]).flatMap(claimVariants) },
      },
    },
  };
}

type Schema = Readonly<Record<string, unknown>>;
type Join = (own: Schema, row: Schema) => Schema;

/** Properties whose rows have short forms in lab files. */
const SHORT: Readonly<Partial<Record<string, Join>>> = {
  "router.ports": (own, row) => ({ ...own, ...row, items: { anyOf: [{ type: "string" }, row.items] } }),
  "router.config": ({ description, ...own }, _row) => ({ description, ...own }),
  "router.routes": (own, row) => ({ ...own, anyOf: [(own.anyOf as readonly unknown[])[0], row] }),
  "server.http": ({ description, ...texts }, row) => ({ description, anyOf: [row, texts] }),
};

const asRow: Join = (_own, row) => row;

/** Describes a node by its short forms and by the engine's rows. */
function convertNode([type, schema]: [string, z.ZodMiniType]): JsonSchema {
  const plain = convert(schema);
  const rows = PROPERTY_SCHEMAS[kindInLab(type)?.type ?? ""]?.() ?? {};
  const properties = Object.entries(plain.properties ?? {}).map(([key, own]) => {
    const row = rows[key];
    const join = SHORT[`${type}.${key}`] ?? (Object.keys(own).length === 0 ? asRow : undefined);
    return [key, row && join ? join(own, row) : own];
  });
  return { ...plain, properties: Object.fromEntries(properties) };
}

/** An expectation and its negation, whose first key begins with `not`. */
function claimVariants(kind: ClaimKey): JsonSchema[] {
  const schema = convert(claimSchemas[kind]);
  const keys = kind === "never" ? [kind] : [kind, `not ${kind}`, ...(kind === "loop" ? ["no loop"] : [])];
  return keys.map((key) => renamed(schema, kind, key));
}

function renamed(schema: JsonSchema, from: string, to: string): JsonSchema {
  const rename = (name: string): string => (name === from ? to : name);
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, value]) => [rename(name), value]),
    ),
    required: schema.required?.map(rename) ?? [],
  };
}
