/**
 * A node with a Linux kernel of its own. Its device is not part of the engine: the kernel needs an emulated machine of some megabytes, so the
 * caller of the simulation loads it, and adds `makeDevice` to the spec.
 */
import type { Device, World } from "../device.ts";

/** A program with its arguments, which no shell reads. */
export interface Step {
  readonly run: readonly string[];
  /** Where a file asks for it, in words. */
  readonly place: string;
}

/** A name that a guest may have for itself (RFC 1123). */
export const HOSTNAME = {
  pattern: /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/,
  rule: "must be 1 to 63 letters, digits and hyphens, and begin and end without a hyphen",
} as const;

export interface LinuxSpec {
  readonly type: "linux";
  readonly name: string;
  /** The name that the guest has; absent if it is the node's. */
  readonly hostname?: string | undefined;
  /** The name of the image. */
  readonly image: string;
  /** The number of ports; 1 to 64. */
  readonly ports: number;
  /** Names of the ports in the guest; absent for eth0 onwards. */
  readonly interfaces?: readonly string[];
  /** The MAC address of the first port; the other ports follow. */
  readonly mac: number;
  /** By port: addresses with prefix length. */
  readonly addresses: readonly (readonly string[])[];
  /** Text files by path, written before the commands. */
  readonly files: Readonly<Record<string, string>>;
  /** Other files by path, in base64. */
  readonly binaries?: Readonly<Record<string, string>>;
  /** Paths of files that are programs. */
  readonly executables?: readonly string[];
  /** Shell commands at power-on. */
  readonly commands: readonly string[];
  /** A program that starts after the commands, and may run for as long as the node does. */
  readonly main?: Step | undefined;
  /** Programs that run one after another at the end. One that fails is reported, and the next one runs. */
  readonly steps?: readonly Step[];
  readonly makeDevice?: ((spec: LinuxSpec, world: World, state: unknown) => Device) | undefined;
}

/** @throws Error if the caller has no guests. */
export function makeLinux(spec: LinuxSpec, world: World, state: unknown): Device {
  if (spec.makeDevice === undefined) throw new Error(`${spec.name}: nodes of the type linux cannot run here`);
  return spec.makeDevice(spec, world, state);
}
