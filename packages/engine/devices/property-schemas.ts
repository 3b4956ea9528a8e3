/** JSON Schema of the properties that the engine reads by rows, by type and key. */
import type { JsonSchema } from "../settings/kind.ts";
import { schemasOf } from "../settings/shape.ts";
import { LINUX } from "./linux/read.ts";
import { NAT } from "./nat/properties.ts";
import { PC } from "./pc/read.ts";
import { routerSchemas } from "./router/properties-schema.ts";
import { NETWORK, SERVICES } from "./server/settings.ts";
import { SWITCH } from "./switch/settings/settings.ts";

type Schemas = Readonly<Record<string, JsonSchema>>;

export const PROPERTY_SCHEMAS: Readonly<Partial<Record<string, () => Schemas>>> = {
  vpcs: () => schemasOf(PC),
  ethernet_switch: () => schemasOf(SWITCH),
  router: routerSchemas,
  server: () => schemasOf({ ...NETWORK, ...SERVICES }),
  nat: () => schemasOf(NAT),
  linux: () => schemasOf(LINUX),
};
