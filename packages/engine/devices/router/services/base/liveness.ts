/** Which neighbours protocols want to be watched, and whom they hear of it from: protocols and BFD do not know each other. */

export interface WatchedPeer {
  readonly address: number | bigint;
  /** The index of the port of a neighbour of one hop. Absent: the neighbour is behind other routers. */
  readonly port?: number;
  /** The address that packets come from; absent: the port's. */
  readonly source?: number | bigint;
  readonly profile?: string;
}

/** A protocol with neighbours. */
interface Watcher {
  readonly peers: readonly WatchedPeer[];
  readonly lost: (peer: WatchedPeer) => void;
}

export class Liveness {
  readonly #watchers = new Map<string, Watcher>();
  #changed: (() => void) | undefined;

  /** The peers take the place of those that the protocol had. @param lost is called when the path to a peer has failed. */
  watch(protocol: string, peers: readonly WatchedPeer[], lost: Watcher["lost"]): void {
    const before = this.#watchers.get(protocol)?.peers ?? [];
    if (peers.length > 0) this.#watchers.set(protocol, { peers, lost });
    else this.#watchers.delete(protocol);
    if (textOf(before) !== textOf(peers)) this.#changed?.();
  }

  /** @param changed is called after the watched peers have changed. */
  whenChanged(changed: (() => void) | undefined): void {
    this.#changed = changed;
  }

  get peers(): WatchedPeer[] {
    return [...this.#watchers.values()].flatMap(({ peers }) => peers);
  }

  /** BFD calls this when the path to a peer has failed. Each protocol that watches the peer hears of it. */
  lose(isSame: (peer: WatchedPeer) => boolean): void {
    for (const { peers, lost } of [...this.#watchers.values()])
      for (const peer of peers) if (isSame(peer)) lost(peer);
  }
}

const textOf = (peers: readonly WatchedPeer[]): string =>
  peers.map(({ address, port, source, profile }) => [address, port, source, profile].join(" ")).join("\n");
