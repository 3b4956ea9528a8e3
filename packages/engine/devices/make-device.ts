/** Creates the device of a node. */
import type { Device, World } from "./device.ts";
import { MAKERS, type Maker } from "./makers.ts";
import type { PcState } from "./pc/index.ts";
import { stateAfterPowerOff } from "./pc/state.ts";
import type { DeviceSpec } from "./readers.ts";
import { type RouterState, routerStateWhenOff } from "./router/index.ts";

/** @param state the result of `saveState` in an earlier run; if absent, the device starts unconfigured. */
export const makeDevice = (spec: DeviceSpec, world: World, state?: unknown): Device =>
  (MAKERS[spec.type] as Maker<DeviceSpec>)(spec, world, state);

/** Returns the state that survives power-off; undefined for devices that keep none. */
export function stateWhenOff(spec: DeviceSpec, state: unknown): unknown {
  if (state === undefined) return undefined;
  if (spec.type === "router") return routerStateWhenOff(spec, state as RouterState);
  if (spec.type !== "vpcs") return undefined;
  const off = stateAfterPowerOff(spec, state as PcState);
  return Object.keys(off.files).length > 0 ? off : undefined;
}
