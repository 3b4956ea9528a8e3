/** Losses: by chance, in bursts of a Markov chain, of listed packets, by bit errors. */
import type { RandomStream, StreamState } from "../../../base/random.ts";
import { markCongestion } from "../ecn.ts";
import type { ImpairmentType } from "../report.ts";
import { type Chance, type GilbertElliott, type Markov, PPB } from "../settings/direction-settings.ts";
import type { WirePacket } from "../wire-packet.ts";
import type { ChanceDraw, DrawState } from "./chance-draw.ts";
import { DROP, MARK, PASS, type Stage, type Verdict } from "./stage.ts";

abstract class LossStage<State> implements Stage {
  abstract readonly type: ImpairmentType;
  readonly #marks: boolean;

  constructor(marks: boolean) {
    this.#marks = marks;
  }

  /** Advances by one packet and returns whether it is lost. */
  protected abstract loses(): boolean;
  abstract saveState(): State;

  decide(packet: WirePacket): Verdict {
    if (!this.loses()) return PASS;
    const marked = this.#marks ? markCongestion(packet.data) : undefined;
    if (marked === undefined) return DROP;
    packet.data = marked;
    return MARK;
  }

  skip(): void {
    this.loses();
  }
}

export class RandomLoss extends LossStage<DrawState> {
  readonly type = "loss.random";
  readonly #chance: Chance;
  readonly #draw: ChanceDraw;

  constructor(chance: Chance, draw: ChanceDraw, marks: boolean) {
    super(marks);
    this.#chance = chance;
    this.#draw = draw;
  }

  protected loses(): boolean {
    return this.#draw.hits(this.#chance);
  }

  saveState(): DrawState {
    return this.#draw.saveState();
  }
}

export interface ChainPosition {
  readonly stream: StreamState;
  readonly state: number;
}

/**
 * Two states (E. N. Gilbert, 1960; E. O. Elliott, 1963). The state decides about the loss of each packet, and then moves; it
 * is good at first.
 */
export class GilbertElliottLoss extends LossStage<ChainPosition> {
  readonly type = "loss.gilbert_elliott";
  readonly #settings: GilbertElliott;
  readonly #random: RandomStream;
  #isBad: boolean;

  constructor(settings: GilbertElliott, random: RandomStream, marks: boolean, state = 0) {
    super(marks);
    this.#settings = settings;
    this.#random = random;
    this.#isBad = state === 1;
  }

  protected loses(): boolean {
    const settings = this.#settings;
    const isBad = this.#isBad;
    if (this.#random.below(PPB) < (isBad ? settings.r : settings.p)) this.#isBad = !isBad;
    return this.#random.below(PPB) < (isBad ? settings["1-h"] : settings["1-k"]);
  }

  saveState(): ChainPosition {
    return { stream: this.#random.saveState(), state: this.#isBad ? 1 : 0 };
  }
}

/**
 * Four states (S. Salsano, F. Ludovici, A. Ordine, D. Giannuzzi, "Definition of a general and intuitive loss model for packet
 * networks and its implementation in the Netem module in the Linux kernel", 2012):
 *
 *     4 <--p14-- 1 <--p31-- 3 --p32--> 2        4 returns to 1 at once
 *                1 --p13--> 3 <--p23-- 2        lost in 3 and 4
 */
export class MarkovLoss extends LossStage<ChainPosition> {
  readonly type = "loss.markov";
  readonly #settings: Markov;
  readonly #random: RandomStream;
  #state: number;

  constructor(settings: Markov, random: RandomStream, marks: boolean, state = 1) {
    super(marks);
    this.#settings = settings;
    this.#random = random;
    this.#state = state;
  }

  protected loses(): boolean {
    const { p13, p31, p32, p23, p14 } = this.#settings;
    const draw = this.#random.below(PPB);
    if (this.#state === 1) this.#state = draw < p14 ? 4 : draw < p14 + p13 ? 3 : 1;
    else if (this.#state === 2) this.#state = draw < p23 ? 3 : 2;
    else if (this.#state === 3) this.#state = draw < p32 ? 2 : draw < p32 + p31 ? 1 : 3;
    else this.#state = 1;
    return this.#state >= 3;
  }

  saveState(): ChainPosition {
    return { stream: this.#random.saveState(), state: this.#state };
  }
}

export class ListedLoss extends LossStage<{ readonly packets: number }> {
  readonly type = "loss.listed";
  readonly #ranges: readonly (readonly [number, number])[];
  #packets: number;
  #next = 0;

  constructor(ranges: readonly (readonly [number, number])[], marks: boolean, packets = 0) {
    super(marks);
    this.#ranges = ranges;
    this.#packets = packets;
  }

  protected loses(): boolean {
    this.#packets += 1;
    const ranges = this.#ranges;
    while (this.#next < ranges.length && (ranges[this.#next] as readonly number[])[1]! < this.#packets)
      this.#next += 1;
    const range = ranges[this.#next];
    return range !== undefined && range[0] <= this.#packets;
  }

  saveState(): { packets: number } {
    return { packets: this.#packets };
  }
}

/** The receiver's CRC check drops a frame with one bit error or more: with the chance 1 - (1 - rate)^bits. */
export class BitErrors implements Stage {
  readonly type = "bit_error_rate";
  readonly #logCorrect: number;
  readonly #random: RandomStream;
  #bytes = -1;
  #threshold = 0;

  constructor(rate: number, random: RandomStream) {
    this.#logCorrect = Math.log1p(-rate);
    this.#random = random;
  }

  decide({ wireLength }: WirePacket): Verdict {
    if (wireLength !== this.#bytes) {
      this.#bytes = wireLength;
      // 0 * -Infinity is no number: an empty frame has no errors.
      this.#threshold = wireLength === 0 ? 0 : -Math.expm1(8 * wireLength * this.#logCorrect) * PPB;
    }
    return this.#random.below(PPB) < this.#threshold ? DROP : PASS;
  }

  skip(): void {
    this.#random.below(PPB);
  }

  saveState(): { stream: StreamState } {
    return { stream: this.#random.saveState() };
  }
}
