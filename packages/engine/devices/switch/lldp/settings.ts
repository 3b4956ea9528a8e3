/** The settings of LLDP; names and defaults are those of IEEE 802.1AB-2009, 9.2.5. */

/** Whether a port sends, and whether it learns its neighbours (adminStatus). */
export type LldpMode = "both" | "tx" | "rx" | "off";

export interface LldpSettings {
  /** Seconds between two frames of a port (msgTxInterval). */
  readonly interval: number;
  /** A neighbour keeps what it heard for this many intervals, and a second (msgTxHold). */
  readonly hold: number;
  /** Frames that a port sends, one in a second, when it hears a new neighbour (txFastInit). */
  readonly fast_count: number;
  /** By port number; absent ports have `both`. */
  readonly ports: Readonly<Record<number, LldpMode>>;
  /** The names that the switch announces, by port number. */
  readonly port_names: readonly string[];
}

export const LLDP_DEFAULTS = { interval: 30, hold: 4, fast_count: 4 } as const;
