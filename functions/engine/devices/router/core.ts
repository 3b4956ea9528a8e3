/** What the parts of a router share. */
import type { World } from "../device.ts";
import type { RouterConfig, RouterSpec } from "./config.ts";
import type { Counters, DropReason } from "./counters.ts";
import { saveOver } from "./startup-config.ts";
import type { RouterState, StartupConfig } from "./state.ts";
import { makeTables, type Tables } from "./tables.ts";

/** The hop limit of what routers say themselves: it reaches anything that reaches them. */
export const OWN_TTL = 255;

/** An answer to an echo request of the router's own, or the error it caused. */
export interface EchoAnswer {
  /** The identifier of the request. */
  readonly id: number;
  readonly sequence: number;
  readonly from: string;
  /** Of the ICMP message. */
  readonly sizeBytes: number;
  readonly ttl: number;
  /** Undefined for an echo reply. */
  readonly error: string | undefined;
}

export class Core {
  readonly world: World;
  readonly counters: Counters;
  /** Who waits for answers, by the identifier of the requests. */
  readonly #listeners = new Map<number, (answer: EchoAnswer) => void>();
  readonly #spec: RouterSpec;
  #startup: StartupConfig | undefined;
  #running: RouterConfig;
  #tables: Tables;
  #nextIpv4Id: number;
  #nextPingId: number;

  constructor(spec: RouterSpec, world: World, state: RouterState) {
    this.world = world;
    this.#spec = spec;
    this.#startup = state.startup;
    this.#running = state.running;
    this.#tables = makeTables(this.#running, spec.mac);
    this.counters = structuredClone(state.counters);
    this.#nextIpv4Id = state.nextIpv4Id;
    this.#nextPingId = state.nextPingId;
  }

  get running(): RouterConfig {
    return this.#running;
  }

  get tables(): Tables {
    return this.#tables;
  }

  /** @param running one that `parseRouterProperties` gave, with as many ports. */
  configure(running: RouterConfig): void {
    this.#running = running;
    this.#tables = makeTables(running, this.#spec.mac);
  }

  /** What `write` saved; undefined when the router starts with its node's properties. */
  get startup(): StartupConfig | undefined {
    return this.#startup;
  }

  saveRunning(): void {
    this.#startup = saveOver(this.#spec, this.#running);
  }

  eraseStartup(): void {
    this.#startup = undefined;
  }

  get nextIds(): Pick<RouterState, "nextIpv4Id" | "nextPingId"> {
    return { nextIpv4Id: this.#nextIpv4Id, nextPingId: this.#nextPingId };
  }

  /** Drops what is for a port that is shut down. @param frame given away. */
  transmit(port: number, frame: Uint8Array): void {
    const counters = this.counters.ports[port];
    if (counters === undefined || !this.#tables.ports[port]?.isUp) return;
    counters.framesOut += 1;
    counters.bytesOut += frame.length;
    this.world.send(port, frame);
  }

  drop(reason: DropReason): void {
    this.counters.drops[reason] += 1;
  }

  takeIpv4Id(): number {
    const id = this.#nextIpv4Id;
    this.#nextIpv4Id = (id + 1) & 0xffff;
    return id;
  }

  /** Gives an identifier for echo requests, whose answers `take` gets until `stop` is called. */
  expectAnswers(take: (answer: EchoAnswer) => void): { readonly id: number; stop(): void } {
    const id = this.#nextPingId;
    this.#nextPingId = (id + 1) & 0xffff;
    this.#listeners.set(id, take);
    return { id, stop: () => this.#listeners.delete(id) };
  }

  answer(answer: EchoAnswer): void {
    this.#listeners.get(answer.id)?.(answer);
  }
}
