/** The services of a router that run, by their names. */
import type { Datagram4, Datagram6, Packet4, Packet6 } from "../../../net/plane/delivery.ts";
import type { SavedServices, Service, ServiceWorld } from "../services/base/service.ts";
import { RUNNING } from "./service-list.ts";

export class Services {
  readonly #world: ServiceWorld;
  readonly #running = new Map<string, Service>();

  /** Creates the configured services. They neither start nor resume by themselves. */
  constructor(world: ServiceWorld, saved: SavedServices = {}) {
    this.#world = world;
    for (const [name, { isOn, make }] of Object.entries(RUNNING))
      if (isOn(world.core.running)) this.#running.set(name, make(world, saved));
    world.core.whenChanged(() => this.#change());
  }

  start(): void {
    for (const service of this.#running.values()) service.start();
  }

  resume(): void {
    for (const service of this.#running.values()) service.resume();
  }

  /** @returns whether the datagram was for a service. */
  receive4(datagram: Datagram4): boolean {
    return [...this.#running.values()].some((service) => service.receive4?.(datagram));
  }

  receive6(datagram: Datagram6): boolean {
    return [...this.#running.values()].some((service) => service.receive6?.(datagram));
  }

  receivePacket4(packet: Packet4): boolean {
    return [...this.#running.values()].some((service) => service.receivePacket4?.(packet));
  }

  receivePacket6(packet: Packet6): boolean {
    return [...this.#running.values()].some((service) => service.receivePacket6?.(packet));
  }

  /** The service with a name, if it runs. The caller knows its class. */
  find<S extends Service>(name: keyof SavedServices): S | undefined {
    return this.#running.get(name) as S | undefined;
  }

  /** Undefined if no service has anything to keep. */
  save(): SavedServices | undefined {
    const saved = [...this.#running]
      .map(([name, service]) => [name, service.save()] as const)
      .filter(([, state]) => state !== undefined);
    return saved.length === 0 ? undefined : Object.fromEntries(saved);
  }

  /** In the order in which they take datagrams. */
  freeze() {
    return [...this.#running].map(([name, service]) => ({ name, held: service.freeze?.() }));
  }

  thaw(frozen: ReturnType<Services["freeze"]>): void {
    const made = new Map(this.#running);
    this.#running.clear();
    for (const { name, held } of frozen) {
      const service = made.get(name)!;
      this.#running.set(name, service);
      service.thaw?.(held);
    }
  }

  #change(): void {
    for (const [name, { isOn, make }] of Object.entries(RUNNING)) {
      const service = this.#running.get(name);
      if (!isOn(this.#world.core.running)) {
        service?.stop();
        this.#running.delete(name);
      } else if (service !== undefined) service.changed();
      else {
        const added = make(this.#world, {});
        this.#running.set(name, added);
        added.start();
      }
    }
  }
}
