/** JSON Schema of the properties that the engine reads by rows, by type and key. */

import { SWITCH } from "../net/bridge/settings/settings.ts";
import { NETWORK, SERVICES } from "../net/host/settings.ts";
import type { JsonSchema } from "../settings/kind.ts";
import { schemasOf } from "../settings/shape.ts";
import { LINUX } from "./linux/read.ts";
import { NAT } from "./nat/properties.ts";
import { PC } from "./pc/read.ts";
import { routerSchemas } from "./router/shell/properties-schema.ts";

type Schemas = Readonly<Record<string, JsonSchema>>;

export const PROPERTY_SCHEMAS: Readonly<Partial<Record<string, () => Schemas>>> = {
  vpcs: () => schemasOf(PC),
  ethernet_switch: () => schemasOf(SWITCH),
  router: routerSchemas,
  server: () => schemasOf({ ...NETWORK, ...SERVICES }),
  nat: () => schemasOf(NAT),
  linux: () => schemasOf(LINUX),
};
