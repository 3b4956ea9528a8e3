/** OSPF processes on cables and networks of their own, in virtual time, without routers around them. */
import { EventQueue } from "@wirelab/engine/base/event-queue";
import { makeStream, type RandomStream } from "@wirelab/engine/base/random";
import { formatIpv4, isMulticastIpv4, parseIpv4 } from "@wirelab/engine/wire/ipv4-address";
import {
  type AreaConfig,
  DEFAULT_INTERFACE,
  DEFAULT_TIMERS,
  type InterfaceConfig,
  type OspfConfig,
} from "../../../packages/engine/routing/ospf/config.ts";
import { OspfProcess } from "../../../packages/engine/routing/ospf/process.ts";
import type { NeighbourChange } from "../../../packages/engine/routing/ospf/state.ts";

const DELAY_US = 1_000;

export interface Packet {
  readonly from: string;
  readonly source: number;
  readonly target: number;
  readonly packet: Uint8Array;
  readonly atUs: number;
}

interface End {
  readonly name: string;
  readonly port: number;
}

interface Link {
  readonly ends: readonly End[];
  isUp: boolean;
}

export interface Node {
  readonly name: string;
  process: OspfProcess;
  config: OspfConfig;
  readonly changes: NeighbourChange[];
}

export const address = (text: string): number => parseIpv4(text)!;

/** An interface with the defaults. @param prefix `10.0.0.1/24` */
export function port(index: number, prefix: string, fields: Partial<InterfaceConfig> = {}): InterfaceConfig {
  const [text, length] = prefix.split("/") as [string, string];
  return {
    ...DEFAULT_INTERFACE,
    port: index,
    name: `eth${index}`,
    address: address(text),
    prefixLength: Number(length),
    mtuBytes: 1500,
    areaId: 0,
    network: "broadcast",
    isPassive: false,
    ignoresMtu: false,
    authentication: { type: "none" },
    ...fields,
  };
}

export const area = (id: number, fields: Partial<AreaConfig> = {}): AreaConfig => ({
  id,
  kind: "normal",
  hasNoSummaries: false,
  defaultCost: 1,
  ...fields,
});

export const configOf = (
  routerId: string,
  interfaces: readonly InterfaceConfig[],
  fields: Partial<OspfConfig> = {},
): OspfConfig => ({
  routerId: address(routerId),
  interfaces,
  areas: [...new Set(interfaces.map(({ areaId }) => areaId))].map((id) => area(id)),
  timers: DEFAULT_TIMERS,
  externals: [],
  isBoundary: false,
  ...fields,
});

export class OspfNetwork {
  readonly nodes = new Map<string, Node>();
  readonly packets: Packet[] = [];
  /** Whether a packet is lost. */
  loses: (packet: Packet) => boolean = () => false;
  readonly #links: Link[] = [];
  readonly #events = new EventQueue<() => void>();
  readonly #alarms = new Map<string, number>();
  readonly #streams = new Map<string, RandomStream>();

  get nowUs(): number {
    return this.#events.nowNs / 1_000;
  }

  add(name: string, config: OspfConfig, saved?: ReturnType<OspfProcess["save"]>): OspfProcess {
    const network = this;
    const stream = this.#streams.get(name) ?? makeStream("test", name);
    this.#streams.set(name, stream);
    const changes: NeighbourChange[] = [];
    const host = {
      get nowUs() {
        return network.nowUs;
      },
      random: (bound: number) => stream.below(bound),
      send: (from: number, target: number, packet: Uint8Array) => network.#send(name, from, target, packet),
      routesChanged() {},
      neighbourChanged: (change: NeighbourChange) => changes.push(change),
    };
    const process = new OspfProcess(host, config, saved);
    this.nodes.set(name, { name, process, config, changes });
    this.#alarms.delete(name);
    if (saved === undefined) process.configure(config);
    this.#arm(name);
    return process;
  }

  configure(name: string, config: OspfConfig): void {
    const node = this.node(name);
    node.config = config;
    node.process.configure(config);
    this.#arm(name);
  }

  /** Puts ports on one wire. @returns its number. */
  wire(...ends: readonly (readonly [name: string, port: number])[]): number {
    this.#links.push({ ends: ends.map(([name, index]) => ({ name, port: index })), isUp: true });
    return this.#links.length - 1;
  }

  /** Frames are lost from now on, or no longer; no port notices. */
  setUp(link: number, isUp: boolean): void {
    this.#links[link]!.isUp = isUp;
  }

  /** The router forgets everything but its configuration. */
  restart(name: string): void {
    this.add(name, this.node(name).config);
  }

  /** Stores a process, and goes on with what was stored. */
  sleep(name: string): void {
    const { process, config } = this.node(name);
    this.add(name, config, JSON.parse(JSON.stringify(process.save())));
  }

  run(seconds: number): void {
    const endNs = this.#events.nowNs + Math.round(seconds * 1e9);
    while (this.#events.nextTimeNs <= endNs) this.#events.pop()!();
    this.#events.advanceTo(endNs);
  }

  node(name: string): Node {
    return this.nodes.get(name)!;
  }

  /** The routes of a router as `10.0.0.0/24 intra 20 eth0 10.0.1.2`. */
  routes(name: string): string[] {
    const { process, config } = this.node(name);
    return [...process.table.prefixes.values()]
      .toSorted((a, b) => a.network - b.network || a.prefixLength - b.prefixLength)
      .map(({ network, prefixLength, kind, cost, type2Cost, hops }) => {
        const ways = hops.map(({ port: index, via }) => {
          const own = config.interfaces.find((each) => each.port === index)?.name;
          return via === undefined ? own : `${own} ${formatIpv4(via)}`;
        });
        const metric = type2Cost === 0 ? cost : `${cost}+${type2Cost}`;
        return `${formatIpv4(network)}/${prefixLength} ${kind} ${metric} ${ways.join(", ")}`;
      });
  }

  /** The neighbours of a router as `2.2.2.2 full`. */
  neighbours(name: string): string[] {
    return [...this.node(name).process.state.interfaces.values()].flatMap(({ neighbours }) =>
      [...neighbours.values()].map(({ id, state }) => `${formatIpv4(id)} ${state}`),
    );
  }

  /** The LSAs of an area, sorted: `1 1.1.1.1 1.1.1.1 80000003`. */
  database(name: string, areaId = 0): string[] {
    const { areas, external } = this.node(name).process.state;
    return [...(areas.get(areaId)?.database.values() ?? []), ...external.values()]
      .map(({ lsa }) => {
        const { type, id, advertiser, sequence, checksum } = lsa;
        return `${type} ${formatIpv4(id)} ${formatIpv4(advertiser)} ${(sequence >>> 0).toString(16)} ${checksum}`;
      })
      .sort();
  }

  #send(from: string, index: number, target: number, bytes: Uint8Array): void {
    const { config } = this.node(from);
    const source = config.interfaces.find((each) => each.port === index)!.address;
    const sent = { from, source, target, packet: bytes, atUs: this.nowUs };
    this.packets.push(sent);
    for (const link of this.#links) {
      if (!link.isUp || !link.ends.some((end) => end.name === from && end.port === index)) continue;
      for (const end of link.ends) {
        if ((end.name === from && end.port === index) || this.loses(sent)) continue;
        this.#at(this.nowUs + DELAY_US, () => this.#deliver(end, sent));
      }
    }
  }

  #deliver({ name, port: index }: End, { source, target, packet }: Packet): void {
    const node = this.nodes.get(name);
    const own = node?.config.interfaces.find((each) => each.port === index);
    if (node === undefined || (!isMulticastIpv4(target) && own?.address !== target)) return;
    node.process.receive(index, { source, target, packet, content: undefined });
    this.#arm(name);
  }

  #arm(name: string): void {
    const { process } = this.node(name);
    const atUs = process.nextUs;
    if (atUs === undefined || (this.#alarms.get(name) ?? Number.POSITIVE_INFINITY) <= atUs) return;
    this.#alarms.set(name, atUs);
    this.#at(Math.max(atUs, this.nowUs), () => {
      if (this.#alarms.get(name) === atUs) this.#alarms.delete(name);
      if (this.node(name).process !== process) return;
      process.wake();
      this.#arm(name);
    });
  }

  #at(us: number, call: () => void): void {
    this.#events.push(us * 1_000, call);
  }
}
