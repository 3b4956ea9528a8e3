/** Probes from the router (echo requests, and the datagrams of `traceroute`), and their results. */

export type ProbeKind = "echo" | "udp";

/** Identifies a probe, also where an error quotes it. */
export interface ProbeKey {
  readonly kind: ProbeKind;
  /** The identifier of an echo request, the source port of a datagram. */
  readonly id: number;
  /** The sequence number of an echo request, the target port of a datagram. */
  readonly sequence: number;
}

export interface ProbeError {
  readonly text: string;
  /** The mark that `traceroute` prints after the time; empty for the expected result of a hop or target. */
  readonly mark: string;
  /** The hop limit expired at a router on the way. */
  readonly isExpired: boolean;
}

export interface ProbeAnswer extends ProbeKey {
  readonly from: string;
  /** Size of the ICMP message. */
  readonly sizeBytes: number;
  readonly ttl: number;
  /** Undefined for an echo reply. */
  readonly error: ProbeError | undefined;
}

/** An error that reports that a packet cannot reach its target. */
export const failed = (text: string, mark: string): ProbeError => ({ text, mark, isExpired: false });

/** @param mtuBytes of the next link. */
export const fragmentationNeeded = (mtuBytes: number): ProbeError =>
  failed(`fragmentation needed, MTU ${mtuBytes}`, `!F-${mtuBytes}`);

export const packetTooBig = (mtuBytes: number): ProbeError =>
  failed(`packet too big, MTU ${mtuBytes}`, `!F-${mtuBytes}`);

export const expired = (text: string): ProbeError => ({ text, mark: "", isExpired: true });
