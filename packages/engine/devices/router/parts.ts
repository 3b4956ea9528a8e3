/** Connects the parts of a router: each part calls the others only through the functions passed here. */
import { formatIpv6, parseIpv6 } from "../../wire/ipv6-address.ts";
import { sendArpRequest } from "./arp.ts";
import type { Core } from "./core.ts";
import { LeaseTable } from "./dhcp-leases.ts";
import { DhcpServer } from "./dhcp-server.ts";
import { Firewall } from "./firewall/firewall.ts";
import { Guard4 } from "./firewall/guard4.ts";
import { Guard6 } from "./firewall/guard6.ts";
import { Ipv4 } from "./ipv4.ts";
import { Ipv4Local } from "./ipv4-local.ts";
import { Ipv6 } from "./ipv6.ts";
import { Ipv6Local } from "./ipv6-local.ts";
import { NeighbourDiscovery } from "./neighbour-discovery.ts";
import { NeighbourTable, type WaitingFrame } from "./neighbours.ts";
import type { Datagram4, Datagram6, Packet4, Packet6 } from "./service.ts";
import { Services } from "./services.ts";
import type { RouterState, SavedNeighbour } from "./state.ts";

export interface Parts {
  readonly core: Core;
  readonly arp: NeighbourTable<number>;
  readonly neighbours: NeighbourTable<bigint>;
  readonly leases: LeaseTable;
  readonly ipv4: Ipv4;
  readonly ipv6: Ipv6;
  readonly services: Services;
  readonly firewall: Firewall;
  readonly guard4: Guard4;
  readonly dhcp: DhcpServer;
  readonly local4: Ipv4Local;
}

export function makeParts(core: Core, state: RouterState): Parts {
  const leases = new LeaseTable(state.leases, state.declined);
  const firewall = new Firewall(core, state.firewall);
  const { arp, ipv4, guard4, dhcp, local4 } = makeIpv4Parts(
    core,
    leases,
    firewall,
    (datagram) => services.receive4(datagram),
    (packet) => services.receivePacket4(packet),
  );
  const { neighbours, ipv6 } = makeIpv6Parts(
    core,
    firewall,
    (datagram) => services.receive6(datagram),
    (packet) => services.receivePacket6(packet),
  );
  const services: Services = new Services({ core, ipv4, ipv6, arp, neighbours }, state.services);
  arp.restore(state.arp);
  neighbours.restore(state.neighbours.map(fromSaved));
  return { core, arp, neighbours, leases, ipv4, ipv6, services, firewall, guard4, dhcp, local4 };
}

function makeIpv4Parts(
  core: Core,
  leases: LeaseTable,
  firewall: Firewall,
  serve: (datagram: Datagram4) => boolean,
  servePacket: (packet: Packet4) => boolean,
): Pick<Parts, "arp" | "ipv4" | "guard4" | "dhcp" | "local4"> {
  const arp = new NeighbourTable<number>(core.tables.ports.length, core.world, {
    ...neighbourEvents(core),
    solicit: (port, address) => sendArpRequest(core, port, address),
    unreachable: (waiting) => ipv4.reportUnreachable(waiting),
  });
  const guard = new Guard4(core, firewall, (...packet) => ipv4.reportProhibited(...packet));
  const ipv4: Ipv4 = new Ipv4(core, arp, guard, (...packet) => local.deliver(...packet));
  const dhcp = new DhcpServer(core, ipv4, arp, leases);
  const local = new Ipv4Local(core, ipv4, (...datagram) => dhcp.receive(...datagram), serve, servePacket);
  return { arp, ipv4, guard4: guard, dhcp, local4: local };
}

function makeIpv6Parts(
  core: Core,
  firewall: Firewall,
  serve: (datagram: Datagram6) => boolean,
  servePacket: (packet: Packet6) => boolean,
): Pick<Parts, "neighbours" | "ipv6"> {
  const neighbours = new NeighbourTable<bigint>(core.tables.ports.length, core.world, {
    ...neighbourEvents(core),
    solicit: (port, address) => discovery.solicit(port, address),
    unreachable: (waiting: WaitingFrame) => ipv6.reportUnreachable(waiting),
  });
  const discovery = new NeighbourDiscovery(core, neighbours);
  const guard = new Guard6(core, firewall, (...packet) => ipv6.reportProhibited(...packet));
  const ipv6: Ipv6 = new Ipv6(core, neighbours, guard, (...packet) => local.deliver(...packet));
  const local = new Ipv6Local(core, ipv6, discovery, serve, servePacket);
  return { neighbours, ipv6 };
}

const neighbourEvents = (core: Core) => ({
  transmit: (port: number, frame: Uint8Array) => core.transmit(port, frame),
  overflow: () => core.drop("queueFull"),
  isPointToPoint: (port: number) => core.tables.ports[port]?.kind === "gre",
});

/** Returns the state that the parts keep between runs. */
export function saveParts({ core, arp, neighbours, leases, services, firewall }: Parts): RouterState {
  const saved = services.save();
  const guarded = firewall.saveState();
  return {
    running: core.running,
    ...(core.startup && { startup: core.startup }),
    ...(core.consoleMode && { consoleMode: core.consoleMode }),
    arp: arp.list(),
    neighbours: neighbours.list().map(toSaved),
    leases: leases.list(),
    declined: leases.listDeclined(core.world.nowUs),
    counters: structuredClone(core.counters),
    ...core.nextIds,
    ...(core.portsDown.size > 0 && { portsDown: [...core.portsDown] }),
    ...(saved && { services: saved }),
    ...(guarded && { firewall: guarded }),
  };
}

/** Returns what `saveParts` leaves out: what the parts hold in the middle of a run. */
export const freezeParts = ({
  core,
  arp,
  neighbours,
  leases,
  ipv4,
  ipv6,
  services,
  guard4,
  dhcp,
  local4,
}: Parts) => ({
  arp: arp.freeze(),
  neighbours: neighbours.freeze(),
  leases: leases.freeze(),
  loops: [ipv4.loopback.freeze(), ipv6.loopback.freeze()],
  services: services.freeze(),
  guard: guard4.freeze(),
  dhcp: dhcp.freeze(),
  fragments: local4.fragments.freeze(),
  ids: core.nextIds,
});

/** Continues with parts that were made of the result of `saveParts`. The caller sets `ids` at last. */
export function thawParts(parts: Parts, frozen: ReturnType<typeof freezeParts>): void {
  parts.arp.thaw(frozen.arp);
  parts.neighbours.thaw(frozen.neighbours);
  parts.leases.thaw(frozen.leases);
  for (const [index, { loopback }] of [parts.ipv4, parts.ipv6].entries()) loopback.thaw(frozen.loops[index]!);
  parts.services.thaw(frozen.services);
  parts.guard4.thaw(frozen.guard);
  parts.dhcp.thaw(frozen.dhcp);
  parts.local4.fragments.thaw(frozen.fragments);
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
