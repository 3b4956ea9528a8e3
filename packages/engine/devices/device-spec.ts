/** The parameters of a device: a node's validated type and properties. */
import type { CloudSpec } from "./cloud/index.ts";
import type { HubSpec } from "./hub/index.ts";
import type { LinuxSpec } from "./linux/spec.ts";
import type { NatSpec } from "./nat/config.ts";
import type { PcSpec } from "./pc/state.ts";
import type { RouterSpec } from "./router/config.ts";
import type { ServerSpec } from "./server/config.ts";
import type { SwitchSpec } from "./switch/index.ts";

export type DeviceSpec =
  | PcSpec
  | SwitchSpec
  | HubSpec
  | RouterSpec
  | ServerSpec
  | NatSpec
  | CloudSpec
  | LinuxSpec;

export type SpecOfType<T> = Extract<DeviceSpec, { readonly type: T }>;
