/** Creates the device of a node. */
import type { Device, World } from "./device.ts";
import { KEEPERS, type Keeper, MAKERS, type Maker } from "./makers.ts";
import type { DeviceSpec } from "./readers.ts";

/** @param state the result of `saveState` in an earlier run; if absent, the device starts unconfigured. */
export const makeDevice = (spec: DeviceSpec, world: World, state?: unknown): Device =>
  (MAKERS[spec.type] as Maker<DeviceSpec>)(spec, world, state);

/** Returns the state that survives power-off; undefined for devices that keep none. */
export function stateWhenOff(spec: DeviceSpec, state: unknown): unknown {
  return state === undefined
    ? undefined
    : (KEEPERS[spec.type] as Keeper<DeviceSpec> | undefined)?.(spec, state);
}
