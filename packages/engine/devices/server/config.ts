/** A server's configuration: plain JSON data, addresses as text. `properties.ts` reads it from the API's `properties`. */
import type { SpecOf } from "../../settings/shape.ts";
import type { RouterSpec } from "../router/config.ts";
import type { HttpConfig, SERVICES } from "./settings.ts";

export interface Network {
  /** `10.0.0.2/24` */
  readonly ipv4?: string;
  readonly ipv6?: string;
  readonly gateway?: string;
  readonly gateway6?: string;
  readonly mtuBytes: number;
}

export interface ServerConfig extends Network, SpecOf<typeof SERVICES> {
  /** Files by path, by the address that clients ask; at other addresses those of `http`. */
  readonly sites?: Readonly<Record<string, HttpConfig["files"]>>;
}

export interface ServerSpec extends ServerConfig {
  readonly type: "server";
  readonly name: string;
  readonly mac: number;
}

export const PORT_NAME = "Ethernet0";

/** The server's network layer: a router with one port, which does not forward. */
export const networkOf = ({ name, mac, ...config }: ServerSpec): RouterSpec => ({
  type: "router",
  name,
  mac,
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
