/** Who has which address of the pools: by address and by client. Leases that are over stay, so that a client comes back. */
import type { DeclinedAddress, Lease } from "./state.ts";

/** How long an address is set aside that a host turned out to have. */
export const SET_ASIDE_SECONDS = 3_600;
/** Of a router; it has to fit its item in the store. */
export const MAX_LEASES = 1_024;

const TWO_32 = 0x1_0000_0000;
const keyOf = (port: number, address: number): number => port * TWO_32 + address;
const clientKey = (port: number, client: string): string => `${port} ${client}`;

export class LeaseTable {
  readonly #byAddress = new Map<number, Lease>();
  readonly #byClient = new Map<string, Lease>();
  readonly #declined = new Map<number, DeclinedAddress>();

  constructor(leases: readonly Lease[] = [], declined: readonly DeclinedAddress[] = []) {
    for (const lease of leases) this.#put(lease);
    for (const each of declined) this.#declined.set(keyOf(each.port, each.address), each);
  }

  /** What a client has, or had. */
  ofClient(port: number, client: string): Lease | undefined {
    return this.#byClient.get(clientKey(port, client));
  }

  /** Whether a client can have an address, as far as leases go. */
  isFree(port: number, address: number, client: string, nowUs: number): boolean {
    const key = keyOf(port, address);
    const lease = this.#byAddress.get(key);
    if (lease !== undefined && lease.client !== client && nowUs < lease.expiresUs) return false;
    return (this.#declined.get(key)?.untilUs ?? 0) <= nowUs;
  }

  /** Whether there is room for one more client. */
  hasRoomFor(port: number, client: string, nowUs: number): boolean {
    if (this.ofClient(port, client) !== undefined || this.#byClient.size < MAX_LEASES) return true;
    for (const lease of this.#byClient.values()) {
      if (lease.expiresUs > nowUs) continue;
      this.#remove(lease);
      return true;
    }
    return false;
  }

  /** In place of what the client had, and of whoever had the address. */
  set(lease: Lease): void {
    const before = this.ofClient(lease.port, lease.client);
    if (before !== undefined) this.#remove(before);
    const occupant = this.#byAddress.get(keyOf(lease.port, lease.address));
    if (occupant !== undefined) this.#remove(occupant);
    this.#put(lease);
  }

  /** The client gives it back, and gets it again if nobody else took it. */
  release(lease: Lease, nowUs: number): void {
    this.set({ ...lease, expiresUs: nowUs });
  }

  /** A host has the address: it is not lent for some time. */
  setAside(lease: Lease, nowUs: number): void {
    const { port, address } = lease;
    this.#remove(lease);
    this.#forgetDeclined(nowUs);
    if (this.#declined.size < MAX_LEASES)
      this.#declined.set(keyOf(port, address), {
        port,
        address,
        untilUs: nowUs + SET_ASIDE_SECONDS * 1_000_000,
      });
  }

  /** Forgets what does not hold any more, when pools have changed. */
  keep(isKept: (port: number, address: number) => boolean): void {
    for (const lease of [...this.#byClient.values()])
      if (!isKept(lease.port, lease.address)) this.#remove(lease);
    for (const [key, { port, address }] of this.#declined)
      if (!isKept(port, address)) this.#declined.delete(key);
  }

  /** By port and address. */
  list(): Lease[] {
    return [...this.#byAddress].sort(([a], [b]) => a - b).map(([, lease]) => lease);
  }

  listDeclined(nowUs: number): DeclinedAddress[] {
    this.#forgetDeclined(nowUs);
    return [...this.#declined.values()];
  }

  #put(lease: Lease): void {
    this.#byAddress.set(keyOf(lease.port, lease.address), lease);
    this.#byClient.set(clientKey(lease.port, lease.client), lease);
  }

  #remove(lease: Lease): void {
    this.#byAddress.delete(keyOf(lease.port, lease.address));
    this.#byClient.delete(clientKey(lease.port, lease.client));
  }

  #forgetDeclined(nowUs: number): void {
    for (const [key, { untilUs }] of this.#declined) if (untilUs <= nowUs) this.#declined.delete(key);
  }
}
