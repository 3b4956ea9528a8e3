/** The commands that configure a router, in the order of `help`: ports, interfaces and routes, then services. */
import type { ConfigureCommands } from "../services/base/configuring.ts";
import { DHCP_POOL_COMMANDS } from "../services/dhcp/commands.ts";
import { DHCP_RELAY_CONFIGURE } from "../services/dhcp-relay/configure.ts";
import { DHCPV6_CONFIGURE } from "../services/dhcpv6/configure.ts";
import { DNS_CONFIGURE } from "../services/dns/configure.ts";
import { FIREWALL_CONFIGURE } from "../services/firewall/configure.ts";
import { FLOWS_CONFIGURE } from "../services/flows/configure.ts";
import { NAT_CONFIGURE } from "../services/nat/configure.ts";
import { OSPF_CONFIGURE } from "../services/ospf/configure.ts";
import { POLICY_CONFIGURE } from "../services/policy/configure.ts";
import { RIP_CONFIGURE } from "../services/rip/configure.ts";
import { ROUTE_POLICY_CONFIGURE } from "../services/route-policy/configure.ts";
import { SWITCHING_CONFIGURE } from "../services/switching/configure.ts";
import { SYSLOG_CONFIGURE } from "../services/syslog/configure.ts";
import { VRRP_CONFIGURE } from "../services/vrrp/configure.ts";
import { PORT_COMMANDS } from "./configuration-commands.ts";

export const CONFIGURE_COMMANDS: ConfigureCommands = [
  PORT_COMMANDS,
  SWITCHING_CONFIGURE,
  POLICY_CONFIGURE,
  VRRP_CONFIGURE,
  RIP_CONFIGURE,
  OSPF_CONFIGURE,
  ROUTE_POLICY_CONFIGURE,
  DNS_CONFIGURE,
  DHCP_RELAY_CONFIGURE,
  DHCP_POOL_COMMANDS,
  DHCPV6_CONFIGURE,
  SYSLOG_CONFIGURE,
  FLOWS_CONFIGURE,
  FIREWALL_CONFIGURE,
  NAT_CONFIGURE,
].flat();
