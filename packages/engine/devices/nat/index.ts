/**
 * A gateway to a simulated internet: gives addresses by DHCP, and is the router, the name server and all hosts of the internet that the lab
 * declares. Each host answers pings, and serves HTTP, echo, bulk data and NTP. A host that the lab does not declare does not answer.
 *
 * The translation of addresses cannot be seen from either side, so there is none.
 */
import type { Device, Frozen, World } from "../device.ts";
import { PROCESSING_NS } from "../processing.ts";
import { Server, type ServerState } from "../server/index.ts";
import { type NatSpec, networkOf, servicesOf } from "./config.ts";

export type { NatSpec } from "./config.ts";
export { NAT_PORT_NAME } from "./config.ts";

export class Nat implements Device {
  readonly processingNs = PROCESSING_NS.nat;
  readonly forwards = false;
  readonly console = undefined;
  readonly #server: Server;

  constructor(spec: NatSpec, world: World, state?: ServerState) {
    this.#server = new Server(servicesOf(spec), world, state, networkOf(spec));
  }

  start(): void {
    this.#server.start();
  }

  resume(): void {
    this.#server.resume();
  }

  receive(port: number, frame: Uint8Array): void {
    this.#server.receive(port, frame);
  }

  refused(port: number, frame: Uint8Array, mtuBytes: number): void {
    this.#server.refused(port, frame, mtuBytes);
  }

  linkChanged(port: number, isUp: boolean): void {
    this.#server.linkChanged(port, isUp);
  }

  get portsDown(): readonly number[] {
    return this.#server.portsDown;
  }

  freeze(): Frozen {
    return this.#server.freeze();
  }

  thaw(held: unknown): void {
    this.#server.thaw(held);
  }

  saveState(): ServerState {
    return this.#server.saveState();
  }
}
