/** What a switch has heard of its neighbours, until their time to live is over (IEEE 802.1AB-2009, 9.2.7.7). */
import { capabilityNames, type Lldpdu } from "../../../wire/lldp.ts";

/** More neighbours than a switch has cables; the state of a switch must fit in one item of the store. */
const MAX_NEIGHBOURS = 128;

export interface LldpNeighbour {
  /** The port at which it is. */
  readonly port: number;
  readonly chassis: string;
  /** How the chassis is identified: `mac`, `network`, `name`, `local`, and so on. */
  readonly chassis_kind: string;
  readonly neighbour_port: string;
  readonly neighbour_port_kind: string;
  readonly port_description?: string;
  readonly system_name?: string;
  readonly system_description?: string;
  /** What the neighbour can be, and what it is. */
  readonly capabilities?: readonly string[];
  readonly enabled_capabilities?: readonly string[];
}

export interface LldpNeighbourReport extends LldpNeighbour {
  /** Seconds until the entry is over. */
  readonly ttl: number;
}

export type SavedNeighbour = readonly [leftUs: number, neighbour: LldpNeighbour];

export interface Entry {
  readonly untilUs: number;
  readonly neighbour: LldpNeighbour;
}

export class Neighbours {
  readonly #entries = new Map<string, Entry>();

  constructor(saved: readonly SavedNeighbour[], nowUs: number) {
    for (const [leftUs, neighbour] of saved)
      this.#entries.set(keyOf(neighbour), { untilUs: nowUs + leftUs, neighbour });
  }

  /** @returns whether the neighbour is new. */
  hear(port: number, pdu: Lldpdu, nowUs: number): boolean {
    const neighbour = describe(port, pdu);
    const key = keyOf(neighbour);
    const before = this.#entries.get(key);
    const isNew = before === undefined || before.untilUs <= nowUs;
    if (pdu.ttl === 0) {
      this.#entries.delete(key);
      return false;
    }
    if (before === undefined && this.#entries.size >= MAX_NEIGHBOURS) this.#forgetOld(nowUs);
    if (before === undefined && this.#entries.size >= MAX_NEIGHBOURS) return false;
    this.#entries.set(key, { untilUs: nowUs + pdu.ttl * 1_000_000, neighbour });
    return isNew;
  }

  report(nowUs: number): LldpNeighbourReport[] {
    this.#forgetOld(nowUs);
    return [...this.#entries.values()]
      .map(({ untilUs, neighbour }) => ({ ...neighbour, ttl: (untilUs - nowUs) / 1e6 }))
      .toSorted((a, b) => a.port - b.port);
  }

  freeze(): ReadonlyMap<string, Entry> {
    return this.#entries;
  }

  thaw(entries: ReadonlyMap<string, Entry>): void {
    this.#entries.clear();
    for (const [key, entry] of entries) this.#entries.set(key, entry);
  }

  save(nowUs: number): SavedNeighbour[] {
    this.#forgetOld(nowUs);
    return [...this.#entries.values()].map(({ untilUs, neighbour }) => [untilUs - nowUs, neighbour]);
  }

  #forgetOld(nowUs: number): void {
    for (const [key, { untilUs }] of this.#entries) if (untilUs <= nowUs) this.#entries.delete(key);
  }
}

/** The identifier of a neighbour at a port: its chassis and its port (8.2.2). */
const keyOf = ({ port, chassis_kind, chassis, neighbour_port_kind, neighbour_port }: LldpNeighbour): string =>
  JSON.stringify([port, chassis_kind, chassis, neighbour_port_kind, neighbour_port]);

/** Longer texts than the standard lets a neighbour send (8.5.5). */
const MAX_TEXT = 255;
const short = (text: string): string => text.slice(0, MAX_TEXT);

const describe = (
  port: number,
  { chassis, port: other, portDescription, systemName, systemDescription, capabilities }: Lldpdu,
): LldpNeighbour => ({
  port,
  chassis: chassis.id,
  chassis_kind: chassis.kind,
  neighbour_port: other.id,
  neighbour_port_kind: other.kind,
  ...(portDescription !== undefined && { port_description: short(portDescription) }),
  ...(systemName !== undefined && { system_name: short(systemName) }),
  ...(systemDescription !== undefined && { system_description: short(systemDescription) }),
  ...(capabilities && {
    capabilities: capabilityNames(capabilities.has),
    enabled_capabilities: capabilityNames(capabilities.uses),
  }),
});
