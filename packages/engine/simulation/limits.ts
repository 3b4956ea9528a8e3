/** The limits of one run. A run that reaches a limit ends there and keeps its results. */

export interface RunLimits {
  /** Frame arrivals, timers and actions. Forwarded broadcasts count less: see run-budget.ts. */
  readonly events: number;
  /** Frames that enter links. Forwarded broadcasts count less. */
  readonly packets: number;
  /** Bytes added to captures. */
  readonly capturedBytes: number;
  /** Bytes of frames that links hold at the same time, copies of a flooded frame once: bounds the run's memory. */
  readonly bytesInFlight: number;
  /** Characters printed to consoles. */
  readonly outputCharacters: number;
  /** Lab time. */
  readonly labSeconds: number;
}

/** The limits that can end a run; the caller of the simulation decides `cpu_seconds`. */
export type LimitName =
  | "events"
  | "packets"
  | "captured_bytes"
  | "bytes_in_flight"
  | "output_characters"
  | "lab_seconds"
  | "cpu_seconds";
