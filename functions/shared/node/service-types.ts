/**
 * What the service adds to a node type of the engine: properties that only clients use, the forms of other programs, and templates.
 * A type without a line here has the properties that its reader in the engine takes.
 */
import type { ServiceType } from "./service-type.ts";
import { cloudType } from "./types/cloud.ts";
import { hubType } from "./types/hub.ts";
import { linuxType } from "./types/linux.ts";
import { natType } from "./types/nat.ts";
import { pcType } from "./types/pc.ts";
import { switchType } from "./types/switch.ts";

const SERVICE_TYPES: Readonly<Partial<Record<string, ServiceType>>> = {
  vpcs: pcType,
  ethernet_switch: switchType,
  ethernet_hub: hubType,
  cloud: cloudType,
  nat: natType,
  linux: linuxType,
};

export const serviceTypeOf = (type: string): ServiceType => SERVICE_TYPES[type] ?? {};
