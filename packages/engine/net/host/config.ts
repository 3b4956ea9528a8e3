/** The configuration of a host: plain JSON data, addresses as text. */
import type { SpecOf } from "../../settings/shape.ts";
import type { PoolSpec } from "../dhcp/pool-shape.ts";
import type { PlaneConfig, PlanePort } from "../plane/config.ts";
import type { HttpConfig, SERVICES } from "./settings.ts";

export interface Network {
  /** `10.0.0.2/24` */
  readonly ipv4?: string;
  readonly ipv6?: string;
  readonly gateway?: string;
  readonly gateway6?: string;
  readonly mtuBytes: number;
}

export interface HostConfig extends Network, SpecOf<typeof SERVICES> {
  /** Files by path, by the address that clients ask; at other addresses those of `http`. */
  readonly sites?: Readonly<Record<string, HttpConfig["files"]>>;
}

export interface HostSpec extends HostConfig {
  readonly name: string;
  readonly mac: number;
}

/** The network layer of a host, which forwards nothing. */
export interface HostNetwork extends PlaneConfig {
  readonly ports: readonly (PlanePort & { readonly dhcp?: PoolSpec })[];
}

export const PORT_NAME = "Ethernet0";

/** That of a host with one port. */
export const networkOf = (config: Network): HostNetwork => ({
  ports: [
    {
      name: PORT_NAME,
      ...(config.ipv4 !== undefined && { ipv4: config.ipv4 }),
      ...(config.ipv6 !== undefined && { ipv6: config.ipv6 }),
      mtuBytes: config.mtuBytes,
      ra: false,
    },
  ],
  routes: [
    ...(config.gateway === undefined ? [] : [{ to: "0.0.0.0/0", via: config.gateway }]),
    ...(config.gateway6 === undefined ? [] : [{ to: "::/0", via: config.gateway6 }]),
  ],
});
