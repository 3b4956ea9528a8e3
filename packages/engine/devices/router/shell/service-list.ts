/** The services of a router: when each runs, what runs, and its commands. `service-settings.ts` has their settings, for callers that run nothing. */
import { type InterfaceType, interfacesOf } from "../../../net/plane/config.ts";
import type { RouterCommands } from "../services/base/command.ts";
import type { RouterConfig, ServicesConfig } from "../services/base/config.ts";
import type { SavedServices, Service, ServiceWorld } from "../services/base/service.ts";
import { Bfd } from "../services/bfd/bfd.ts";
import { watchesWithBfd } from "../services/bfd/clients.ts";
import { BFD_COMMANDS } from "../services/bfd/commands.ts";
import { Bgp } from "../services/bgp/bgp.ts";
import { BGP_COMMANDS } from "../services/bgp/commands.ts";
import { DHCP_POOL_COMMANDS } from "../services/dhcp/commands.ts";
import { DHCP_RELAY_COMMANDS } from "../services/dhcp-relay/commands.ts";
import { DhcpRelay } from "../services/dhcp-relay/relay.ts";
import { DHCPV6_COMMANDS } from "../services/dhcpv6/commands.ts";
import { Dhcpv6Server } from "../services/dhcpv6/server.ts";
import { DNS_COMMANDS } from "../services/dns/commands.ts";
import { Dns } from "../services/dns/dns.ts";
import { FIREWALL_COMMANDS } from "../services/firewall/commands.ts";
import { FLOWS_COMMANDS } from "../services/flows/commands.ts";
import { Flows } from "../services/flows/flows.ts";
import { GreTunnels } from "../services/gre/gre.ts";
import { NAT_COMMANDS } from "../services/nat/commands.ts";
import { OSPF_COMMANDS } from "../services/ospf/commands.ts";
import { Ospf } from "../services/ospf/ospf.ts";
import { POLICY_COMMANDS } from "../services/policy/commands.ts";
import { PolicyRouting } from "../services/policy/policy-routing.ts";
import { trackedHops } from "../services/policy/tracked-hops.ts";
import { RIP_COMMANDS } from "../services/rip/commands.ts";
import { Rip } from "../services/rip/rip.ts";
import { ROUTE_POLICY_COMMANDS } from "../services/route-policy/commands.ts";
import { RouteTracker } from "../services/routes/track.ts";
import { VlanBridge } from "../services/switching/bridge.ts";
import { SWITCHING_COMMANDS } from "../services/switching/commands.ts";
import { SYSLOG_COMMANDS } from "../services/syslog/commands.ts";
import { Syslog } from "../services/syslog/syslog.ts";
import { VRRP_COMMANDS } from "../services/vrrp/commands.ts";
import { Vrrp } from "../services/vrrp/vrrp.ts";
import { VXLAN_COMMANDS } from "../services/vxlan/commands.ts";
import { VxlanSegments } from "../services/vxlan/vxlan.ts";

interface RouterService {
  readonly isOn: (config: RouterConfig) => boolean;
  readonly make: (world: ServiceWorld, saved: SavedServices) => Service;
  readonly commands?: RouterCommands;
}

const has = (name: keyof ServicesConfig) => (config: RouterConfig) => config[name] !== undefined;
const hasInterface =
  (own: InterfaceType) =>
  ({ interfaces = [] }: RouterConfig) =>
    interfaces.some(({ type }) => type === own);

/** In the order in which they hear of packets and changes. */
const SERVICES = {
  bridge: {
    isOn: ({ ports }) => ports.some(({ switchport }) => switchport !== undefined),
    make: (world, { bridge }) => new VlanBridge(world, bridge),
    commands: SWITCHING_COMMANDS,
  },
  dhcpRelay: {
    isOn: has("dhcpRelay"),
    make: (world) => new DhcpRelay(world),
    commands: DHCP_RELAY_COMMANDS,
  },
  dhcpv6: {
    isOn: has("dhcpv6"),
    make: (world, { dhcpv6 }) => new Dhcpv6Server(world, dhcpv6),
    commands: DHCPV6_COMMANDS,
  },
  dns: {
    isOn: has("dns"),
    make: (world, { dns }) => new Dns(world, dns),
    commands: DNS_COMMANDS,
  },
  pbr: {
    isOn: has("pbrMaps"),
    make: (world, { pbr }) => new PolicyRouting(world, pbr),
    commands: POLICY_COMMANDS,
  },
  rip: {
    isOn: has("rip"),
    make: (world, { rip }) => new Rip(world, rip),
    commands: RIP_COMMANDS,
  },
  ospf: {
    isOn: has("ospf"),
    make: (world, { ospf }) => new Ospf(world, ospf),
    commands: OSPF_COMMANDS,
  },
  bgp: {
    isOn: has("bgp"),
    make: (world, { bgp }) => new Bgp(world, bgp),
    commands: BGP_COMMANDS,
  },
  bfd: {
    isOn: (config) => config.bfd !== undefined || watchesWithBfd(config),
    make: (world, { bfd }) => new Bfd(world, bfd),
    commands: BFD_COMMANDS,
  },
  vrrp: {
    isOn: (config) => interfacesOf(config).some(({ vrrp }) => vrrp !== undefined),
    make: (world, { vrrp }) => new Vrrp(world, vrrp),
    commands: VRRP_COMMANDS,
  },
  flows: {
    isOn: has("flows"),
    make: (world, { flows }) => new Flows(world, flows),
    commands: FLOWS_COMMANDS,
  },
  gre: {
    isOn: hasInterface("gre"),
    make: (world) => new GreTunnels(world),
  },
  vxlan: {
    isOn: hasInterface("vxlan"),
    make: (world, { vxlan }) => new VxlanSegments(world, vxlan),
    commands: VXLAN_COMMANDS,
  },
  syslog: {
    isOn: has("syslog"),
    make: (world) => new Syslog(world),
    commands: SYSLOG_COMMANDS,
  },
  track: {
    isOn: (config) =>
      config.routes.some(({ track }) => track !== undefined) || trackedHops(config).length > 0,
    make: (world, { track }) => new RouteTracker(world, track),
  },
} as const satisfies Readonly<Record<keyof SavedServices | "dhcpRelay" | "gre" | "syslog", RouterService>>;

export const RUNNING: Readonly<Record<string, RouterService>> = SERVICES;

/** The commands of services, in the order of `help`. The packets of a router always pass its firewall, and DHCP serves from its ports. */
export const SERVICE_COMMANDS: RouterCommands = [
  SERVICES.bridge.commands,
  SERVICES.pbr.commands,
  SERVICES.vrrp.commands,
  SERVICES.rip.commands,
  SERVICES.ospf.commands,
  ROUTE_POLICY_COMMANDS,
  SERVICES.bgp.commands,
  SERVICES.bfd.commands,
  SERVICES.dns.commands,
  SERVICES.dhcpRelay.commands,
  DHCP_POOL_COMMANDS,
  SERVICES.dhcpv6.commands,
  SERVICES.syslog.commands,
  SERVICES.flows.commands,
  SERVICES.vxlan.commands,
  FIREWALL_COMMANDS,
  NAT_COMMANDS,
].flat();
