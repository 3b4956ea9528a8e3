/** The leases of the pools, by address and by client. Expired leases are kept, so that a returning client gets its former address. */

export interface Lease {
  readonly port: number;
  readonly address: number;
  /** The client's identifier in hexadecimal, or its MAC address if it sends none. */
  readonly client: string;
  readonly mac: number;
  /** The host name that the client sends, or an empty string. */
  readonly hostName: string;
  /** An offer is reserved for its client for a short time. */
  readonly offered: boolean;
  readonly expiresUs: number;
}

/** The router, or a client that declined the address, found another host there: it is not leased before `untilUs`. */
export interface DeclinedAddress {
  readonly port: number;
  readonly address: number;
  readonly untilUs: number;
}

export interface DhcpState {
  readonly leases: readonly Lease[];
  readonly declined: readonly DeclinedAddress[];
}

/** Time for which the server does not lease an address that another host uses. */
export const SET_ASIDE_SECONDS = 3_600;
/** Maximum per router, which bounds the size of its item in the store. */
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

  /** The client's present or former lease. */
  ofClient(port: number, client: string): Lease | undefined {
    return this.#byClient.get(clientKey(port, client));
  }

  /** Whether no other lease keeps the address from the client. */
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

  /** Replaces the client's former lease and any other client's lease of the address. */
  set(lease: Lease): void {
    const before = this.ofClient(lease.port, lease.client);
    if (before !== undefined) this.#remove(before);
    const occupant = this.#byAddress.get(keyOf(lease.port, lease.address));
    if (occupant !== undefined) this.#remove(occupant);
    this.#put(lease);
  }

  /** Ends the client's lease. The client gets the address again if no other client took it meanwhile. */
  release(lease: Lease, nowUs: number): void {
    this.set({ ...lease, expiresUs: nowUs });
  }

  /** Excludes an address that another host uses from leasing, for `SET_ASIDE_SECONDS`. */
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

  /** Removes leases that changed pools no longer contain. */
  keep(isKept: (port: number, address: number) => boolean): void {
    for (const lease of [...this.#byClient.values()])
      if (!isKept(lease.port, lease.address)) this.#remove(lease);
    for (const [key, { port, address }] of this.#declined)
      if (!isKept(port, address)) this.#declined.delete(key);
  }

  /** The leases, sorted by port and address. */
  list(): Lease[] {
    return [...this.#byAddress].sort(([a], [b]) => a - b).map(([, lease]) => lease);
  }

  listDeclined(nowUs: number): DeclinedAddress[] {
    this.#forgetDeclined(nowUs);
    return [...this.#declined.values()];
  }

  /** In the order in which full tables forget them. */
  freeze(): readonly Lease[] {
    return [...this.#byClient.values()];
  }

  thaw(leases: readonly Lease[]): void {
    this.#byAddress.clear();
    this.#byClient.clear();
    for (const lease of leases) this.#put(lease);
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
