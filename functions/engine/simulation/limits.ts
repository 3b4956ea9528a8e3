/** How much one run may do. A run that reaches a limit ends there and keeps what it did. */

export interface RunLimits {
  /** Frames arriving, timers and actions. Broadcasts that are passed on count less: see run-budget.ts. */
  readonly events: number;
  /** Frames entering links; broadcasts likewise. */
  readonly packets: number;
  /** Bytes added to captures. */
  readonly capturedBytes: number;
  /** Bytes of frames that links hold at the same time, copies of a flooded frame once: what a run may take of memory. */
  readonly bytesInFlight: number;
  /** Characters printed to consoles. */
  readonly outputCharacters: number;
  /** Lab time. */
  readonly labSeconds: number;
}

/** What a run can stop at; `cpu_seconds` is decided by the caller of the simulation. */
export type LimitName =
  | "events"
  | "packets"
  | "captured_bytes"
  | "bytes_in_flight"
  | "output_characters"
  | "lab_seconds"
  | "cpu_seconds";
