/** The network of the comparison: a router between an inside and an outside, and hosts that are played. */
import { ip } from "./ip.ts";

/** By side: 0 is inside, 1 outside. The router has the first address of each. */
export const NETWORKS: readonly number[] = [ip("10.0.1.0"), ip("10.0.2.0")];
export const OWN_OUTSIDE = ip("10.0.2.1");
export const ROUTER_MACS: readonly number[] = [0x0200_0000_0100, 0x0200_0000_0101];
export const HOST_MACS: readonly number[] = [0x0200_0000_000a, 0x0200_0000_000b];
export const macOfSide = (_host: number, side: number): number => HOST_MACS[side]!;
export const INSIDE_HOSTS: readonly number[] = ["10.0.1.10", "10.0.1.11", "10.0.1.12", "10.0.1.13"].map(ip);
export const OUTSIDE_HOSTS: readonly number[] = ["10.0.2.10", "10.0.2.11", "10.0.2.12"].map(ip);
