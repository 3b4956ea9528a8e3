/** JSON Schema of a router's `properties`, by key. */

import type { InterfaceType } from "../../../net/plane/config.ts";
import { choice, type JsonSchema } from "../../../settings/kind.ts";
import {
  optional,
  required,
  type Shape,
  schemaOfShape,
  schemasOf,
  setting,
} from "../../../settings/shape.ts";
import { MAX_PORTS } from "./config.ts";
import { defaultMtuOf, INTERFACE_TYPES, KINDS, MAX_INTERFACES } from "./interfaces/spec.ts";
import { PHYSICAL, PORT } from "./port-shape.ts";
import { serviceSchemas } from "./service-settings.ts";
import { TEXT } from "./text/settings.ts";

function interfaceSchema(type: InterfaceType): JsonSchema {
  const mtu = { ...PORT.mtu, otherwise: defaultMtuOf(type, false) };
  const kind = choice(type);
  const shape: Shape = {
    ...PORT,
    mtu,
    type: type === "vlan" ? setting(kind, type) : required(kind),
    ...KINDS[type],
  };
  return schemaOfShape(shape);
}

interface RouterSchemas extends Readonly<Record<string, JsonSchema>> {
  readonly ports: JsonSchema & { readonly items: JsonSchema };
}

export const routerSchemas = (): RouterSchemas => ({
  ports: {
    type: "array",
    items: schemaOfShape({ ...PHYSICAL, name: optional(PORT.name.kind) }),
    minItems: 1,
    maxItems: MAX_PORTS,
  },
  interfaces: {
    type: "array",
    items: { anyOf: INTERFACE_TYPES.map(interfaceSchema) },
    maxItems: MAX_INTERFACES,
  },
  ...serviceSchemas(),
  ...schemasOf(TEXT),
});
