/**
 * A server: a host with one port, real TCP in virtual time, and services set by its properties.
 *
 *     frame -> network layer (a router's, without forwarding) -> TCP -> echo, sink, HTTP; UDP -> echo, DNS, NTP
 *
 * Nothing of its state outlives a power-off. Between runs, connections keep their state, and their timers continue.
 */
import type { CommandConsole } from "../console/command-console.ts";
import type { Device, Frozen, World } from "../device.ts";
import { PROCESSING_NS } from "../processing.ts";
import { type FrozenRouter, Router, type RouterSpec } from "../router/index.ts";
import { networkOf, type ServerSpec } from "./config.ts";
import { makeServerConsole } from "./console.ts";
import { ServerHost } from "./host.ts";
import type { ServerState } from "./state.ts";

export type { ServerSpec } from "./config.ts";
export type { ServerState } from "./state.ts";

/** What a server holds in the middle of a run. */
interface Held {
  readonly network: FrozenRouter;
  readonly host: ReturnType<ServerHost["freeze"]>;
  readonly console: ReturnType<CommandConsole<ServerHost>["freeze"]>;
}

export class Server implements Device {
  readonly processingNs = PROCESSING_NS.server;
  readonly forwards = false;
  readonly console: CommandConsole<ServerHost>;
  readonly #network: Router;
  readonly #host: ServerHost;
  readonly #saved: ServerState | undefined;

  /** @param network its network layer. */
  constructor(spec: ServerSpec, world: World, state?: ServerState, network: RouterSpec = networkOf(spec)) {
    this.#saved = state;
    this.#host = new ServerHost(spec, world, () => this.#network.parts, state);
    this.#network = new Router(network, world, state?.network, this.#host);
    this.console = makeServerConsole(spec.name, this.#host);
  }

  start(): void {
    this.#host.start();
  }

  resume(): void {
    this.#host.resume(this.#saved?.connections ?? []);
  }

  receive(port: number, frame: Uint8Array): void {
    this.#network.receive(port, frame);
  }

  refused(port: number, frame: Uint8Array, mtuBytes: number): void {
    this.#network.refused(port, frame, mtuBytes);
  }

  linkChanged(port: number, isUp: boolean): void {
    this.#network.linkChanged(port, isUp);
  }

  get portsDown(): readonly number[] {
    return this.#network.portsDown;
  }

  freeze(): Frozen {
    const network = this.#network.freeze();
    const state: ServerState = { network: network.state, ...this.#host.save(), connections: [] };
    const held: Held = { network: network.held, host: this.#host.freeze(), console: this.console.freeze() };
    return { state, held };
  }

  thaw(frozen: unknown): void {
    const { network, host, console } = frozen as Held;
    this.#host.thaw(host);
    this.#network.thaw(network);
    this.console.thaw(console);
    this.#network.parts.core.continueIds(network.parts.ids);
  }

  saveState(): ServerState {
    return { network: this.#network.saveState(), ...this.#host.save() };
  }
}
