/** The reader of each type's properties, and what it makes of them: the parameters of a device. */
import { readCloud } from "./cloud/read.ts";
import { readHub } from "./hub/read.ts";
import type { DeviceType } from "./kinds.ts";
import { readLinux } from "./linux/read.ts";
import { readNat } from "./nat/read.ts";
import type { NodeReader } from "./node-reader.ts";
import { readPc } from "./pc/read.ts";
import { readRouter } from "./router/read.ts";
import { readServer } from "./server/read.ts";
import { readSwitch } from "./switch/read.ts";

const BY_TYPE = {
  vpcs: readPc,
  ethernet_switch: readSwitch,
  ethernet_hub: readHub,
  router: readRouter,
  server: readServer,
  nat: readNat,
  cloud: readCloud,
  linux: readLinux,
} satisfies Readonly<Record<DeviceType, NodeReader<{ readonly type: DeviceType }>>>;

type SpecRead<R> = R extends NodeReader<infer S> ? S : never;
export type SpecOfType<T extends DeviceType> = SpecRead<(typeof BY_TYPE)[T]>;
export type DeviceSpec = SpecOfType<DeviceType>;

export const READERS: { readonly [T in DeviceType]: NodeReader<SpecOfType<T>> } = BY_TYPE;
