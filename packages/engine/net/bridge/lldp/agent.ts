/**
 * LLDP of one switch (IEEE 802.1AB-2009): each port with a link announces the switch, and learns what is behind the link.
 *
 * A port sends when its link comes up, then every interval. When it hears a new neighbour, it sends at once and in each of the next
 * seconds (fast start), so that the neighbour learns it soon. The timers are in the background: LLDP keeps no run going.
 */

import type { World } from "../../../base/world.ts";
import { etherType } from "../../../wire/ethernet.ts";
import { decodeLldp, ETHERTYPE_LLDP, encodeLldp } from "../../../wire/lldp.ts";
import { WakeTimer } from "../wake-timer.ts";
import { type LldpNeighbourReport, Neighbours, type SavedNeighbour } from "./neighbours.ts";
import type { LldpSettings } from "./settings.ts";

const SECOND_US = 1_000_000;
const MAX_TTL_SECONDS = 65_535;
/** Frames that a port may send at once, and one more in each second (txCreditMax). */
const MAX_CREDIT = 5;
const PDU_AT = 14;

/** Times are microseconds from the moment of saving. */
export interface SavedLldp {
  readonly ports: readonly (readonly [
    port: number,
    isUp: 0 | 1,
    nextUs: number,
    fast: number,
    credit: number,
    sinceCreditUs: number,
  ])[];
  readonly neighbours: readonly SavedNeighbour[];
}

interface Port {
  readonly number: number;
  readonly sends: boolean;
  readonly learns: boolean;
  isUp: boolean;
  /** When the port sends next; Infinity without a link. */
  nextUs: number;
  /** Frames of the fast start that are left (txFast). */
  fast: number;
  credit: number;
  creditUs: number;
}

export interface LldpIdentity {
  readonly name: string;
  readonly mac: number;
}

export class LldpAgent {
  readonly #settings: LldpSettings;
  readonly #identity: LldpIdentity;
  readonly #world: World;
  readonly #ports: readonly Port[];
  readonly #neighbours: Neighbours;
  readonly #wake: WakeTimer;

  /** @param wired the ports with a link that take part. */
  constructor(
    settings: LldpSettings,
    identity: LldpIdentity,
    wired: readonly number[],
    world: World,
    saved?: SavedLldp,
  ) {
    this.#settings = settings;
    this.#identity = identity;
    this.#world = world;
    this.#wake = new WakeTimer(world, "background", () => this.#work());
    const { nowUs } = world;
    this.#ports = wired.map((number) => {
      const mode = settings.ports[number] ?? "both";
      const before = saved?.ports.find(([port]) => port === number);
      const [, isUp = 1, nextUs = 0, fast = 0, credit = MAX_CREDIT, sinceCreditUs = 0] = before ?? [];
      return {
        number,
        sends: mode === "both" || mode === "tx",
        learns: mode === "both" || mode === "rx",
        isUp: isUp === 1,
        nextUs: isUp === 1 ? nowUs + nextUs : Number.POSITIVE_INFINITY,
        fast,
        credit,
        creditUs: nowUs - sinceCreditUs,
      };
    });
    const learning = this.#ports.filter(({ learns }) => learns).map(({ number }) => number);
    const kept = saved?.neighbours.filter(([, { port }]) => learning.includes(port));
    this.#neighbours = new Neighbours(kept ?? [], nowUs);
  }

  /** Takes up its work at power-on or at the start of a run. */
  start(): void {
    this.#work();
  }

  receive(number: number, frame: Uint8Array): void {
    const port = this.#ports.find((each) => each.number === number);
    if (port?.learns !== true || etherType(frame) !== ETHERTYPE_LLDP) return;
    const pdu = decodeLldp(frame, PDU_AT);
    if (pdu === undefined) return;
    const { nowUs } = this.#world;
    if (!this.#neighbours.hear(number, pdu, nowUs) || !port.isUp || port.fast > 0) return;
    port.fast = this.#settings.fast_count;
    port.nextUs = nowUs;
    this.#work();
  }

  setCarrier(number: number, isUp: boolean): void {
    const port = this.#ports.find((each) => each.number === number);
    if (port === undefined || port.isUp === isUp) return;
    port.isUp = isUp;
    port.fast = 0;
    port.nextUs = isUp ? this.#world.nowUs : Number.POSITIVE_INFINITY;
    this.#work();
  }

  get portsDown(): number[] {
    return this.#ports.filter(({ isUp }) => !isUp).map(({ number }) => number);
  }

  report(): LldpNeighbourReport[] {
    return this.#neighbours.report(this.#world.nowUs);
  }

  save(): SavedLldp {
    const { nowUs } = this.#world;
    return {
      ports: this.#ports.map(({ number, isUp, nextUs, fast, credit, creditUs }) => [
        number,
        isUp ? 1 : 0,
        isUp ? Math.max(0, nextUs - nowUs) : 0,
        fast,
        credit,
        credit < MAX_CREDIT ? nowUs - creditUs : 0,
      ]),
      neighbours: this.#neighbours.save(nowUs),
    };
  }

  /** Sends what is due, and sets the timer for the rest. */
  #work(): void {
    const { nowUs } = this.#world;
    let wakeUs = Number.POSITIVE_INFINITY;
    for (const port of this.#ports) {
      if (!port.sends) continue;
      if (port.nextUs <= nowUs) this.#sendOrWait(port);
      wakeUs = Math.min(wakeUs, port.nextUs);
    }
    this.#wake.wakeAt(wakeUs);
  }

  freeze() {
    return {
      ports: this.#ports.map(({ number, ...port }) => port),
      neighbours: this.#neighbours.freeze(),
      wake: this.#wake.freeze(),
    };
  }

  thaw({ ports, neighbours, wake }: ReturnType<LldpAgent["freeze"]>): void {
    for (const [index, port] of this.#ports.entries()) Object.assign(port, ports[index]);
    this.#neighbours.thaw(neighbours);
    this.#wake.thaw(wake);
  }

  #sendOrWait(port: Port): void {
    const { nowUs } = this.#world;
    const { interval, hold, port_names } = this.#settings;
    const seconds = Math.floor((nowUs - port.creditUs) / SECOND_US);
    port.credit = Math.min(MAX_CREDIT, port.credit + seconds);
    port.creditUs = port.credit === MAX_CREDIT ? nowUs : port.creditUs + seconds * SECOND_US;
    if (port.credit === 0) {
      port.nextUs = port.creditUs + SECOND_US;
      return;
    }
    port.credit -= 1;
    if (port.fast > 0) port.fast -= 1;
    port.nextUs = nowUs + (port.fast > 0 ? 1 : interval) * SECOND_US;
    const { name, mac } = this.#identity;
    const portName = port_names[port.number] ?? `Ethernet${port.number}`;
    const announcement = {
      mac,
      portName,
      ttl: Math.min(MAX_TTL_SECONDS, interval * hold + 1),
      portDescription: `Port ${port.number} of ${name}`,
      systemName: name,
    };
    this.#world.send(port.number, encodeLldp(announcement, mac + port.number));
  }
}
