/** The commands of the console by name, except `ping` and `traceroute`, which take time. Each returns the lines it prints. */
import type { Command } from "./command.ts";
import {
  accessGroupCommand,
  accessListCommand,
  connectionsCommand,
  dhcpCommand,
  interfaceCommand,
  ipCommand,
  ipv6Command,
  mtuCommand,
  natCommand,
  noCommand,
  raCommand,
  routeCommand,
  shutdownCommand,
  vrfCommand,
} from "./configure.ts";
import { ACL_USAGE } from "./firewall/edit-acls.ts";
import { CLEARABLE } from "./firewall/firewall.ts";
import { NAT_USAGES } from "./nat/edit-nat.ts";
import type { Parts } from "./parts.ts";
import { PING_USAGE, TRACE_USAGE } from "./probe-arguments.ts";
import { copyCommand, writeCommand } from "./save.ts";
import { SERVICE_CLEAR, SERVICE_COMMANDS, SERVICE_HELP, SERVICE_NO_COMMANDS } from "./service-console.ts";
import { showCommand } from "./show.ts";
import { VXLAN_USAGE } from "./vxlan/settings.ts";

const HELP: readonly (readonly [usage: string, meaning: string])[] = [
  ["ip PORT ADDR/LEN", "give a port an IPv4 or IPv6 address"],
  ["ip PORT none [ipv4|ipv6]", "take its addresses away, or those of one family"],
  ["route add PREFIX via GW", "add a static route (0.0.0.0/0 or ::/0 is the default route)"],
  [
    "route add PREFIX via GW distance N track ADDR",
    "one of distance N (1), while ADDR answers pings by way of GW",
  ],
  ["route add PREFIX blackhole|unreachable", "drop packets, in silence or with an error"],
  ["route del PREFIX [distance N]", "remove static routes"],
  [
    "dhcp PORT FIRST LAST [lease SECONDS] [dns A [B]] [domain NAME] [reserve MAC ADDR]",
    "serve addresses on a port, some to certain stations; reserve may be repeated",
  ],
  ["dhcp PORT off", "stop serving them"],
  ["mtu PORT BYTES", "set the largest IP packet of a port"],
  ["ra PORT on|off", "answer IPv6 router solicitations, or do not"],
  ["shutdown PORT", "let a port neither send nor receive; what it is configured with stays"],
  ["no shutdown PORT", "let it send and receive again"],
  ["vrf PORT NAME|none", "give a port to a table of routes of its own; route add ... vrf NAME adds to it"],
  ["show vrf", "tables of routes and their ports; show ip route vrf NAME"],
  ["interface NAME loopback", "make an interface on no link"],
  ["interface NAME gre LOCAL REMOTE [key N] [ttl N]", "make a GRE tunnel between two addresses"],
  [VXLAN_USAGE, "make a segment of VXLAN; remote and member may be repeated"],
  ["interface PORT.N vlan ID [outer ID]", "make a subinterface: frames of a port with one tag, or two"],
  ["no interface NAME", "remove it"],
  ...SERVICE_HELP,
  [ACL_USAGE, "add a rule to an access list, in place of the one with its number"],
  ["no [ipv6] access-list NAME [SEQ]", "remove a rule, or a list"],
  ["access-group PORT NAME in|out", "let a list decide about the packets that enter or leave by a port"],
  ["no access-group PORT NAME in|out", "let all of them pass again"],
  [
    "connections KEY NUMBER",
    "set a limit or timeout of tracked connections; no connections KEY: its default",
  ],
  [
    NAT_USAGES[0],
    "give connections that leave by a port another source: the port's address, or one of a pool",
  ],
  [NAT_USAGES[1], "make an inside address one outside address, in both directions"],
  [NAT_USAGES[2], "let connections to a port of an outside address, or of the port's, lead to a host inside"],
  [NAT_USAGES[3], "let hosts inside reach each other by outside addresses"],
  ["no ip nat RULE", "remove a rule of translation, or hairpin"],
  ["show ip nat translations", "translated connections"],
  ["clear ip nat translation", "forget them"],
  ["show access-lists", "access lists, with the packets that each rule decided"],
  ["show logging", "packets that rules with log decided"],
  ["show connections", "tracked connections"],
  ["clear access-list counters", "count from 0 again"],
  ["clear logging", "forget the lines of the log"],
  ["clear connections", "forget the tracked connections"],
  ["show interfaces", "ports, whether they are shut down, and their frames"],
  ["show ip", "ports and their addresses"],
  ["show route", "routes, connected and static"],
  ["show ip route", "the same of IPv4, with distances and the routes that do not apply; show ipv6 route"],
  ["show arp", "IPv4 neighbours"],
  ["show neighbours", "IPv6 neighbours"],
  ["show dhcp", "pools and leases"],
  ["show counters", "what went in and out, and what was dropped"],
  ["show running-config", "the running configuration as commands; show run for short"],
  ["show startup-config", "what was saved, in the same way"],
  ["write", "save the running configuration; copy running-config startup-config is the same"],
  ["write erase", "forget what was saved"],
  ["clear arp", "forget the neighbours, IPv4 and IPv6"],
  [
    PING_USAGE,
    "send N echo requests (5) with BYTES of data (56); -D forbids to fragment them, -S is their source",
  ],
  [
    TRACE_USAGE,
    "find the routers on the way, with N probes (3) for each of 30 hops: datagrams, or echo requests by -P icmp",
  ],
  ["help", "this list"],
];

export const COMMANDS: Readonly<Record<string, Command>> = Object.assign(Object.create(null), {
  ip: (parts, args) =>
    args[0]?.toLowerCase() === "nat" ? natCommand(parts, args.slice(1)) : ipCommand(parts, args),
  route: routeCommand,
  dhcp: dhcpCommand,
  mtu: mtuCommand,
  ra: raCommand,
  vrf: vrfCommand,
  shutdown: shutdownCommand,
  interface: interfaceCommand,
  ...SERVICE_COMMANDS,
  "access-list": accessListCommand,
  "access-group": accessGroupCommand,
  ipv6: ipv6Command,
  connections: connectionsCommand,
  no: (parts, args) => (SERVICE_NO_COMMANDS[args[0]?.toLowerCase() ?? ""] ?? noCommand)(parts, args),
  show: showCommand,
  write: writeCommand,
  copy: copyCommand,
  clear: clearCommand,
  help: () => [...HELP.flatMap(([usage, meaning]) => [usage, `    ${meaning}`]), ...ABOUT_PORTS],
} satisfies Record<string, Command>);

const ABOUT_PORTS: readonly string[] = [
  "",
  "PORT is the name of a port or another interface, or a port's number. What is configured here lasts until the router is stopped or reloaded, unless",
  "it is saved. What was saved counts until the node gets other properties.",
  "%PORT, or -I PORT, names the port of an address that may be on any: a broadcast to 255.255.255.255, link-local, multicast.",
];

function clearCommand(parts: Parts, args: readonly string[]): readonly string[] {
  const service = SERVICE_CLEAR[args.join(" ").toLowerCase()];
  if (service !== undefined) return service(parts);
  const { arp, neighbours, firewall } = parts;
  if (firewall.clear(args.map((arg) => arg.toLowerCase()).join(" "))) return [];
  if (args.length !== 1 || args[0]?.toLowerCase() !== "arp")
    return [`Usage: clear arp | clear ${CLEARABLE.join(" | clear ")}`];
  arp.clear();
  neighbours.clear();
  return [];
}
