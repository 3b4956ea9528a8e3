/** Connects the parts of the plane: each part calls the others only through the functions passed here. */
import { formatIpv6, parseIpv6 } from "../../wire/ipv6-address.ts";
import { sendArpRequest } from "./arp.ts";
import type { PlaneConfig } from "./config.ts";
import type { Core } from "./core.ts";
import type { Datagram4, Datagram6, Packet4, Packet6, Takers } from "./delivery.ts";
import { type Guard4, type Guard6, NO_GUARD4, NO_GUARD6, type Prohibit4, type Prohibit6 } from "./guard.ts";
import { Ipv4 } from "./ipv4.ts";
import { Ipv4Local } from "./ipv4-local.ts";
import { Ipv6 } from "./ipv6.ts";
import { Ipv6Local } from "./ipv6-local.ts";
import { NeighbourDiscovery } from "./neighbour-discovery.ts";
import { NeighbourTable, type SavedNeighbour, type WaitingFrame } from "./neighbours.ts";
import type { PlaneState } from "./state.ts";

/** @template C the configuration of the device. */
export interface Plane<C extends PlaneConfig = PlaneConfig> {
  readonly core: Core<C>;
  readonly arp: NeighbourTable<number>;
  readonly neighbours: NeighbourTable<bigint>;
  readonly ipv4: Ipv4;
  readonly ipv6: Ipv6;
  readonly guard4: Guard4;
  readonly local4: Ipv4Local;
}

/** What is above the plane. */
export interface Above {
  readonly takers4: Takers<Datagram4, Packet4>;
  readonly takers6: Takers<Datagram6, Packet6>;
  /** Absent: all packets pass. */
  readonly makeGuard4?: (prohibit: Prohibit4) => Guard4;
  readonly makeGuard6?: (prohibit: Prohibit6) => Guard6;
}

export function makePlane<C extends PlaneConfig>(
  core: Core<C>,
  state: Pick<PlaneState<C>, "arp" | "neighbours">,
  above: Above,
): Plane<C> {
  const plane = { core, ...makeIpv4Parts(core, above), ...makeIpv6Parts(core, above) };
  plane.arp.restore(state.arp);
  plane.neighbours.restore(state.neighbours.map(fromSaved));
  return plane;
}

function makeIpv4Parts(
  core: Core,
  { takers4, makeGuard4 }: Above,
): Pick<Plane, "arp" | "ipv4" | "guard4" | "local4"> {
  const arp = new NeighbourTable<number>(core.tables.ports.length, core.world, {
    ...neighbourEvents(core),
    solicit: (port, address) => sendArpRequest(core, port, address),
    unreachable: (waiting) => ipv4.reportUnreachable(waiting),
  });
  const guard4 = makeGuard4?.((...packet) => ipv4.reportProhibited(...packet)) ?? NO_GUARD4;
  const ipv4: Ipv4 = new Ipv4(core, arp, guard4, (...packet) => local4.deliver(...packet));
  const local4 = new Ipv4Local(core, ipv4, takers4);
  return { arp, ipv4, guard4, local4 };
}

function makeIpv6Parts(core: Core, { takers6, makeGuard6 }: Above): Pick<Plane, "neighbours" | "ipv6"> {
  const neighbours = new NeighbourTable<bigint>(core.tables.ports.length, core.world, {
    ...neighbourEvents(core),
    solicit: (port, address) => discovery.solicit(port, address),
    unreachable: (waiting: WaitingFrame) => ipv6.reportUnreachable(waiting),
  });
  const discovery = new NeighbourDiscovery(core, neighbours);
  const guard = makeGuard6?.((...packet) => ipv6.reportProhibited(...packet)) ?? NO_GUARD6;
  const ipv6: Ipv6 = new Ipv6(core, neighbours, guard, (...packet) => local.deliver(...packet));
  const local = new Ipv6Local(core, ipv6, discovery, takers6);
  return { neighbours, ipv6 };
}

const neighbourEvents = (core: Core) => ({
  transmit: (port: number, frame: Uint8Array) => core.transmit(port, frame),
  overflow: () => core.drop("queueFull"),
  isPointToPoint: (port: number) => core.tables.ports[port]?.kind === "gre",
});

export const savePlane = <C extends PlaneConfig>({ core, arp, neighbours }: Plane<C>): PlaneState<C> => ({
  running: core.running,
  arp: arp.list(),
  neighbours: neighbours.list().map(toSaved),
  counters: structuredClone(core.counters),
  ...core.nextIds,
  ...(core.portsDown.size > 0 && { portsDown: [...core.portsDown] }),
});

/** Returns what `savePlane` leaves out: what the parts hold in the middle of a run. */
export const freezePlane = ({ core, arp, neighbours, ipv4, ipv6, guard4, local4 }: Plane) => ({
  arp: arp.freeze(),
  neighbours: neighbours.freeze(),
  loops: [ipv4.loopback.freeze(), ipv6.loopback.freeze()],
  guard: guard4.freeze(),
  fragments: local4.fragments.freeze(),
  ids: core.nextIds,
});

/** Continues with a plane that was made of the result of `savePlane`. The caller sets `ids` at last. */
export function thawPlane(plane: Plane, frozen: ReturnType<typeof freezePlane>): void {
  plane.arp.thaw(frozen.arp);
  plane.neighbours.thaw(frozen.neighbours);
  for (const [index, { loopback }] of [plane.ipv4, plane.ipv6].entries()) loopback.thaw(frozen.loops[index]!);
  plane.guard4.thaw(frozen.guard);
  plane.local4.fragments.thaw(frozen.fragments);
}

const toSaved = ([port, address, mac, expiresUs]: SavedNeighbour<bigint>): SavedNeighbour<string> => [
  port,
  formatIpv6(address),
  mac,
  expiresUs,
];

const fromSaved = ([port, address, mac, expiresUs]: SavedNeighbour<string>): SavedNeighbour<bigint> => [
  port,
  parseIpv6(address)!,
  mac,
  expiresUs,
];
