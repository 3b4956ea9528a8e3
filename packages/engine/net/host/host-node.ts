/**
 * A host: a network layer that forwards nothing, real TCP in virtual time, and services. Devices add a console, or none.
 *
 *     frame -> plane -> TCP -> echo, sink, HTTP; UDP -> echo, DNS, NTP, DHCP
 *
 * Nothing of its state outlives a power-off. Between runs, connections keep their state, and their timers continue.
 */
import type { World } from "../../base/world.ts";
import { DHCP_SERVER_PORT } from "../../wire/dhcp.ts";
import { LeaseTable } from "../dhcp/leases.ts";
import { makePool } from "../dhcp/pool.ts";
import { DhcpServer } from "../dhcp/server.ts";
import { Core } from "../plane/core.ts";
import { freezePlane, makePlane, type Plane, savePlane, thawPlane } from "../plane/make-plane.ts";
import { PlaneNode } from "../plane/node.ts";
import { initialPlaneState } from "../plane/state.ts";
import type { HostNetwork, HostSpec } from "./config.ts";
import { Host } from "./host.ts";
import type { HostState } from "./state.ts";

/** What a host holds in the middle of a run. */
interface Held {
  readonly plane: ReturnType<typeof freezePlane>;
  readonly leases: ReturnType<LeaseTable["freeze"]>;
  readonly dhcp: ReturnType<DhcpServer["freeze"]>;
  readonly host: ReturnType<Host["freeze"]>;
}

export class HostNode {
  readonly forwards = false;
  protected readonly host: Host;
  readonly #plane: Plane<HostNetwork>;
  readonly #node: PlaneNode;
  readonly #leases: LeaseTable;
  readonly #dhcp: DhcpServer;
  readonly #saved: HostState | undefined;

  constructor(spec: HostSpec, network: HostNetwork, world: World, state?: HostState) {
    this.#saved = state;
    this.host = new Host(spec, world, () => this.#plane, state);
    const core = new Core<HostNetwork>(spec, world, state?.network ?? initialPlaneState(network));
    core.host = this.host;
    this.#leases = new LeaseTable(state?.network.leases, state?.network.declined);
    this.#plane = makePlane(core, state?.network ?? { arp: [], neighbours: [] }, {
      takers4: {
        datagram: ({ port, udp, toAll }) =>
          udp.targetPort === DHCP_SERVER_PORT && this.#dhcp.receive(port, udp.data, toAll),
        packet: () => false,
      },
      takers6: { datagram: () => false, packet: () => false },
    });
    this.#dhcp = new DhcpServer(core, this.#plane.ipv4, this.#plane.arp, this.#leases, {
      at(index) {
        const pool = core.running.ports[index]?.dhcp;
        return pool && makePool(pool);
      },
      behind: () => undefined,
    });
    this.#node = new PlaneNode(this.#plane);
  }

  start(): void {
    this.host.start();
  }

  resume(): void {
    this.host.resume(this.#saved?.connections ?? []);
  }

  receive(port: number, frame: Uint8Array): void {
    this.#node.receive(port, frame);
  }

  refused(port: number, frame: Uint8Array, mtuBytes: number): void {
    this.#node.refused(port, frame, mtuBytes);
  }

  linkChanged(port: number, isUp: boolean): void {
    this.#node.linkChanged(port, isUp);
  }

  get portsDown(): readonly number[] {
    return this.#node.portsDown;
  }

  saveState(): HostState {
    const { running, arp, neighbours, ...others } = savePlane(this.#plane);
    const leases = this.#leases.list();
    const declined = this.#leases.listDeclined(this.#plane.core.world.nowUs);
    return { network: { running, arp, neighbours, leases, declined, ...others }, ...this.host.save() };
  }

  freeze(): { readonly state: unknown; readonly held?: unknown } {
    return { state: { ...this.saveState(), connections: [] }, held: this.#freeze() };
  }

  /** @param last restores what is above the host. */
  thaw(held: unknown, last: () => void = () => {}): void {
    const { plane, leases, dhcp, host } = held as Held;
    this.host.thaw(host);
    thawPlane(this.#plane, plane);
    this.#leases.thaw(leases);
    this.#dhcp.thaw(dhcp);
    last();
    this.#plane.core.continueIds(plane.ids);
  }

  #freeze(): Held {
    return {
      plane: freezePlane(this.#plane),
      leases: this.#leases.freeze(),
      dhcp: this.#dhcp.freeze(),
      host: this.host.freeze(),
    };
  }
}
