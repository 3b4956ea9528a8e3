import { NS_PER_SECOND } from "../../../base/time.ts";
import type { Rate } from "../settings/direction-settings.ts";
import { RateClock } from "./rate-clock.ts";
import type { Server, ServerState } from "./server.ts";

/**
 * A token bucket: a packet leaves as soon as the bucket has a token for each of its bytes. The bucket is kept as the time at which
 * it will be full (as in the generic cell rate algorithm, ITU-T I.371). A packet larger than the bucket waits for a full bucket
 * and takes the missing tokens in advance.
 */
export class BurstServer implements Server {
  readonly #settings: Rate;
  readonly #full: RateClock;
  #readyNs: number;

  constructor(settings: Rate, originNs: number, state: ServerState | undefined, nowNs: number) {
    const { rate } = settings;
    this.#settings = settings;
    this.#readyNs = state === undefined ? nowNs : originNs + state.readyNs;
    const fullNs = state?.fullNs === undefined ? nowNs : originNs + state.fullNs;
    this.#full = new RateClock(rate, fullNs, state?.rate === rate ? (state.remainder ?? 0) : 0);
  }

  get readyNs(): number {
    return this.#readyNs;
  }

  send(bytes: number, nowNs: number): number {
    const { rate, burst, peak_rate: peak } = this.#settings;
    const spareNs = wholeNs(Math.max(0, burst - bytes), rate, this.#full.remainder);
    const sentNs = Math.max(nowNs, this.#full.ns - spareNs);
    this.#full.skipTo(sentNs);
    this.#full.add(bytes);
    this.#readyNs = peak > 0 ? sentNs + Math.ceil((bytes * 8 * NS_PER_SECOND) / peak) : sentNs;
    return this.#readyNs;
  }

  saveState(originNs: number): ServerState {
    const { ns, remainder } = this.#full;
    return {
      kind: "burst",
      readyNs: this.#readyNs - originNs,
      fullNs: ns - originNs,
      remainder,
      rate: this.#settings.rate,
    };
  }
}

/** Returns the duration of bytes at a rate less a fraction of a nanosecond, rounded down. */
function wholeNs(bytes: number, rate: number, remainder: number): number {
  const work = bytes * 8 * NS_PER_SECOND - remainder;
  if (work > Number.MAX_SAFE_INTEGER)
    return Number((BigInt(bytes) * 8_000_000_000n - BigInt(remainder)) / BigInt(rate));
  const quotient = Math.floor(work / rate);
  return quotient * rate > work ? quotient - 1 : quotient;
}
