/**
 * Translation of IPv4 addresses, as a router stores it. All rules are of the port `out`, beyond which the outside is.
 *
 *     source    new connections that leave by the port, from a prefix, get another source
 *     static    one inside address is one outside address, in both directions
 *     forward   connections to a port of an outside address lead to a host inside
 */

export interface SourceRule {
  readonly out: string;
  readonly from: string;
  /** `interface`: the address of the port. Else an address, or the first and the last of a pool: `203.0.113.5-203.0.113.9`. */
  readonly to: string;
  /** True: hosts share an address, and each connection gets a port of its own. False: each host inside has an address of the pool to itself. */
  readonly overload: boolean;
}

export interface StaticRule {
  readonly out: string;
  readonly inside: string;
  readonly outside: string;
}

export interface ForwardRule {
  readonly out: string;
  readonly protocol: "tcp" | "udp";
  /** Absent for the address of the port. */
  readonly address?: string;
  readonly port: number;
  /** The last port of a range; absent for one port. */
  readonly last_port?: number;
  readonly to: string;
  /** The port inside of `port`; those of a range follow. Absent if it is the same. */
  readonly to_port?: number;
}

export interface NatSpec {
  readonly source?: readonly SourceRule[];
  readonly static?: readonly StaticRule[];
  readonly forward?: readonly ForwardRule[];
  /** Hosts inside reach each other by outside addresses, too (RFC 4787, section 6). */
  readonly hairpin?: boolean;
}

export const MAX_SOURCE_RULES = 16;
export const MAX_STATIC_RULES = 64;
export const MAX_FORWARD_RULES = 64;
export const MAX_POOL_ADDRESSES = 256;
export const MAX_PORT = 65_535;
export const NAT_KEYS = [
  "source",
  "static",
  "forward",
  "hairpin",
] as const satisfies readonly (keyof NatSpec)[];
export const TO_INTERFACE = "interface";
