/** Creates the device of each node type that the service emulates. */
import { Cloud, type CloudSpec } from "./cloud/index.ts";
import type { Device, World } from "./device.ts";
import { Hub, type HubSpec } from "./hub/index.ts";
import { type LinuxSpec, makeLinux } from "./linux/spec.ts";
import { Nat, type NatSpec } from "./nat/index.ts";
import { Pc, type PcSpec, type PcState } from "./pc/index.ts";
import { stateAfterPowerOff } from "./pc/state.ts";
import { Router, type RouterSpec, type RouterState, routerStateWhenOff } from "./router/index.ts";
import { Server, type ServerSpec, type ServerState } from "./server/index.ts";
import { EthernetSwitch, type SwitchSpec, type SwitchState } from "./switch/index.ts";

/** The parameters of a device: a node's validated type and properties. */
export type DeviceSpec =
  | PcSpec
  | SwitchSpec
  | HubSpec
  | RouterSpec
  | ServerSpec
  | NatSpec
  | CloudSpec
  | LinuxSpec;

/** @param state the result of `saveState` in an earlier run; if absent, the device starts unconfigured. */
export function makeDevice(spec: DeviceSpec, world: World, state?: unknown): Device {
  switch (spec.type) {
    case "vpcs":
      return new Pc(spec, world, state as PcState | undefined);
    case "ethernet_switch":
      return new EthernetSwitch(spec, world, state as SwitchState | undefined);
    case "ethernet_hub":
      return new Hub(spec, world);
    case "router":
      return new Router(spec, world, state as RouterState | undefined);
    case "server":
      return new Server(spec, world, state as ServerState | undefined);
    case "nat":
      return new Nat(spec, world, state as ServerState | undefined);
    case "cloud":
      return new Cloud();
    case "linux":
      return makeLinux(spec, world, state);
  }
}

/** Returns the state that survives power-off; undefined for devices that keep none. */
export function stateWhenOff(spec: DeviceSpec, state: unknown): unknown {
  if (state === undefined) return undefined;
  if (spec.type === "router") return routerStateWhenOff(spec, state as RouterState);
  if (spec.type !== "vpcs") return undefined;
  const off = stateAfterPowerOff(spec, state as PcState);
  return Object.keys(off.files).length > 0 ? off : undefined;
}
