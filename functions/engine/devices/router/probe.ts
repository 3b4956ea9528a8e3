/** Probes of the router's own (echo requests, and the datagrams of `traceroute`), and what comes of them. */

export type ProbeKind = "echo" | "udp";

/** What identifies a probe, also where an error quotes it. */
export interface ProbeKey {
  readonly kind: ProbeKind;
  /** The identifier of an echo request, the source port of a datagram. */
  readonly id: number;
  /** The sequence number of an echo request, the target port of a datagram. */
  readonly sequence: number;
}

export interface ProbeError {
  readonly text: string;
  /** What `traceroute` prints after the time; empty where a hop or the target does what is expected of it. */
  readonly mark: string;
  /** The packet was on its way, and went as far as it might. */
  readonly isExpired: boolean;
}

export interface ProbeAnswer extends ProbeKey {
  readonly from: string;
  /** Of the ICMP message. */
  readonly sizeBytes: number;
  readonly ttl: number;
  /** Undefined for an echo reply. */
  readonly error: ProbeError | undefined;
}

/** An error that says that a packet cannot get to its target. */
export const failed = (text: string, mark: string): ProbeError => ({ text, mark, isExpired: false });

export const expired = (text: string): ProbeError => ({ text, mark: "", isExpired: true });
