/** JSON Schema of the properties that the engine reads by rows, by type and key. */

import { SWITCH } from "../net/bridge/settings/settings.ts";
import { NETWORK, SERVICES } from "../net/host/settings.ts";
import { list } from "../settings/collections.ts";
import { choice, type JsonSchema, text } from "../settings/kind.ts";
import { optional, schemasOf, setting } from "../settings/shape.ts";
import { record } from "../settings/words.ts";
import { LINUX } from "./linux/read.ts";
import { NAT } from "./nat/properties.ts";
import { MOST_MAPPED_PORTS } from "./node-kind.ts";
import { PC } from "./pc/read.ts";
import { entry, mapping, switchMapping } from "./ports-mapping.ts";
import { routerSchemas } from "./router/shell/properties-schema.ts";

/** Stored for the client: no port leads outside. */
const CLOUD_PORT = {
  ...entry,
  type: setting(choice("ethernet", "tap", "udp"), "ethernet"),
  interface: optional(text("NAME")),
};

type Schemas = Readonly<Record<string, JsonSchema>>;

export const PROPERTY_SCHEMAS: Readonly<Partial<Record<string, () => Schemas>>> = {
  vpcs: () => schemasOf(PC),
  ethernet_switch: () => schemasOf({ ports_mapping: optional(switchMapping), ...SWITCH }),
  ethernet_hub: () => schemasOf({ ports_mapping: optional(mapping) }),
  cloud: () => schemasOf({ ports_mapping: optional(list(record(CLOUD_PORT), { max: MOST_MAPPED_PORTS })) }),
  router: routerSchemas,
  server: () => schemasOf({ ...NETWORK, ...SERVICES }),
  nat: () => schemasOf(NAT),
  linux: () => schemasOf(LINUX),
};
