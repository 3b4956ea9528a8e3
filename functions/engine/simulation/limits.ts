/** How much one run may do. A run that reaches a limit ends there and keeps what it did. */

export interface RunLimits {
  /** Frames arriving, timers and actions. */
  readonly events: number;
  /** Frames entering links. */
  readonly packets: number;
  /** Bytes added to captures. */
  readonly capturedBytes: number;
  /** Bytes of frames that links hold at the same time: what a run may take of memory. */
  readonly bytesInFlight: number;
  /** Characters printed to consoles. */
  readonly outputCharacters: number;
  /** Lab time. */
  readonly labSeconds: number;
}

/** What a run can stop at; `cpu_seconds` is told by whoever watches the clock. */
export type LimitName =
  | "events"
  | "packets"
  | "captured_bytes"
  | "bytes_in_flight"
  | "output_characters"
  | "lab_seconds"
  | "cpu_seconds";
