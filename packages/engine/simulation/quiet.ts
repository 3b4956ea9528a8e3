/**
 * When a run without a duration ends in a lab with a routing protocol: the protocol's hellos are background timers, so an adjacency or a route
 * may follow when nothing else is left to happen. Such a run lasts until nothing of the protocols has changed for a while.
 *
 * Labs without a routing protocol that reports its changes have no quiet time: their runs end when nothing is left but background timers.
 */
import { NS_PER_SECOND } from "../base/time.ts";

export interface Quiet {
  /** Lab time without a change after which routing is quiet. */
  readonly quietNs: number;
  /** Lab time after the run's start, or its last action, at which the run stops waiting. */
  readonly limitNs: number;
}

/** The usual dead interval of OSPF: a neighbour that has fallen silent is lost within it. */
const QUIET_SECONDS = 40;
const LIMIT_SECONDS = 600;

export const DEFAULT_QUIET: Quiet = {
  quietNs: QUIET_SECONDS * NS_PER_SECOND,
  limitNs: LIMIT_SECONDS * NS_PER_SECOND,
};

/** The last change that a routing protocol has reported. */
export interface RoutingChange {
  readonly atNs: number;
  /** The node's name. */
  readonly node: string;
  /** In words: `neighbour 2.2.2.2 is Down (inactivity timer)`. */
  readonly what: string;
}

export interface FrozenQuietWatch {
  readonly sinceNs: number;
  readonly last: RoutingChange | undefined;
}

export class QuietWatch {
  readonly #quiet: Quiet | undefined;
  /** The run's start, or its last action. */
  #sinceNs = 0;
  #last: RoutingChange | undefined;

  /** @param quiet absent for runs that do not wait. */
  constructor(quiet: Quiet | undefined) {
    this.#quiet = quiet;
  }

  changed(change: RoutingChange): void {
    this.#last = change;
  }

  acted(atNs: number): void {
    this.#sinceNs = atNs;
  }

  /** Until when the run waits for a change; undefined if it does not wait. */
  get untilNs(): number | undefined {
    if (this.#quiet === undefined || this.#last === undefined) return undefined;
    return Math.min(this.#quietAtNs(this.#quiet, this.#last), this.#sinceNs + this.#quiet.limitNs);
  }

  /** The last change of a run that ended before routing was quiet, and the limit in nanoseconds. */
  get unsettled(): { readonly last: RoutingChange; readonly limitNs: number } | undefined {
    const quiet = this.#quiet;
    const last = this.#last;
    if (quiet === undefined || last === undefined) return undefined;
    const isUnsettled = this.#quietAtNs(quiet, last) > this.#sinceNs + quiet.limitNs;
    return isUnsettled ? { last, limitNs: quiet.limitNs } : undefined;
  }

  freeze(): FrozenQuietWatch {
    return { sinceNs: this.#sinceNs, last: this.#last };
  }

  thaw({ sinceNs, last }: FrozenQuietWatch): void {
    this.#sinceNs = sinceNs;
    this.#last = last;
  }

  #quietAtNs({ quietNs }: Quiet, { atNs }: RoutingChange): number {
    return Math.max(atNs, this.#sinceNs) + quietNs;
  }
}
