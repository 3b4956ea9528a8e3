/**
 * Delivery opportunities of a mahimahi trace (R. Netravali et al., "Mahimahi: accurate record-and-replay for HTTP", USENIX ATC 2015):
 * at each time of the trace 1,504 bytes may leave. Several packets share an opportunity, a large packet takes several, and
 * what no packet uses is lost. The trace repeats after its last time.
 */
import type { Server, ServerState } from "./server.ts";

export const OPPORTUNITY_BYTES = 1_504;

export class TraceServer implements Server {
  readonly #timesNs: readonly number[];
  readonly #cycleNs: number;
  readonly #beganNs: number;
  /** The opportunity that is in use, or the next one. */
  #index: number;
  #left: number;
  #readyNs: number;

  /** @param nowNs when the trace begins, unless it has. */
  constructor(timesNs: readonly number[], originNs: number, state: ServerState | undefined, nowNs: number) {
    this.#timesNs = timesNs;
    this.#cycleNs = timesNs.at(-1) as number;
    this.#beganNs = state?.trace === undefined ? nowNs : originNs + state.trace.beganNs;
    this.#index = state?.trace?.index ?? 0;
    this.#left = state?.trace?.left ?? OPPORTUNITY_BYTES;
    this.#readyNs = state === undefined ? nowNs : originNs + state.readyNs;
  }

  get readyNs(): number {
    return this.#readyNs;
  }

  send(bytes: number, nowNs: number): number {
    this.#passTo(nowNs);
    let needed = bytes;
    while (needed > this.#left) {
      needed -= this.#left;
      this.#index += 1;
      this.#left = OPPORTUNITY_BYTES;
    }
    this.#left -= needed;
    this.#readyNs = this.#timeOf(this.#index);
    if (this.#left === 0) {
      this.#index += 1;
      this.#left = OPPORTUNITY_BYTES;
    }
    return this.#readyNs;
  }

  saveState(originNs: number): ServerState {
    return {
      kind: "trace",
      readyNs: this.#readyNs - originNs,
      trace: { index: this.#index, left: this.#left, beganNs: this.#beganNs - originNs },
    };
  }

  /** Loses the opportunities before `nowNs`. */
  #passTo(nowNs: number): void {
    if (this.#timeOf(this.#index) >= nowNs) return;
    const cycles = Math.floor((nowNs - this.#beganNs) / this.#cycleNs);
    this.#index = Math.max(this.#index, (cycles - 1) * this.#timesNs.length);
    while (this.#timeOf(this.#index) < nowNs) this.#index += 1;
    this.#left = OPPORTUNITY_BYTES;
  }

  #timeOf(index: number): number {
    const { length } = this.#timesNs;
    const cycle = Math.floor(index / length);
    return this.#beganNs + cycle * this.#cycleNs + (this.#timesNs[index - cycle * length] as number);
  }
}
