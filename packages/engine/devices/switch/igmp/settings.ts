/** The settings of IGMP snooping; times are those of RFC 3376, section 8. */

export interface QuerierSettings {
  /** The source of the queries, as a number; of several queriers, the lowest address queries. */
  readonly address: number;
  readonly version: 2 | 3;
}

export interface IgmpSettings {
  /** Seconds between two queries in the network. A member that is silent for two of them and ten seconds is forgotten. */
  readonly interval: number;
  /** Whether a port leaves a group with the first leave: for ports with one host. */
  readonly fast_leave: boolean;
  /** Whether frames to groups without a member go to all ports. */
  readonly flood_unknown: boolean;
  /** Ports that always lead to a router. */
  readonly router_ports: readonly number[];
  readonly querier?: QuerierSettings;
}

export const IGMP_DEFAULTS = { interval: 125, fast_leave: false, flood_unknown: false } as const;
