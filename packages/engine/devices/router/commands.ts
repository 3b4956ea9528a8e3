/** The commands of a router's console, in the order of `help`. `console/command.ts` describes how to add one. */
import { helpLines } from "../console/command.ts";
import type { Command, RouterCommands } from "./command.ts";
import { PORT_COMMANDS } from "./configuration-commands.ts";
import { DHCP_POOL_COMMANDS } from "./dhcp-pools/commands.ts";
import { DHCP_RELAY_COMMANDS } from "./dhcp-relay/commands.ts";
import { DHCPV6_COMMANDS } from "./dhcpv6/commands.ts";
import { DNS_COMMANDS } from "./dns/commands.ts";
import { FIREWALL_COMMANDS } from "./firewall/commands.ts";
import { CLEARABLE } from "./firewall/firewall.ts";
import { FLOWS_COMMANDS } from "./flows/commands.ts";
import { NAT_COMMANDS } from "./nat/commands.ts";
import type { Parts } from "./parts.ts";
import { Ping } from "./ping.ts";
import { POLICY_COMMANDS } from "./policy/commands.ts";
import { PING_SYNTAX, readPing, readTrace, TRACE_SYNTAX } from "./probe-arguments.ts";
import { RIP_COMMANDS } from "./rip/commands.ts";
import { SAVE_COMMANDS } from "./save.ts";
import { SHOW_COMMANDS } from "./show.ts";
import { SWITCHING_COMMANDS } from "./switching/commands.ts";
import { SYSLOG_COMMANDS } from "./syslog/commands.ts";
import { Traceroute } from "./traceroute.ts";
import { VRRP_COMMANDS } from "./vrrp/commands.ts";
import { VXLAN_COMMANDS } from "./vxlan/commands.ts";

export const ROUTER_COMMANDS: RouterCommands = [
  ...PORT_COMMANDS,
  ...SWITCHING_COMMANDS,
  ...POLICY_COMMANDS,
  ...VRRP_COMMANDS,
  ...RIP_COMMANDS,
  ...DNS_COMMANDS,
  ...DHCP_RELAY_COMMANDS,
  ...DHCP_POOL_COMMANDS,
  ...DHCPV6_COMMANDS,
  ...SYSLOG_COMMANDS,
  ...FLOWS_COMMANDS,
  ...VXLAN_COMMANDS,
  ...FIREWALL_COMMANDS,
  ...NAT_COMMANDS,
  {
    head: "clear access-list counters",
    meaning: "count from 0 again",
    run: clearing("access-list counters"),
  },
  { head: "clear logging", meaning: "forget the lines of the log", run: clearing("logging") },
  { head: "clear connections", meaning: "forget the tracked connections", run: clearing("connections") },
  {
    head: "clear ip nat translations",
    syntax: "[*]",
    usage: "clear ip nat translation",
    meaning: "forget the translated connections",
    run: clearing("ip nat translation"),
  },
  ...SHOW_COMMANDS,
  ...SAVE_COMMANDS,
  {
    head: "clear",
    syntax: "arp",
    meaning: "forget the neighbours, IPv4 and IPv6",
    run: clearCommand,
    checksWords: true,
  },
  {
    head: "ping",
    syntax: PING_SYNTAX,
    meaning:
      "send N echo requests (5) with BYTES of data (56); -D forbids to fragment them, -S is their source",
    begin(parts, args, done) {
      const request = readPing(args, parts.core.tables);
      return typeof request === "string" ? request : new Ping(parts, request, done);
    },
    checksWords: true,
  },
  {
    head: "traceroute",
    syntax: TRACE_SYNTAX,
    meaning:
      "find the routers on the way, with N probes (3) for each of 30 hops: datagrams, or echo requests by -P icmp",
    begin(parts, args, done) {
      const request = readTrace(args, parts.core.tables);
      return typeof request === "string" ? request : new Traceroute(parts, request, done);
    },
    checksWords: true,
  },
  {
    head: "configure",
    syntax: "[terminal]",
    meaning:
      "enter configuration mode, whose commands are those of FRR: interface PORT, ip route, router rip",
    run({ core }) {
      core.consoleMode = { kind: "config" };
      return [];
    },
  },
  {
    head: "help",
    meaning: "this list; ? lists what may follow at any place of a line",
    run: () => [...helpLines(ROUTER_COMMANDS), ...ABOUT_PORTS],
  },
];

const ABOUT_PORTS: readonly string[] = [
  "",
  "PORT is the name of a port or another interface, or a port's number. What is configured here lasts until the router is stopped or reloaded, unless",
  "it is saved. What was saved counts until the node gets other properties.",
  "%PORT, or -I PORT, names the port of an address that may be on any: a broadcast to 255.255.255.255, link-local, multicast.",
];

function clearing(what: (typeof CLEARABLE)[number]): Command {
  return ({ firewall }) => {
    firewall.clear(what);
    return [];
  };
}

function clearCommand({ arp, neighbours }: Parts, [what, ...rest]: readonly string[]): readonly string[] {
  if (what?.toLowerCase() !== "arp" || rest.length > 0)
    return [`Usage: clear arp | clear ${CLEARABLE.join(" | clear ")}`];
  arp.clear();
  neighbours.clear();
  return [];
}
