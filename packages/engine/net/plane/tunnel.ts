/** The ends of a GRE tunnel in the form that packets need. */

export interface Tunnel {
  readonly local: number;
  readonly remote: number;
  readonly key: number | undefined;
  /** The field of the outer packets. */
  readonly ttl: number;
}

/** Identifies a tunnel by what its packets have. */
export const tunnelKey = (local: number, remote: number, key: number | undefined): string =>
  `${local} ${remote} ${key ?? "-"}`;
