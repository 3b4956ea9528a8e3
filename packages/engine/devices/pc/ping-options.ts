/** The options of `ping`, as far as its IPv4 and IPv6 forms share them (docs/interface.md, section 9.6). */

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
  /** 0 stands for a random one. */
  readonly sourcePort: number;
  readonly targetPort: number;
  /** TCP flags of `-f`: one bare segment a packet; undefined for a whole connection. */
  readonly flags: number | undefined;
  /** `-u`; 0 stands for the interface's. */
  readonly mtuBytes: number;
}
