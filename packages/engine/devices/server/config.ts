/** A server's configuration: plain JSON data, addresses as text. `properties.ts` parses and checks it from the API's `properties`. */
import type { RouterSpec } from "../router/config.ts";
import type { Algorithm } from "./tcp/algorithms.ts";
import type { TcpSettings } from "./tcp/tcb.ts";

export interface ServerConfig {
  /** `10.0.0.2/24` */
  readonly ipv4?: string;
  readonly ipv6?: string;
  readonly gateway?: string;
  readonly gateway6?: string;
  readonly mtuBytes: number;
  readonly tcp: TcpSettings;
  /** TCP and UDP, port 7. */
  readonly echo: boolean;
  /** The TCP port whose data are counted and discarded. */
  readonly sinkPort?: number;
  readonly http?: HttpConfig;
  /** Files by path, by the address that clients ask; at other addresses those of `http`. */
  readonly sites?: Readonly<Record<string, HttpConfig["files"]>>;
  /** Addresses by name. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
  readonly ntp: boolean;
  readonly sends: readonly SendOrder[];
}

export interface HttpConfig {
  readonly port: number;
  /** Bodies by path. */
  readonly files: Readonly<Record<string, string>>;
}

/** Bulk data to send after power-on: a number of bytes, or for a time. */
export interface SendOrder {
  readonly to: string;
  readonly port: number;
  readonly bytes?: number;
  readonly seconds?: number;
  readonly congestion?: Algorithm;
  readonly afterSeconds: number;
}

export interface ServerSpec extends ServerConfig {
  readonly type: "server";
  readonly name: string;
  readonly mac: number;
}

export const HTTP_PORT = 80;
/** iperf's port. */
export const SINK_PORT = 5_001;
export const PORT_NAME = "Ethernet0";

export const DEFAULT_RECEIVE_BUFFER_BYTES = 4_194_304;
export const MIN_RECEIVE_BUFFER_BYTES = 2_048;
export const MAX_RECEIVE_BUFFER_BYTES = 67_108_864;
export const MAX_HTTP_FILES = 64;
export const MAX_HTTP_FILE_CHARACTERS = 16_384;
export const MAX_NAMES = 256;
export const MAX_ADDRESSES_OF_NAME = 8;
export const MAX_SENDS = 16;
export const MAX_SEND_BYTES = 1_000_000_000_000;
export const MAX_SEND_SECONDS = 86_400;

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
