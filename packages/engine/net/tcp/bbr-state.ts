/** What BBR knows of its path (bbr.ts): plain JSON data. The names of the draft are in the comments. */
import { type Delivery, makeDelivery } from "./delivery-rate.ts";

export type BbrPhase = "startup" | "drain" | "probe bandwidth" | "probe round trip";

export interface Bbr {
  phase: BbrPhase;
  readonly delivery: Delivery;
  /** BBR.round_count, and the figure of `delivery` with which the next round begins. */
  rounds: number;
  roundEnd: number;
  /** The best rate of each of the last rounds: BBR.BtlBwFilter, in bytes for each microsecond. */
  readonly rates: { readonly round: number; readonly rate: number }[];
  /** BBR.RTprop, and when it was measured. */
  roundTrip?: { readonly us: number; readonly atUs: number } | undefined;
  /** BBR.full_bw, BBR.full_bw_count and BBR.filled_pipe */
  fullRate: number;
  fullRounds: number;
  isFull: boolean;
  /** BBR.cycle_index and BBR.cycle_stamp */
  cycle: number;
  cycleUs: number;
  /** BBR.probe_rtt_done_stamp and BBR.probe_rtt_round_done */
  probeEndUs?: number | undefined;
  isProbeRoundOver: boolean;
  /** BBR.idle_restart */
  isRestarting: boolean;
  /** BBR.prior_cwnd */
  savedBytes: number;
  wasRecovering: boolean;
  /** BBR.packet_conservation */
  conserves: boolean;
  /** What arrives above the estimated rate, by round: receivers and links deliver acknowledgements in groups. */
  readonly extra: { readonly round: number; readonly bytes: number }[];
  extraSinceUs: number;
  extraBytes: number;
}

export const makeBbr = (nowUs: number): Bbr => ({
  phase: "startup",
  delivery: makeDelivery(nowUs),
  rounds: 0,
  roundEnd: 0,
  rates: [],
  fullRate: 0,
  fullRounds: 0,
  isFull: false,
  cycle: 0,
  cycleUs: nowUs,
  isProbeRoundOver: false,
  isRestarting: false,
  savedBytes: 0,
  wasRecovering: false,
  conserves: false,
  extra: [],
  extraSinceUs: nowUs,
  extraBytes: 0,
});
