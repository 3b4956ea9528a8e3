/** The console commands of the services. */
import { byName } from "../command-console.ts";
import type { Command } from "./command.ts";
import { DHCP_POOL_HELP, dhcpPoolCommand, noDhcpPoolCommand } from "./dhcp-pools/commands.ts";
import {
  DHCP_RELAY_HELP,
  dhcpRelayCommand,
  noDhcpRelayCommand,
  showDhcpRelay,
} from "./dhcp-relay/commands.ts";
import { DHCPV6_HELP, dhcpv6Command, noDhcpv6Command, showDhcpv6 } from "./dhcpv6/commands.ts";
import { clearDns, DNS_HELP, dnsCommand, noDnsCommand, showDns } from "./dns/commands.ts";
import { clearFlows, FLOWS_HELP, flowsCommand, noFlowsCommand, showFlows } from "./flows/commands.ts";
import type { Parts } from "./parts.ts";
import { noRouterCommand, RIP_HELP, routerCommand } from "./rip/commands.ts";
import { showRip, showRipStatus } from "./rip/show.ts";
import {
  clearMacs,
  noSwitchportCommand,
  SWITCHING_HELP,
  showMacs,
  showVlan,
  switchportCommand,
} from "./switching/commands.ts";
import { noSyslogCommand, SYSLOG_HELP, showSyslog, syslogCommand } from "./syslog/commands.ts";
import { noVrrpCommand, showVrrp, VRRP_HELP, vrrpCommand } from "./vrrp/commands.ts";
import { clearVxlanMacs, showVxlan, showVxlanMacs, VXLAN_HELP } from "./vxlan/commands.ts";

type Show = (parts: Parts) => readonly string[];

export const SERVICE_COMMANDS = byName<Command>({
  switchport: switchportCommand,
  router: routerCommand,
  dns: dnsCommand,
  vrrp: vrrpCommand,
  "dhcp-relay": dhcpRelayCommand,
  "dhcp-pool": dhcpPoolCommand,
  dhcpv6: dhcpv6Command,
  syslog: syslogCommand,
  flows: flowsCommand,
});

/** By the word after `no`. */
export const SERVICE_NO_COMMANDS = byName<Command>({
  switchport: (parts, [, ...args]) => noSwitchportCommand(parts, args),
  router: (parts, [, ...args]) => noRouterCommand(parts, args),
  dns: (parts, [, ...args]) => noDnsCommand(parts, args),
  vrrp: (parts, [, ...args]) => noVrrpCommand(parts, args),
  "dhcp-relay": (parts, [, ...args]) => noDhcpRelayCommand(parts, args),
  "dhcp-pool": (parts, [, ...args]) => noDhcpPoolCommand(parts, args),
  dhcpv6: (parts, [, ...args]) => noDhcpv6Command(parts, args),
  syslog: (parts, [, ...args]) => noSyslogCommand(parts, args),
  flows: (parts, [, ...args]) => noFlowsCommand(parts, args),
});

/** By the words after `show`. */
export const SERVICE_SHOW = byName<Show>({
  vlan: showVlan,
  "mac address-table": showMacs,
  "ip rip": showRip,
  "ip rip status": showRipStatus,
  dns: showDns,
  vrrp: showVrrp,
  "dhcp-relay": showDhcpRelay,
  dhcpv6: showDhcpv6,
  syslog: showSyslog,
  flows: showFlows,
  vxlan: showVxlan,
  "vxlan mac": showVxlanMacs,
});

/** By the word after `clear`. */
export const SERVICE_CLEAR = byName<Show>({
  dns: clearDns,
  flows: clearFlows,
  "mac address-table": clearMacs,
  "vxlan mac": clearVxlanMacs,
});

export const SERVICE_HELP: readonly (readonly [usage: string, meaning: string])[] = [
  ...SWITCHING_HELP,
  ...VRRP_HELP,
  ...RIP_HELP,
  ["show ip rip", "routes of RIP, its own and learned ones"],
  ["show ip rip status", "its settings, and the routers that it hears"],
  ...DNS_HELP,
  ...DHCP_RELAY_HELP,
  ...DHCP_POOL_HELP,
  ...DHCPV6_HELP,
  ...SYSLOG_HELP,
  ...FLOWS_HELP,
  ...VXLAN_HELP,
];
