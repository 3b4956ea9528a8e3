/**
 * Slots: packets arrive in groups, as on a radio link that waits for its turn. A packet waits for the slot that is announced; if
 * that is past, the packet announces one. A slot that is full announces the next.
 */
import type { Slots } from "./settings/direction-settings.ts";

export interface SlotState {
  readonly slotNs: number;
  readonly packetsLeft: number;
  readonly bytesLeft: number;
}

export class SlotGate {
  readonly #settings: Slots;
  readonly #draw: () => number;
  #slotNs = Number.NEGATIVE_INFINITY;
  #packetsLeft = 0;
  #bytesLeft = 0;

  /** @param draw uniform over [0, 1). */
  constructor(settings: Slots, draw: () => number, state: SlotState | undefined, originNs: number) {
    this.#settings = settings;
    this.#draw = draw;
    if (state === undefined) return;
    this.#slotNs = state.slotNs + originNs;
    this.#packetsLeft = state.packetsLeft;
    this.#bytesLeft = state.bytesLeft;
  }

  /** Returns the slot of a packet that arrives at `nowNs`; packets come in order of time. */
  pass(bytes: number, nowNs: number): number {
    if (this.#slotNs < nowNs) this.#announce(nowNs);
    const slotNs = this.#slotNs;
    this.#packetsLeft -= 1;
    this.#bytesLeft -= bytes;
    const { packets, bytes: limit } = this.#settings;
    if ((packets > 0 && this.#packetsLeft <= 0) || (limit > 0 && this.#bytesLeft <= 0))
      this.#announce(slotNs);
    return slotNs;
  }

  saveState(originNs: number): SlotState | undefined {
    if (this.#slotNs === Number.NEGATIVE_INFINITY) return undefined;
    return {
      slotNs: this.#slotNs - originNs,
      packetsLeft: this.#packetsLeft,
      bytesLeft: this.#bytesLeft,
    };
  }

  #announce(afterNs: number): void {
    const { min_delay: least, max_delay: most, packets, bytes } = this.#settings;
    this.#slotNs = afterNs + least + Math.floor(this.#draw() * (most - least + 1));
    this.#packetsLeft = packets;
    this.#bytesLeft = bytes;
  }
}
