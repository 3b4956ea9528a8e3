/** The properties of each node type that runs here, as JSON Schema: the engine's rows, and what the service adds. */
import { KINDS, type Kind } from "@wirelab/engine/devices/kinds";
import { PROPERTY_SCHEMAS } from "@wirelab/engine/devices/property-schemas";
import * as z from "zod/mini";
import { containerSchema } from "../shared/node/container-settings.ts";
import { serviceTypeOf } from "../shared/node/service-types.ts";

/** Its name in the document: `EthernetSwitchProperties`. */
export const propertiesName = (type: string): string =>
  `${`_${type}`.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())}Properties`;

type Json = Readonly<Record<string, unknown>>;

function propertiesOf(schema: z.ZodMiniType): Json {
  const { properties } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return properties ?? {};
}

const IMAGE_PROPERTIES = {
  image: { type: "string", description: "the image by which clients know the type" },
  adapters: { type: "integer", minimum: 1, description: "the number of ports" },
  ...propertiesOf(containerSchema),
};

function describe({ type, word, image }: Kind): Json {
  const { client } = serviceTypeOf(type);
  const properties = {
    ...PROPERTY_SCHEMAS[type]?.(),
    ...(image !== undefined && IMAGE_PROPERTIES),
    ...(client && propertiesOf(client)),
  };
  return { description: `Of a ${word}`, type: "object", properties };
}

const OF_KINDS = Object.fromEntries(KINDS.map((kind) => [propertiesName(kind.type), describe(kind)]));

export const NODE_PROPERTIES: Readonly<Record<string, Json>> = {
  ...OF_KINDS,
  NodeProperties: {
    description: "By the type of the node; a registered compute defines the properties of its nodes",
    anyOf: [
      ...Object.keys(OF_KINDS).map((name) => ({ $ref: `#/components/schemas/${name}` })),
      { type: "object" },
    ],
  },
};
