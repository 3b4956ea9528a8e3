/** The options that `ping` over IPv4 and IPv6 share (docs/interface.md, section 9.6). */

export type PingProtocol = "icmp" | "udp" | "tcp";

export interface PingOptions {
  readonly count: number;
  /** `-t`: until interrupted. */
  readonly endless: boolean;
  readonly intervalMs: number;
  readonly waitMs: number;
  readonly dataBytes: number;
  readonly ttl: number;
  readonly dontFragment: boolean;
  readonly protocol: PingProtocol;
  /** 0 selects a random port. */
  readonly sourcePort: number;
  readonly targetPort: number;
  /** TCP flags of `-f`: each packet is one bare segment. Undefined for a whole connection. */
  readonly flags: number | undefined;
  /** `-u`; 0 selects the interface's MTU. */
  readonly mtuBytes: number;
}
