/**
 * A node with a Linux kernel of its own. Its device is not part of the engine: the kernel needs an emulated machine of some megabytes, so the
 * caller of the simulation loads it, and adds `makeDevice` to the spec.
 */
import type { Device, World } from "../device.ts";

export interface LinuxSpec {
  readonly type: "linux";
  readonly name: string;
  /** The name that the guest has; absent if it is the node's. */
  readonly hostname?: string | undefined;
  /** The name of the image. */
  readonly image: string;
  /** The number of ports, eth0 onwards; 1 to 64. */
  readonly ports: number;
  /** The MAC address of eth0; the other ports follow. */
  readonly mac: number;
  /** By port: addresses with prefix length. */
  readonly addresses: readonly (readonly string[])[];
  /** Text files by path, written before the commands. */
  readonly files: Readonly<Record<string, string>>;
  /** Shell commands at power-on. */
  readonly commands: readonly string[];
  readonly makeDevice?: ((spec: LinuxSpec, world: World, state: unknown) => Device) | undefined;
}

/** @throws Error if the caller has no guests. */
export function makeLinux(spec: LinuxSpec, world: World, state: unknown): Device {
  if (spec.makeDevice === undefined) throw new Error(`${spec.name}: nodes of the type linux cannot run here`);
  return spec.makeDevice(spec, world, state);
}
