/** Connects the plane, the services and the console of a router. */
import type { World } from "../../../base/world.ts";
import { LeaseTable } from "../../../net/dhcp/leases.ts";
import { DhcpServer } from "../../../net/dhcp/server.ts";
import { Core } from "../../../net/plane/core.ts";
import { freezePlane, makePlane, type Plane, savePlane, thawPlane } from "../../../net/plane/make-plane.ts";
import { DHCP_SERVER_PORT } from "../../../wire/dhcp.ts";
import type { RouterConfig } from "../services/base/config.ts";
import { Liveness } from "../services/base/liveness.ts";
import type { Parts } from "../services/base/parts.ts";
import { poolsOf } from "../services/dhcp/pool-index.ts";
import { Firewall } from "../services/firewall/firewall.ts";
import { FirewallGuard4 } from "../services/firewall/guard4.ts";
import { FirewallGuard6 } from "../services/firewall/guard6.ts";
import { change } from "./change.ts";
import type { RouterSpec } from "./config.ts";
import { Services } from "./services.ts";
import { Session } from "./session.ts";
import type { RouterState } from "./state.ts";

export interface RouterParts extends Parts, Plane<RouterConfig> {
  readonly services: Services;
  readonly dhcp: DhcpServer;
}

export function makeParts(spec: RouterSpec, world: World, state: RouterState): RouterParts {
  const core = new Core<RouterConfig>(spec, world, state);
  const leases = new LeaseTable(state.leases, state.declined);
  const firewall = new Firewall(core, state.firewall);
  const plane = makePlane(core, state, {
    takers4: {
      // Services are of the default table of routes.
      datagram: (datagram) =>
        (datagram.port.vrf === undefined && services.receive4(datagram)) ||
        (datagram.udp.targetPort === DHCP_SERVER_PORT &&
          dhcp.receive(datagram.port, datagram.udp.data, datagram.toAll)),
      packet: (packet) => services.receivePacket4(packet),
    },
    takers6: {
      datagram: (datagram) => datagram.port.vrf === undefined && services.receive6(datagram),
      packet: (packet) => services.receivePacket6(packet),
    },
    makeGuard4: (prohibit) => new FirewallGuard4(core, firewall, prohibit),
    makeGuard6: (prohibit) => new FirewallGuard6(core, firewall, prohibit),
  });
  const dhcp = new DhcpServer(
    core,
    plane.ipv4,
    plane.arp,
    leases,
    poolsOf(() => core.running),
  );
  const liveness = new Liveness();
  const services = new Services({ ...plane, liveness }, state.services);
  return {
    ...plane,
    liveness,
    leases,
    services,
    dhcp,
    firewall,
    session: new Session(spec, state),
    change: (edit) => change(core, plane, leases, edit),
  };
}

/** Returns the state that the parts keep between runs. */
export function saveParts(parts: RouterParts): RouterState {
  const { running, arp, neighbours, ...others } = savePlane(parts);
  const { core, leases, session } = parts;
  const services = parts.services.save();
  const firewall = parts.firewall.saveState();
  return {
    running,
    ...(session.startup && { startup: session.startup }),
    ...(session.mode && { consoleMode: session.mode }),
    arp,
    neighbours,
    leases: leases.list(),
    declined: leases.listDeclined(core.world.nowUs),
    ...others,
    ...(services && { services }),
    ...(firewall && { firewall }),
  };
}

/** Returns what `saveParts` leaves out: what the parts hold in the middle of a run. */
export const freezeParts = (parts: RouterParts) => ({
  ...freezePlane(parts),
  leases: parts.leases.freeze(),
  services: parts.services.freeze(),
  dhcp: parts.dhcp.freeze(),
});

/** Continues with parts that were made of the result of `saveParts`. The caller sets `ids` at last. */
export function thawParts(parts: RouterParts, frozen: ReturnType<typeof freezeParts>): void {
  thawPlane(parts, frozen);
  parts.leases.thaw(frozen.leases);
  parts.services.thaw(frozen.services);
  parts.dhcp.thaw(frozen.dhcp);
}
