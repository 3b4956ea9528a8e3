/**
 * The addresses a switch has learned: (VLAN, MAC) -> port. Entries expire 300 s after the last frame (IEEE 802.1Q, 8.8.3), or after
 * the switch's own ageing time. Static entries are neither learned nor forgotten.
 */

import { isGroupMac } from "../../wire/mac.ts";
import type { StaticMac } from "./settings/settings.ts";

export const AGEING_SECONDS = 300;

/** The capacity of a small real switch; the table must fit in one item of the store. */
const MAX_ENTRIES = 4_096;

/** A cache of recent entries, by the low bits of address and VLAN: a Map takes several times as long for 48-bit keys. */
const RECENT_SLOTS = 256;

/** The stored form; `heardUs` is the time of the last frame, in lab microseconds since 1970. */
export type SavedMac = [vlan: number, mac: number, port: number, heardUs: number];

interface Entry {
  readonly vlan: number;
  readonly mac: number;
  port: number;
  /** Infinity for a static entry. */
  heardUs: number;
}

export class MacTable {
  readonly #vlans = new Map<number, Map<number, Entry>>();
  /** A subset of the table. */
  readonly #recent: (Entry | undefined)[] = new Array(RECENT_SLOTS).fill(undefined);
  readonly #ageingUs: number;
  #size = 0;

  constructor(
    saved: readonly SavedMac[] = [],
    ageingSeconds = AGEING_SECONDS,
    fixed: readonly StaticMac[] = [],
  ) {
    this.#ageingUs = ageingSeconds * 1_000_000;
    for (const { vlan, mac, port } of fixed)
      this.#insert({ vlan, mac, port, heardUs: Number.POSITIVE_INFINITY });
    for (const [vlan, mac, port, heardUs] of saved)
      if (fixed.length === 0 || this.#entry(vlan, mac) === undefined)
        this.#insert({ vlan, mac, port, heardUs });
  }

  /** A full table learns no new address until an entry expires. */
  learn(vlan: number, mac: number, port: number, nowUs: number): void {
    const entry = this.#entry(vlan, mac);
    if (entry !== undefined) {
      if (entry.heardUs === Number.POSITIVE_INFINITY) return;
      entry.port = port;
      entry.heardUs = nowUs;
      return;
    }
    if (isGroupMac(mac)) return;
    if (this.#size >= MAX_ENTRIES) this.#forgetOld(nowUs);
    if (this.#size < MAX_ENTRIES) this.#insert({ vlan, mac, port, heardUs: nowUs });
  }

  find(vlan: number, mac: number, nowUs: number): number | undefined {
    const entry = this.#entry(vlan, mac);
    return entry !== undefined && nowUs - entry.heardUs < this.#ageingUs ? entry.port : undefined;
  }

  /** Removes the addresses that were learned at a port. */
  flush(port: number): void {
    for (const macs of this.#vlans.values()) {
      for (const [mac, entry] of macs) {
        if (entry.port !== port || entry.heardUs === Number.POSITIVE_INFINITY) continue;
        macs.delete(mac);
        this.#size -= 1;
      }
    }
    this.#recent.fill(undefined);
  }

  save(nowUs: number): SavedMac[] {
    this.#forgetOld(nowUs);
    return [...this.#vlans.values()].flatMap((macs) =>
      [...macs.values()]
        .filter(({ heardUs }) => heardUs !== Number.POSITIVE_INFINITY)
        .map(({ vlan, mac, port, heardUs }): SavedMac => [vlan, mac, port, heardUs]),
    );
  }

  freeze(): readonly Entry[] {
    return [...this.#vlans.values()].flatMap((macs) => [...macs.values()]);
  }

  thaw(entries: readonly Entry[]): void {
    this.#vlans.clear();
    this.#recent.fill(undefined);
    this.#size = 0;
    for (const entry of entries) this.#insert(entry);
  }

  #entry(vlan: number, mac: number): Entry | undefined {
    const slot = (mac ^ vlan) & (RECENT_SLOTS - 1);
    const recent = this.#recent[slot];
    if (recent !== undefined && recent.mac === mac && recent.vlan === vlan) return recent;
    const entry = this.#vlans.get(vlan)?.get(mac);
    if (entry !== undefined) this.#recent[slot] = entry;
    return entry;
  }

  #insert(entry: Entry): void {
    const macs = this.#vlans.get(entry.vlan) ?? new Map<number, Entry>();
    this.#vlans.set(entry.vlan, macs.set(entry.mac, entry));
    this.#size += 1;
  }

  #forgetOld(nowUs: number): void {
    for (const macs of this.#vlans.values()) {
      for (const [mac, entry] of macs) {
        if (nowUs - entry.heardUs < this.#ageingUs) continue;
        macs.delete(mac);
        this.#size -= 1;
      }
    }
    this.#recent.fill(undefined);
  }
}
