/** Impairments that let a packet pass otherwise: twice, damaged, later or earlier. */
import { RandomStream, type StreamState } from "../../../base/random.ts";
import { type Chance, type Corrupt, type Delay, PPB, type Reorder } from "../settings/direction-settings.ts";
import type { WirePacket } from "../wire-packet.ts";
import type { ChanceDraw, DrawState } from "./chance-draw.ts";
import { jitterTable, TABLE_SCALE } from "./distributions.ts";
import { COPY, DAMAGE, DROP, HOLD, PASS, type Stage, type Verdict } from "./stage.ts";

export class Duplicate implements Stage {
  readonly type = "duplicate";
  readonly #chance: Chance;
  readonly #draw: ChanceDraw;

  constructor(chance: Chance, draw: ChanceDraw) {
    this.#chance = chance;
    this.#draw = draw;
  }

  decide(): Verdict {
    return this.#draw.hits(this.#chance) ? COPY : PASS;
  }

  skip(): void {
    this.#draw.draw(this.#chance.correlation);
  }

  saveState(): DrawState {
    return this.#draw.saveState();
  }
}

export interface CorruptState {
  readonly draw: DrawState;
  readonly places: StreamState;
}

export class CorruptPackets implements Stage {
  readonly type = "corrupt";
  readonly #settings: Corrupt;
  readonly #draw: ChanceDraw;
  readonly #places: RandomStream;

  /** @param places draws what is damaged, for the packets that are hit. */
  constructor(settings: Corrupt, draw: ChanceDraw, places: RandomStream) {
    this.#settings = settings;
    this.#draw = draw;
    this.#places = places;
  }

  decide(packet: WirePacket): Verdict {
    if (!this.#draw.hits(this.#settings)) return PASS;
    const places = this.#drawPlaces();
    if (this.#settings.crc === "drop") return DROP;
    if (packet.data.length === 0) return PASS;
    const { bytes = 0, bits = bytes > 0 ? 0 : 1 } = this.#settings;
    const data = packet.data.slice();
    for (let flipped = 0; flipped < bits; flipped++) {
      const bit = places.below(8 * data.length);
      data[bit >> 3] = (data[bit >> 3] as number) ^ (1 << (bit & 7));
    }
    for (let written = 0; written < bytes; written++) {
      const at = places.below(data.length);
      data[at] = (data[at] as number) ^ (1 + places.below(255));
    }
    packet.data = data;
    packet.isDamaged = true;
    return DAMAGE;
  }

  skip(): void {
    if (this.#draw.hits(this.#settings)) this.#drawPlaces();
  }

  /** Returns a stream for one packet: how many places it needs does not move the places of the next packet. */
  #drawPlaces(): RandomStream {
    const places = this.#places;
    const [one, two, three] = [places.nextUint32(), places.nextUint32(), places.nextUint32()];
    // A state must not be all zero.
    return new RandomStream([one, two, three, (places.nextUint32() | 1) >>> 0]);
  }

  saveState(): CorruptState {
    return { draw: this.#draw.saveState(), places: this.#places.saveState() };
  }
}

export class DelayPackets implements Stage {
  readonly type = "delay";
  readonly #settings: Delay;
  readonly #table: ArrayLike<number> | undefined;
  readonly #draw: ChanceDraw;

  constructor(settings: Delay, draw: ChanceDraw) {
    this.#settings = settings;
    this.#table = jitterTable(settings);
    this.#draw = draw;
  }

  decide(packet: WirePacket): Verdict {
    packet.holdNs = Math.max(0, this.#settings.delay + this.#drawJitterNs());
    return HOLD;
  }

  skip(): void {
    this.#drawJitterNs();
  }

  saveState(): DrawState {
    return this.#draw.saveState();
  }

  #drawJitterNs(): number {
    const { jitter, correlation } = this.#settings;
    if (jitter === 0) return 0;
    const drawn = this.#draw.draw(correlation);
    const table = this.#table;
    if (table === undefined) return Math.floor(((drawn + 0.5) / PPB) * (2 * jitter + 1)) - jitter;
    return Math.round((jitter * (table[Math.floor((drawn * table.length) / PPB)] as number)) / TABLE_SCALE);
  }
}

export interface ReorderState {
  readonly draw: DrawState;
  readonly since: number;
}

/** Sends a packet without its delay: by chance, and only if `gap - 1` packets have been delayed since the last one. */
export class ReorderPackets implements Stage {
  readonly type = "reorder";
  readonly #settings: Reorder;
  readonly #draw: ChanceDraw;
  #since: number;

  constructor(settings: Reorder, draw: ChanceDraw, since = 0) {
    this.#settings = settings;
    this.#draw = draw;
    this.#since = since;
  }

  decide(packet: WirePacket): Verdict {
    const hits = this.#draw.hits(this.#settings);
    if (!hits || this.#since < this.#settings.gap - 1) {
      this.#since += 1;
      return PASS;
    }
    this.#since = 0;
    packet.holdNs = -1;
    return HOLD;
  }

  skip(): void {
    this.#draw.draw(this.#settings.correlation);
  }

  saveState(): ReorderState {
    return { draw: this.#draw.saveState(), since: this.#since };
  }
}
