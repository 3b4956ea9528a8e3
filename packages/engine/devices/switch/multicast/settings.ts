/** The settings of snooping; times are those of RFC 3376, section 8, and RFC 3810, section 9. */

/** @typeParam Q the settings of the querier. */
export interface SnoopingSettings<Q> {
  /** Seconds between two queries in the network. A member that is silent for two of them and ten seconds is forgotten. */
  readonly interval: number;
  /** Whether a port leaves a group with the first leave: for ports with one host. */
  readonly fast_leave: boolean;
  /** Whether frames to groups without a member go to all ports. */
  readonly flood_unknown: boolean;
  /** Ports that always lead to a router. */
  readonly router_ports: readonly number[];
  readonly querier?: Q;
}

export const SNOOPING_DEFAULTS = { interval: 125, fast_leave: false, flood_unknown: false } as const;
