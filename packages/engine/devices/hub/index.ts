/** An Ethernet hub: repeats every frame to all other ports. It keeps no state. */

import type { Device, Frozen, World } from "../device.ts";
import { PROCESSING_NS } from "../processing.ts";

export interface HubSpec {
  readonly type: "ethernet_hub";
  readonly name: string;
  readonly ports: number;
}

export class Hub implements Device {
  readonly processingNs = PROCESSING_NS.ethernet_hub;
  readonly forwards = true;
  readonly console = undefined;
  readonly #ports: number;
  readonly #world: World;

  constructor(spec: HubSpec, world: World) {
    this.#ports = spec.ports;
    this.#world = world;
  }

  start(): void {}

  resume(): void {}

  receive(port: number, frame: Uint8Array): void {
    for (let other = 0; other < this.#ports; other++) if (other !== port) this.#world.send(other, frame);
  }

  saveState(): null {
    return null;
  }

  freeze(): Frozen {
    return { state: null };
  }
}
