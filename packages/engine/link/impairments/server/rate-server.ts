import type { Rate } from "../settings/direction-settings.ts";
import { RateClock } from "./rate-clock.ts";
import type { Server, ServerState } from "./server.ts";

/** Sends bit after bit: a packet of n bytes takes 8n/rate. Fractions of a nanosecond carry over to the next packet. */
export class RateServer implements Server {
  readonly #clock: RateClock;
  readonly #rate: number;

  constructor({ rate }: Rate, originNs: number, state: ServerState | undefined, nowNs: number) {
    this.#rate = rate;
    const remainder = state?.rate === rate ? (state.remainder ?? 0) : 0;
    this.#clock = new RateClock(rate, state === undefined ? nowNs : originNs + state.readyNs, remainder);
  }

  get readyNs(): number {
    return this.#clock.ns;
  }

  send(bytes: number, nowNs: number): number {
    this.#clock.skipTo(nowNs);
    this.#clock.add(bytes);
    return this.#clock.ns;
  }

  saveState(originNs: number): ServerState {
    const { ns, remainder } = this.#clock;
    return { kind: "rate", readyNs: ns - originNs, remainder, rate: this.#rate };
  }
}
