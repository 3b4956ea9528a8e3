/** The settings of bundles: several ports between two switches that are one port for learning, forwarding and the spanning tree. */

/** `active` sends LACP, `passive` answers only, `on` uses the ports without any protocol. */
export type BundleMode = "active" | "passive" | "on";
/** What of a frame decides which port carries it. */
export type BundleHash = "mac" | "ip" | "port";

export interface BundleSettings {
  /** In ascending order; the first stands for the bundle in every other setting and report. */
  readonly ports: readonly number[];
  readonly mode: BundleMode;
  /** Which LACP frames the switch asks the other end for: `slow` is one in 30 s, `fast` one a second. */
  readonly rate: "slow" | "fast";
  readonly hash: BundleHash;
  /** Whether the first port with a link is used alone while the other end sends no LACP. */
  readonly fallback: boolean;
}

export const BUNDLE_DEFAULTS = { mode: "active", rate: "slow", hash: "mac", fallback: false } as const;
