/**
 * The state of a connection: the transmission control block of RFC 9293, section 3.3.1, as plain JSON data. Streams have positions
 * (position.ts) where the RFC has sequence numbers, and windows are in bytes.
 */
import type { Congestion } from "./congestion.ts";
import type { Ecn } from "./ecn-state.ts";
import type { Flight } from "./flight.ts";
import type { TcpOptions } from "./options.ts";
import type { Pacing } from "./pacing.ts";
import type { Range } from "./ranges.ts";
import type { ReceiveQueue } from "./receive-queue.ts";
import type { Probe, Rack, Recovery, Undo } from "./recovery-state.ts";
import type { RoundTrip } from "./round-trip.ts";
import type { SendQueue } from "./send-queue.ts";
import type { TcpSettings } from "./settings.ts";

export type TcpState =
  | "SYN-SENT"
  | "SYN-RECEIVED"
  | "ESTABLISHED"
  | "FIN-WAIT-1"
  | "FIN-WAIT-2"
  | "CLOSE-WAIT"
  | "CLOSING"
  | "LAST-ACK"
  | "TIME-WAIT"
  | "CLOSED";

/** When each timer ends; lab microseconds since 1970. */
export interface Deadlines {
  retransmitUs?: number | undefined;
  acknowledgeUs?: number | undefined;
  persistUs?: number | undefined;
  /** The end of the reordering window: rack.ts. */
  reorderUs?: number | undefined;
  /** The next burst: pacing.ts. */
  paceUs?: number | undefined;
  /** The probe of a tail: tail-probe.ts. */
  probeUs?: number | undefined;
  /** The end of TIME-WAIT. */
  forgetUs?: number | undefined;
}

export interface Tcb {
  state: TcpState;
  readonly settings: TcpSettings;

  /** The position of the own SYN. */
  readonly initial: number;
  /** SND.UNA */
  unacknowledged: number;
  /** SND.NXT */
  next: number;
  /** The highest position sent; above `next` after an unanswered window probe. */
  sent: number;
  /** SND.WND */
  window: number;
  maxWindow: number;
  /** SND.WL1 and SND.WL2: where the window comes from. */
  windowFrom: readonly [position: number, acknowledged: number];
  sendShift: number;
  readonly queue: SendQueue;
  /** The application has closed: a FIN follows the queue. */
  isClosing: boolean;
  /** What the peer accepts in a segment with the options of data segments. */
  mssBytes: number;

  /** What this host announced to accept, without options. */
  readonly acceptedMssBytes: number;

  /** RCV.NXT */
  receiveNext: number;
  /** The right edge of the window that the peer knows. */
  receiveEdge: number;
  receiveShift: number;
  readonly received: ReceiveQueue;
  /** The position of the peer's FIN, if it came early or was taken. */
  finAt?: number | undefined;
  /** The application does not read: bytes stay here, one character each. */
  isPaused: boolean;
  unread: string;
  /** The application needs no text of what it receives. */
  discards: boolean;
  /** What has arrived twice, for the next acknowledgement to report. */
  repeated?: Range | undefined;
  /** Bytes received since the last acknowledgement was sent. */
  unansweredBytes: number;
  /** The largest segment received: what two segments are is decided by it. */
  receivedMssBytes: number;

  usesScaling: boolean;
  usesSack: boolean;
  usesTimestamps: boolean;
  ecn?: Ecn | undefined;
  /** TS.Recent of RFC 7323, and when it was set. */
  recentTimestamp: number;
  recentTimestampUs: number;
  /** When a segment without data outside the window was answered. */
  answeredUs?: number | undefined;
  /** Last.ACK.sent of RFC 7323. */
  acknowledgedAt: number;

  readonly roundTrip: RoundTrip;
  /** The segment whose acknowledgement measures the round trip; never one that was sent twice (Karn). */
  timed?: { readonly end: number; readonly sentUs: number } | undefined;
  readonly congestion: Congestion;
  /** The window of congestion control ended the last sending. */
  isCongestionLimited: boolean;
  lastSentUs: number;
  /** What is in flight. */
  readonly flight: Flight;
  /** Ranges that the peer reported by SACK. */
  readonly reported: Range[];
  readonly rack: Rack;
  /** Present if segments are paced. */
  pacing?: Pacing | undefined;
  /** Duplicate acknowledgements in a row, without SACK. */
  duplicates: number;
  recovery?: Recovery | undefined;
  undo?: Undo | undefined;
  probe?: Probe | undefined;
  /** Timeouts, or window probes, in a row. */
  attempts: number;
  readonly deadlines: Deadlines;
  readonly counters: TcpCounters;
}

export interface TcpCounters {
  readonly openedUs: number;
  segmentsIn: number;
  segmentsOut: number;
  bytesReceived: number;
  bytesAcknowledged: number;
  retransmissions: number;
  fastRecoveries: number;
  timeouts: number;
  /** Reductions of the window that were taken back; absent: none. */
  undone?: number;
}

/** A segment as in its header, except for ports. */
export interface Segment {
  readonly sequence: number;
  readonly acknowledgement: number;
  readonly flags: number;
  readonly window: number;
  readonly options: TcpOptions;
  readonly data: Uint8Array;
  /** The bits of ECN in the IP header; absent: 0. */
  readonly codepoint?: number;
}

/** What happens to a connection; the application hears of it. */
export type TcpEvent =
  | { readonly kind: "connected" }
  /** Bytes in order; a count if the application discards them. */
  | { readonly kind: "data"; readonly bytes: string | number }
  /** The peer sends no more. */
  | { readonly kind: "end" }
  /** The peer has acknowledged more bytes. */
  | { readonly kind: "acknowledged" }
  /** The connection is over. @param reason absent if both sides closed it. */
  | { readonly kind: "closed"; readonly reason?: string }
  /** Nothing of the connection is left: after TIME-WAIT, or at once. */
  | { readonly kind: "gone" };

/** What a connection needs of its host. */
export interface Outlet {
  readonly nowUs: number;
  transmit(segment: Segment): void;
  report(event: TcpEvent): void;
}

/** The position after the last byte and the FIN. */
export const streamEnd = ({ queue, isClosing }: Tcb): number => queue.end + (isClosing ? 1 : 0);

export const flightBytes = ({ next, unacknowledged }: Tcb): number => next - unacknowledged;
