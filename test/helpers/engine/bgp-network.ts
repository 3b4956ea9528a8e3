/** BGP processes with streams between them, in virtual time, without routers and TCP around them. */
import { EventQueue } from "@wirelab/engine/base/event-queue";
import { parseIpv4 } from "@wirelab/engine/wire/ipv4-address";
import type { BgpConfig, NeighbourConfig } from "../../../packages/engine/routing/bgp/config.ts";
import type { Prefix } from "../../../packages/engine/routing/bgp/prefix.ts";
import { BgpProcess } from "../../../packages/engine/routing/bgp/process.ts";
import {
  type BgpHost,
  type Installed,
  type NeighbourChange,
  type OwnRoute,
  stateOf,
} from "../../../packages/engine/routing/bgp/state.ts";

const DELAY_US = 1_000;
export const SECOND_US = 1_000_000;

export const address = (text: string): number => parseIpv4(text)!;

export const neighbour = (
  at: string,
  remoteAs: number,
  ownAs: number,
  more: Partial<NeighbourConfig> = {},
): NeighbourConfig => ({
  address: address(at),
  remoteAs,
  isInternal: remoteAs === ownAs,
  localAs: undefined,
  ownAs,
  description: undefined,
  isShutDown: false,
  isPassive: false,
  ttl: 1,
  mustBeConnected: remoteAs !== ownAs,
  source: undefined,
  keepaliveSeconds: 60,
  holdSeconds: 180,
  connectSeconds: 120,
  advertisementSeconds: 0,
  isActive: true,
  weight: undefined,
  nextHopSelf: "no",
  isClient: false,
  allowedOwnAs: 0,
  allowsOrigin: false,
  removePrivate: undefined,
  maximumPrefixes: undefined,
  originatesDefault: false,
  sends: { standard: true, extended: true, large: true },
  policyText: "",
  policyIn: undefined,
  policyOut: undefined,
  ...more,
});

export const configOf = (as: number, routerId: string, more: Partial<BgpConfig> = {}): BgpConfig => ({
  as,
  routerId: address(routerId),
  clusterId: address(routerId),
  requiresPolicy: false,
  checksNetworks: false,
  reflectsBetweenClients: true,
  bestPath: {
    alwaysCompareMed: false,
    deterministicMed: false,
    ignoresAsPath: false,
    relaxesMultipath: false,
    comparesRouterId: false,
    missingMedIsWorst: false,
    defaultLocalPreference: 100,
  },
  maximumPaths: { external: 64, internal: 64 },
  distances: { external: 20, internal: 200, local: 200 },
  networks: [],
  redistribute: new Map(),
  neighbours: [],
  ...more,
});

export const prefix = (text: string): Prefix => {
  const [network, length] = text.split("/") as [string, string];
  return { network: address(network), length: Number(length) };
};

interface End {
  readonly node: Node;
  readonly id: number;
  /** Undefined once one end has closed. */
  other: End | undefined;
}

export interface Node {
  readonly at: number;
  process: BgpProcess;
  readonly changes: NeighbourChange[];
  readonly warnings: string[];
  readonly installed: Map<string, Installed>;
  readonly sent: { readonly atUs: number; readonly message: Uint8Array }[];
  /** Routes of other protocols in its table. */
  readonly ownRoutes: OwnRoute[];
}

/** Each node has one address, and reaches all others on one link. */
export class BgpNetwork {
  readonly nodes = new Map<number, Node>();
  /** Whether connections open, and messages arrive. */
  isCut = false;
  readonly #events = new EventQueue<() => void>();
  readonly #alarms = new Map<number, number>();
  readonly #ends = new Map<number, End>();
  #nextId = 1;

  get nowUs(): number {
    return this.#events.nowNs / 1_000;
  }

  add(at: string, config: BgpConfig): Node {
    const number = address(at);
    const node: Node = {
      at: number,
      process: undefined as never,
      changes: [],
      warnings: [],
      installed: new Map(),
      sent: [],
      ownRoutes: [],
    };
    node.process = new BgpProcess(this.#hostOf(node), config);
    this.nodes.set(number, node);
    node.process.configure(config);
    this.#arm(node);
    return node;
  }

  run(seconds: number): void {
    const endNs = this.#events.nowNs + Math.round(seconds * 1e9);
    while (this.#events.nextTimeNs <= endNs) this.#events.pop()!();
    this.#events.advanceTo(endNs);
  }

  /** Does something at a node. */
  at(node: Node, act: (process: BgpProcess) => void): void {
    act(node.process);
    this.#arm(node);
  }

  state(node: Node, other: string): string {
    return stateOf(node.process.state.neighbours.get(address(other))!);
  }

  /** Sends bytes of the test to a node, by a connection of its own. @returns what the node does on it. */
  stranger(from: string, to: Node): Stranger {
    const fake: Node = { ...to, at: address(from), sent: [], changes: [], warnings: [] };
    const stranger = new Stranger((bytes) => this.#deliver(mine, bytes));
    const mine: End = { node: fake, id: this.#nextId++, other: undefined };
    const theirs: End = { node: to, id: this.#nextId++, other: mine };
    mine.other = theirs;
    this.#ends.set(theirs.id, theirs);
    this.#strangers.set(mine, stranger);
    stranger.isTaken = to.process.accepted(fake.at, theirs.id);
    this.#arm(to);
    return stranger;
  }

  readonly #strangers = new Map<End, Stranger>();

  #deliver(from: End, bytes: Uint8Array): void {
    const { other } = from;
    if (other === undefined || this.isCut) return;
    const stranger = this.#strangers.get(other);
    if (stranger !== undefined) {
      stranger.received.push(bytes);
      return;
    }
    this.#later(() => {
      if (from.other !== other || this.isCut) return;
      other.node.process.received(other.id, bytes);
      this.#arm(other.node);
    });
  }

  #later(call: () => void, delayUs = DELAY_US): void {
    this.#events.push((this.nowUs + delayUs) * 1_000, call);
  }

  #open(from: Node, to: number): number {
    const one: End = { node: from, id: this.#nextId++, other: undefined };
    this.#ends.set(one.id, one);
    this.#later(() => {
      const peer = this.nodes.get(to);
      if (peer === undefined || this.isCut || !this.#ends.has(one.id)) return;
      const other: End = { node: peer, id: this.#nextId++, other: one };
      one.other = other;
      this.#ends.set(other.id, other);
      let isTaken = false;
      // Before what the neighbour sends at once.
      this.#later(() => {
        if (!this.#ends.has(one.id)) return;
        if (isTaken) from.process.opened(one.id);
        else from.process.closed(one.id, "connection refused");
        this.#arm(from);
      });
      isTaken = peer.process.accepted(from.at, other.id);
      this.#arm(peer);
    });
    return one.id;
  }

  #close(id: number): void {
    const end = this.#ends.get(id);
    this.#ends.delete(id);
    const other = end?.other;
    if (end === undefined || other === undefined) return;
    const stranger = this.#strangers.get(other);
    if (stranger !== undefined) stranger.isClosed = true;
    this.#later(() => {
      if (this.isCut || stranger !== undefined) return;
      end.other = undefined;
      other.node.process.closed(other.id, "closed");
      this.#arm(other.node);
    }, DELAY_US + 1);
  }

  #hostOf(node: Node): BgpHost {
    const network = this;
    const keyOf = ({ network: at, length }: Prefix): string => `${at}/${length}`;
    return {
      get nowUs() {
        return network.nowUs;
      },
      connect: (to) => network.#open(node, to.address),
      send(id, message) {
        node.sent.push({ atUs: network.nowUs, message });
        const end = network.#ends.get(id);
        if (end !== undefined) network.#deliver(end, message);
      },
      close: (id) => network.#close(id),
      abort: (id) => network.#close(id),
      sourceOf: () => node.at,
      resolve: () => ({ hops: [{ port: 0, via: undefined }], metric: 0, isConnected: true }),
      isOwn: (at) => at === node.at,
      isOnLink: () => false,
      ownRoute: (of) => node.ownRoutes.find((each) => keyOf(each) === keyOf(of)),
      routesOf: () => node.ownRoutes,
      install: (route) => node.installed.set(keyOf(route), route),
      remove: (of) => node.installed.delete(keyOf(of)),
      neighbourChanged: (change) => node.changes.push(change),
      warn: (text) => node.warnings.push(text),
    };
  }

  #arm(node: Node): void {
    const { process } = node;
    const atUs = process.nextUs;
    if (atUs === undefined || (this.#alarms.get(node.at) ?? Number.POSITIVE_INFINITY) <= atUs) return;
    this.#alarms.set(node.at, atUs);
    this.#later(
      () => {
        if (this.#alarms.get(node.at) === atUs) this.#alarms.delete(node.at);
        process.wake();
        this.#arm(node);
      },
      Math.max(0, atUs - this.nowUs),
    );
  }
}

/** A neighbour that the test plays. */
export class Stranger {
  readonly send: (bytes: Uint8Array) => void;
  readonly received: Uint8Array[] = [];
  isTaken = false;
  isClosed = false;

  constructor(send: (bytes: Uint8Array) => void) {
    this.send = send;
  }
}
