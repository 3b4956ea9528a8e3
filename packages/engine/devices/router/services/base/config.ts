/**
 * The configuration of a router: plain JSON data, addresses as text. A service adds its settings to these types, in its own files:
 * `declare module`. `shell/properties.ts` parses and checks all of it from the API's `properties`.
 */
import type { PoolSpec } from "../../../../net/dhcp/pool-shape.ts";
import type { InterfaceKind, PlaneConfig, PlanePort } from "../../../../net/plane/config.ts";
import type { StaticRoute } from "../../../../net/plane/route-spec.ts";
import type { Json } from "../../../../settings/shape.ts";

export interface RouterPortSpec extends PlanePort {
  readonly dhcp?: PoolSpec;
}

export type RouterInterfaceSpec = RouterPortSpec & InterfaceKind;

/** Services that are not configured are absent. */
export interface ServicesConfig {
  readonly routes: readonly StaticRoute[];
}

export interface RouterConfig extends PlaneConfig, ServicesConfig {
  /** 1 to 64. */
  readonly ports: readonly RouterPortSpec[];
  /** Absent if there are none. */
  readonly interfaces?: readonly RouterInterfaceSpec[];
}

export interface PortProperties {
  name?: string;
  ipv4?: string;
  ipv6?: string;
  mtu?: number;
  dhcp?: Json<PoolSpec>;
  ra?: boolean;
  vrf?: string;
  shutdown?: boolean;
}

export interface InterfaceProperties extends PortProperties {
  type?: string;
}

export interface ServicesProperties {
  routes?: StaticRoute[];
}

/** The configuration with the names of the API's `properties`; omitted values have their defaults. */
export interface RouterProperties extends ServicesProperties {
  ports?: PortProperties[];
  interfaces?: InterfaceProperties[];
}
