/** State and functions that the parts of the plane and the services above it share. */

import type { World } from "../../base/world.ts";
import { DEFAULT_TTL, type Ipv4Header } from "../../wire/ipv4.ts";
import type { Ipv6Header } from "../../wire/ipv6.ts";
import type { ProbeAnswer, ProbeKey, ProbeKind } from "../packet/probe.ts";
import type { WayChooser } from "./choice.ts";
import type { PlaneConfig } from "./config.ts";
import { ALL_DROP_REASONS, type Counters, type DropReason, makePortCounters } from "./counters.ts";
import type { LogEvent } from "./event.ts";
import type { FrameBridge } from "./frame-bridge.ts";
import type { HostServices, TcpService4 } from "./host-services.ts";
import { makeTables } from "./make-tables.ts";
import type { PlaneState } from "./state.ts";
import type { DynamicTables, RouterPort, Tables } from "./tables.ts";
import { addTags } from "./tags.ts";
import type { VirtualAddresses } from "./virtual-addresses.ts";

/** The hop limit of a router's own packets: the maximum, so that replies reach every sender. */
export const OWN_TTL = 255;

/** The first dynamic port (RFC 6335, section 6): probes use dynamic source ports. */
const DYNAMIC_PORTS = 0xc000;

/** Probes whose responses are expected. */
export interface Expected {
  readonly id: number;
  stop(): void;
}

/** The name of the device, and the MAC of its first port. */
interface PlaneSpec {
  readonly name: string;
  readonly mac: number;
}

type Kept = "running" | "counters" | "nextIpv4Id" | "nextPingId" | "portsDown";

/** @template C the configuration of the device. */
export class Core<C extends PlaneConfig = PlaneConfig> {
  readonly world: World;
  readonly counters: Counters;
  /** Takes what the router reports; absent unless syslog is configured. */
  onEvent: ((event: LogEvent) => void) | undefined;
  /** Take the valid packets that arrive; absent unless flows are counted. */
  countArrived4: ((port: RouterPort, frame: Uint8Array, header: Ipv4Header) => void) | undefined;
  countArrived6: ((port: RouterPort, frame: Uint8Array, header: Ipv6Header) => void) | undefined;
  /** IPv4 multicast groups whose datagrams are for the router. */
  readonly groups4 = new Set<number>();
  /** Absent for a router; set before the first packet for a host. */
  host: HostServices | undefined;
  /** Takes TCP of a device that is no host; undefined while no service uses it. */
  tcp4: TcpService4 | undefined;
  readonly groups6 = new Set<bigint>();
  /** Takes the frames that leave by tunnels; undefined while none is configured. */
  sendByTunnel: ((port: RouterPort, frame: Uint8Array) => void) | undefined;
  /** Undefined while there are no maps of policy routing. */
  policy: WayChooser | undefined;
  /** Undefined while no port is switched. */
  bridge: FrameBridge | undefined;
  /** Takes the frames that leave by VXLAN interfaces; undefined while none is configured. */
  sendBySegment: ((port: RouterPort, frame: Uint8Array) => void) | undefined;
  /** Takes the frames that come in by an interface that is bridged with a segment. */
  receiveFromMember: ((member: RouterPort, frame: Uint8Array) => void) | undefined;
  /** Receives a frame from inside a tunnel or a VLAN. Set before the first packet. */
  receiveInside: (port: RouterPort, frame: Uint8Array) => void = () => {};
  /** Callbacks that wait for responses, by kind and identifier of the probes. */
  readonly #listeners = new Map<string, (answer: ProbeAnswer) => void>();
  /** What hosts get by DHCPv6 at a port, as router advertisements say it; undefined while it is not configured. */
  dhcpFlagsAt: ((port: RouterPort) => number) | undefined;
  readonly #spec: PlaneSpec;
  #running: C;
  readonly #portsDown: Set<number>;
  readonly #watchers: (() => void)[] = [];
  readonly #tracksDown = new Set<string>();
  #virtual: readonly VirtualAddresses[] = [];
  #tables: Tables;
  #nextIpv4Id: number;
  #nextPingId: number;

  constructor(spec: PlaneSpec, world: World, state: Pick<PlaneState<C>, Kept>) {
    this.world = world;
    this.#spec = spec;
    this.#running = state.running;
    this.#portsDown = new Set(state.portsDown);
    this.#tables = makeTables(this.#running, spec.mac, this.#portsDown);
    this.counters = structuredClone(state.counters);
    this.#nextIpv4Id = state.nextIpv4Id;
    this.#nextPingId = state.nextPingId;
  }

  /** Lets equal routes divide flows in another way than the equal routes of other routers (flow-hash.ts). */
  get flowSeed(): number {
    return this.#spec.mac;
  }

  get name(): string {
    return this.#spec.name;
  }

  get running(): C {
    return this.#running;
  }

  get tables(): Tables {
    return this.#tables;
  }

  /** @param running with the same number of ports. */
  configure(running: C): void {
    const before = this.#tables.ports;
    this.#running = running;
    this.#makeTables();
    this.#renumberCounters(before);
    for (const call of this.#watchers) call();
  }

  /** Calls `call` after each change of the configuration and of a carrier. */
  whenChanged(call: () => void): void {
    this.#watchers.push(call);
  }

  /** Replaces the addresses that the router has as the master of virtual routers. */
  setVirtual(virtual: readonly VirtualAddresses[]): void {
    if (virtual.length === 0 && this.#virtual.length === 0) return;
    this.#virtual = virtual;
    this.#makeTables();
  }

  /** What routes track (`trackKey`) and does not answer. */
  get tracksDown(): ReadonlySet<string> {
    return this.#tracksDown;
  }

  setTrack(key: string, isUp: boolean): void {
    if (isUp !== this.#tracksDown.has(key)) return;
    if (isUp) this.#tracksDown.delete(key);
    else this.#tracksDown.add(key);
    this.#makeTables();
    for (const call of this.#watchers) call();
  }

  get #dynamic(): DynamicTables {
    return { tracksDown: this.#tracksDown, virtual: this.#virtual };
  }

  #makeTables(): void {
    this.#tables = makeTables(this.#running, this.#spec.mac, this.#portsDown, this.#dynamic, this.#tables);
  }

  /** The hop limit of its errors, echoes and answers to them: that of all packets of a host. */
  get ttl(): number {
    return this.host === undefined ? OWN_TTL : DEFAULT_TTL;
  }

  get portsDown(): ReadonlySet<number> {
    return this.#portsDown;
  }

  /** Notes whether the link of a port has a carrier. Returns false if that is known. */
  setCarrier(port: number, isUp: boolean): boolean {
    if (isUp !== this.#portsDown.has(port)) return false;
    if (isUp) this.#portsDown.delete(port);
    else this.#portsDown.add(port);
    this.configure(this.#running);
    return true;
  }

  get nextIds(): Pick<PlaneState<C>, "nextIpv4Id" | "nextPingId"> {
    return { nextIpv4Id: this.#nextIpv4Id, nextPingId: this.#nextPingId };
  }

  /** Drops packets to a port that is shut down. @param frame ownership passes to the callee. @param isForwarded at layer 2. */
  transmit(port: number, frame: Uint8Array, isForwarded = false): void {
    const counters = this.counters.ports[port];
    if (counters === undefined || !this.#tables.ports[port]?.isUp) return;
    counters.framesOut += 1;
    counters.bytesOut += frame.length;
    const { kind, trunk } = this.#tables.ports[port]!;
    if (kind === "port" && isForwarded && this.world.forward) this.world.forward(port, frame);
    else if (kind === "port") this.world.send(port, frame);
    else if (kind === "gre") this.sendByTunnel?.(this.#tables.ports[port]!, frame);
    else if (kind === "svi") this.bridge?.send(this.#tables.ports[port]!, frame);
    else if (kind === "vxlan") this.sendBySegment?.(this.#tables.ports[port]!, frame);
    else if (trunk !== undefined)
      this.transmit(trunk.port, addTags(frame, trunk, this.world.frames), isForwarded);
  }

  /** A frame was not sent after all. */
  takeBack(port: number, frame: Uint8Array): void {
    const counters = this.counters.ports[port];
    if (counters === undefined) return;
    counters.framesOut -= 1;
    counters.bytesOut -= frame.length;
  }

  drop(reason: DropReason): void {
    this.counters.drops[reason] = (this.counters.drops[reason] ?? 0) + 1;
    this.world.discard?.(ALL_DROP_REASONS[reason]);
  }

  takeIpv4Id(): number {
    const id = this.#nextIpv4Id;
    this.#nextIpv4Id = (id + 1) & 0xffff;
    return id;
  }

  /** Allocates an identifier for probes. Calls `take` with their responses until the caller calls `stop`. */
  expectAnswers(kind: ProbeKind, take: (answer: ProbeAnswer) => void): Expected {
    const number = this.#nextPingId;
    this.#nextPingId = (number + 1) & 0xffff;
    const id = kind === "udp" ? number | DYNAMIC_PORTS : number;
    return this.expectAgain(kind, id, take);
  }

  /** Gets responses to an identifier that was allocated before. */
  expectAgain(kind: ProbeKind, id: number, take: (answer: ProbeAnswer) => void): Expected {
    this.#listeners.set(listenerKey({ kind, id }), take);
    return { id, stop: () => this.#listeners.delete(listenerKey({ kind, id })) };
  }

  /** Sets the identifiers that come next: parts that were made anew have taken some. */
  continueIds({ nextIpv4Id, nextPingId }: Pick<PlaneState<C>, "nextIpv4Id" | "nextPingId">): void {
    this.#nextIpv4Id = nextIpv4Id;
    this.#nextPingId = nextPingId;
  }

  /** An interface keeps its counters when its index changes. */
  #renumberCounters(before: Tables["ports"]): void {
    const { ports } = this.counters;
    const byName = new Map(before.map(({ name }, index) => [name, ports[index]]));
    const after = this.#tables.ports.map(({ name }) => byName.get(name) ?? makePortCounters());
    ports.splice(0, ports.length, ...after);
  }

  answer(answer: ProbeAnswer): void {
    this.#listeners.get(listenerKey(answer))?.(answer);
  }
}

const listenerKey = ({ kind, id }: Pick<ProbeKey, "kind" | "id">): string => `${kind} ${id}`;
