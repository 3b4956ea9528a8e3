/** The maker of each type's device, and what a device keeps without power. */
import { Cloud } from "./cloud/index.ts";
import type { Device, World } from "./device.ts";
import { Hub } from "./hub/index.ts";
import type { DeviceType } from "./kinds.ts";
import { makeLinux } from "./linux/spec.ts";
import { Nat } from "./nat/index.ts";
import { Pc, type PcState } from "./pc/index.ts";
import { pcStateWhenOff } from "./pc/state.ts";
import type { SpecOfType } from "./readers.ts";
import { Router, type RouterState, routerStateWhenOff } from "./router/index.ts";
import { type HostState, Server } from "./server/index.ts";
import { EthernetSwitch, type SwitchState } from "./switch/index.ts";

/** @param state the result of `saveState` in an earlier run; if absent, the device starts unconfigured. */
export type Maker<S> = (spec: S, world: World, state: unknown) => Device;

export const MAKERS: { readonly [T in DeviceType]: Maker<SpecOfType<T>> } = {
  vpcs: (spec, world, state) => new Pc(spec, world, state as PcState | undefined),
  ethernet_switch: (spec, world, state) => new EthernetSwitch(spec, world, state as SwitchState | undefined),
  ethernet_hub: (spec, world) => new Hub(spec, world),
  router: (spec, world, state) => new Router(spec, world, state as RouterState | undefined),
  server: (spec, world, state) => new Server(spec, world, state as HostState | undefined),
  nat: (spec, world, state) => new Nat(spec, world, state as HostState | undefined),
  cloud: () => new Cloud(),
  linux: makeLinux,
};

/** Returns what is left of a saved state; undefined for nothing. */
export type Keeper<S> = (spec: S, state: unknown) => unknown;

export const KEEPERS: { readonly [T in DeviceType]?: Keeper<SpecOfType<T>> } = {
  vpcs: (spec, state) => pcStateWhenOff(spec, state as PcState),
  router: (spec, state) => routerStateWhenOff(spec, state as RouterState),
};
