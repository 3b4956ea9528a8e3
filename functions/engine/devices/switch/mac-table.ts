/** The addresses a switch has learned: (VLAN, MAC) -> port, forgotten when not heard of for 300 s (IEEE 802.1Q, 8.8.3). */

import { isGroupMac } from "../../wire/mac.ts";

export const AGEING_SECONDS = 300;
const AGEING_US = AGEING_SECONDS * 1_000_000;

/** Like a small real switch; the table has to fit its item in the store. */
const MAX_ENTRIES = 4_096;

/** As it is stored: last heard in lab microseconds since 1970. */
export type SavedMac = [vlan: number, mac: number, port: number, heardUs: number];

interface Entry {
  port: number;
  heardUs: number;
}

export class MacTable {
  readonly #vlans = new Map<number, Map<number, Entry>>();
  #size = 0;

  constructor(saved: readonly SavedMac[] = []) {
    for (const [vlan, mac, port, heardUs] of saved) this.#insert(vlan, mac, { port, heardUs });
  }

  /** A full table learns nothing new until something in it is forgotten. */
  learn(vlan: number, mac: number, port: number, nowUs: number): void {
    if (isGroupMac(mac)) return;
    const entry = this.#vlans.get(vlan)?.get(mac);
    if (entry !== undefined) {
      entry.port = port;
      entry.heardUs = nowUs;
      return;
    }
    if (this.#size >= MAX_ENTRIES) this.#forgetOld(nowUs);
    if (this.#size < MAX_ENTRIES) this.#insert(vlan, mac, { port, heardUs: nowUs });
  }

  find(vlan: number, mac: number, nowUs: number): number | undefined {
    const entry = this.#vlans.get(vlan)?.get(mac);
    return entry !== undefined && nowUs - entry.heardUs < AGEING_US ? entry.port : undefined;
  }

  save(nowUs: number): SavedMac[] {
    this.#forgetOld(nowUs);
    return [...this.#vlans].flatMap(([vlan, macs]) =>
      [...macs].map(([mac, { port, heardUs }]): SavedMac => [vlan, mac, port, heardUs]),
    );
  }

  #insert(vlan: number, mac: number, entry: Entry): void {
    const macs = this.#vlans.get(vlan) ?? new Map<number, Entry>();
    this.#vlans.set(vlan, macs.set(mac, entry));
    this.#size += 1;
  }

  #forgetOld(nowUs: number): void {
    for (const macs of this.#vlans.values()) {
      for (const [mac, entry] of macs) {
        if (nowUs - entry.heardUs < AGEING_US) continue;
        macs.delete(mac);
        this.#size -= 1;
      }
    }
  }
}
