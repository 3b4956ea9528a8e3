/** The routers that this one has heard from, for `show ip rip status`. */
import type { SavedPeer } from "./saved.ts";

/** Maximum per router. Updates of further ones count; they are not listed. */
const MAX_PEERS = 256;

export interface Peer {
  readonly address: number;
  lastUpdateUs: number;
  badPackets: number;
  badRoutes: number;
}

export class Peers {
  readonly #peers = new Map<number, Peer>();

  constructor(saved: readonly SavedPeer[], nowUs: number) {
    for (const [address, agoUs, badPackets, badRoutes] of saved)
      this.#peers.set(address, { address, lastUpdateUs: nowUs - agoUs, badPackets, badRoutes });
  }

  /** Notes a message of a router. */
  hear(address: number, nowUs: number, badPackets = 0, badRoutes = 0): void {
    const peer = this.#peers.get(address) ?? { address, lastUpdateUs: nowUs, badPackets: 0, badRoutes: 0 };
    if (!this.#peers.has(address) && this.#peers.size >= MAX_PEERS) return;
    peer.lastUpdateUs = nowUs;
    peer.badPackets += badPackets;
    peer.badRoutes += badRoutes;
    this.#peers.set(address, peer);
  }

  /** Forgets routers that have been silent for the timeout of routes. */
  forgetSilent(beforeUs: number): void {
    for (const { address, lastUpdateUs } of this.#peers.values())
      if (lastUpdateUs <= beforeUs) this.#peers.delete(address);
  }

  list(): Peer[] {
    return [...this.#peers.values()].sort((a, b) => a.address - b.address);
  }

  save(nowUs: number): SavedPeer[] {
    return this.list().map(({ address, lastUpdateUs, badPackets, badRoutes }) => [
      address,
      nowUs - lastUpdateUs,
      badPackets,
      badRoutes,
    ]);
  }
}
