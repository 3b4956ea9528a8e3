/**
 * The querier of each VLAN (RFC 3376, 6.6.2 and 8; RFC 3810, 7.6.2 and 9): this switch asks for the members of all groups, unless a querier with a lower address
 * does. Its timers are in the background: queries keep no run going.
 */
import type { Timer, World } from "../../../base/world.ts";
import type { GroupProtocol } from "./protocol.ts";

const SECOND_US = 1_000_000;
/** Startup Query Count: the first queries come in quick succession. */
const STARTUP_QUERIES = 2;
const RESPONSE_SECONDS = 10;

export type SavedVlan<S> = [vlan: number, nextUs: number, startup: number, other: S, otherUs: number];

export interface Vlan<A> {
  readonly vlan: number;
  nextUs: number;
  startup: number;
  /** The address of another querier, and until when it is taken to be there. */
  other: A;
  otherUntilUs: number;
}

export interface QuerierReport<A> {
  readonly vlan: number;
  readonly address: A;
  readonly is_own: boolean;
}

export class Querier<A extends number | bigint, S extends number | string> {
  readonly #protocol: GroupProtocol<A, S>;
  readonly #address: A | undefined;
  readonly #intervalUs: number;
  readonly #world: World;
  readonly #ask: (vlan: number) => void;
  readonly #vlans: readonly Vlan<A>[];
  #timer: Timer | undefined;

  /** @param address undefined if the switch never queries. @param ask sends a query of all groups to a VLAN. */
  constructor(
    protocol: GroupProtocol<A, S>,
    address: A | undefined,
    interval: number,
    vlans: readonly number[],
    world: World,
    ask: (vlan: number) => void,
    saved: readonly SavedVlan<S>[] = [],
  ) {
    this.#protocol = protocol;
    this.#address = address;
    this.#intervalUs = interval * SECOND_US;
    this.#world = world;
    this.#ask = ask;
    const { nowUs } = world;
    this.#vlans = vlans.map((vlan) => {
      const [, nextUs = 0, startup = STARTUP_QUERIES, other, otherUs = 0] =
        saved.find((each) => each[0] === vlan) ?? [];
      const heard = other === undefined ? protocol.none : protocol.restore(other);
      return { vlan, nextUs: nowUs + nextUs, startup, other: heard, otherUntilUs: nowUs + otherUs };
    });
  }

  start(): void {
    if (this.#address !== undefined) this.#work();
  }

  /** Whether this switch is the querier of the VLAN. */
  asks(vlan: number): boolean {
    const found = this.#vlans.find((each) => each.vlan === vlan);
    return this.#address !== undefined && found !== undefined && !this.#hasOther(found);
  }

  /** @param address of the sender of a query, not the unspecified one. */
  hear(vlan: number, address: A): void {
    const found = this.#vlans.find((each) => each.vlan === vlan);
    if (found === undefined || (this.#address !== undefined && address >= this.#address)) return;
    if (this.#hasOther(found) && address > found.other) return;
    found.other = address;
    // Other Querier Present Interval.
    found.otherUntilUs = this.#world.nowUs + 2 * this.#intervalUs + (RESPONSE_SECONDS / 2) * SECOND_US;
    this.start();
  }

  report(): QuerierReport<A>[] {
    return this.#vlans.flatMap((each): QuerierReport<A>[] => {
      const { vlan, other } = each;
      if (this.asks(vlan)) return [{ vlan, address: this.#address!, is_own: true }];
      return this.#hasOther(each) ? [{ vlan, address: other, is_own: false }] : [];
    });
  }

  save(): SavedVlan<S>[] {
    const { nowUs } = this.#world;
    return this.#vlans.map(({ vlan, nextUs, startup, other, otherUntilUs }) => [
      vlan,
      Math.max(0, nextUs - nowUs),
      startup,
      this.#protocol.save(other),
      Math.max(0, otherUntilUs - nowUs),
    ]);
  }

  freeze() {
    return { vlans: this.#vlans, timer: this.#timer };
  }

  thaw({ vlans, timer }: ReturnType<Querier<A, S>["freeze"]>): void {
    for (const [index, vlan] of this.#vlans.entries()) Object.assign(vlan, vlans[index]);
    this.#timer = timer;
    timer?.resume?.(() => this.#work());
  }

  #hasOther({ otherUntilUs }: Vlan<A>): boolean {
    return otherUntilUs > this.#world.nowUs;
  }

  #work(): void {
    const { nowUs } = this.#world;
    for (const each of this.#vlans) {
      if (this.#hasOther(each)) {
        each.nextUs = each.otherUntilUs;
        continue;
      }
      if (each.nextUs > nowUs) continue;
      this.#ask(each.vlan);
      if (each.startup > 0) each.startup -= 1;
      each.nextUs = nowUs + (each.startup > 0 ? this.#intervalUs / 4 : this.#intervalUs);
    }
    this.#timer?.cancel();
    const wakeUs = Math.min(...this.#vlans.map(({ nextUs }) => nextUs));
    this.#timer = this.#world.after(Math.round(wakeUs - nowUs), () => this.#work(), "background");
  }
}
