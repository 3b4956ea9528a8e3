/** The reader of each type's properties. */
import { readCloud } from "./cloud/read.ts";
import type { SpecOfType } from "./device-spec.ts";
import { readHub } from "./hub/read.ts";
import type { DeviceType } from "./kinds.ts";
import { readLinux } from "./linux/read.ts";
import { readNat } from "./nat/read.ts";
import type { NodeReader } from "./node-reader.ts";
import { readPc } from "./pc/read.ts";
import { readRouter } from "./router/read.ts";
import { readServer } from "./server/read.ts";
import { readSwitch } from "./switch/read.ts";

export const READERS: { readonly [T in DeviceType]: NodeReader<SpecOfType<T>> } = {
  vpcs: readPc,
  ethernet_switch: readSwitch,
  ethernet_hub: readHub,
  router: readRouter,
  server: readServer,
  nat: readNat,
  cloud: readCloud,
  linux: readLinux,
};
