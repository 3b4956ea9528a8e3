/** The leases of the DHCPv6 server: one address for each interface (IAID) of a client. */

/** Maximum per router, which bounds the size of its item in the store. */
export const MAX_LEASES6 = 1_024;

/** Plain JSON data. */
export interface Lease6 {
  readonly port: string;
  readonly address: string;
  /** The client's identifier in hexadecimal. Of a declined address: an empty string. */
  readonly client: string;
  readonly iaid: number;
  readonly expiresUs: number;
}

export interface SavedDhcpv6 {
  readonly leases: readonly Lease6[];
}

const isOf = (client: string, iaid: number, port: string) => (lease: Lease6) =>
  lease.client === client && lease.iaid === iaid && lease.port === port;

export class Leases6 {
  /** By address. Expired leases are kept, so that a returning client gets its former address. */
  readonly #leases = new Map<string, Lease6>();

  constructor(leases: readonly Lease6[] = []) {
    for (const lease of leases) this.#leases.set(lease.address, lease);
  }

  ofClient(port: string, client: string, iaid: number): Lease6 | undefined {
    return this.list().find(isOf(client, iaid, port));
  }

  /** Whether no other client has the address. */
  isFree(address: string, client: string, iaid: number, nowUs: number): boolean {
    const lease = this.#leases.get(address);
    return lease === undefined || lease.expiresUs <= nowUs || isOf(client, iaid, lease.port)(lease);
  }

  /** @returns false if the table is full of leases that have not ended. */
  set(lease: Lease6, nowUs: number): boolean {
    const before = this.ofClient(lease.port, lease.client, lease.iaid);
    if (before !== undefined) this.#leases.delete(before.address);
    if (!this.#leases.has(lease.address) && this.#leases.size >= MAX_LEASES6) {
      const over = this.list().find(({ expiresUs }) => expiresUs <= nowUs);
      if (over === undefined) return false;
      this.#leases.delete(over.address);
    }
    this.#leases.set(lease.address, lease);
    return true;
  }

  /** Keeps the leases that a changed configuration still has. */
  keep(isKept: (lease: Lease6) => boolean): void {
    for (const lease of this.list()) if (!isKept(lease)) this.#leases.delete(lease.address);
  }

  list(): Lease6[] {
    return [...this.#leases.values()];
  }
}

declare module "../base/service.ts" {
  interface SavedServices {
    readonly dhcpv6?: SavedDhcpv6;
  }
}
