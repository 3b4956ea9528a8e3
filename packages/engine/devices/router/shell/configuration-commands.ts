/** The commands that configure ports, interfaces and routes. Those of services are in the folders of the services. */

import { pool } from "../../../net/dhcp/pool-shape.ts";
import { withWords } from "../services/base/command.ts";
import type { ConfigureCommands } from "../services/base/configuring.ts";
import { ROUTE_SYNTAX, routeCommand } from "../services/routes/commands.ts";
import {
  dhcpCommand,
  interfaceCommand,
  ipCommand,
  mtuCommand,
  noCommand,
  raCommand,
  shutdownCommand,
  vrfCommand,
} from "./configure.ts";
import { KIND_SYNTAX } from "./interfaces/commands.ts";

export const PORT_COMMANDS: ConfigureCommands = [
  {
    head: "ip",
    syntax: "PORT ADDR/LEN",
    meaning: "give a port an IPv4 or IPv6 address",
    run: ipCommand,
    checksWords: true,
  },
  {
    head: "ip",
    syntax: "PORT none [ipv4|ipv6]",
    meaning: "take its addresses away, or those of one family",
    run: ipCommand,
    checksWords: true,
  },
  {
    head: "route",
    syntax: `add PREFIX via GW ${ROUTE_SYNTAX}`,
    meaning:
      "add a static route (0.0.0.0/0 or ::/0 is the default route), one of distance N (1), while ADDR answers pings by way of GW",
    run: routeCommand,
    checksWords: true,
  },
  {
    head: "route",
    syntax: `add PREFIX [via] blackhole|unreachable ${ROUTE_SYNTAX}`,
    usage: "route add PREFIX blackhole|unreachable",
    meaning: "drop packets, in silence or with an error",
    run: routeCommand,
    checksWords: true,
  },
  {
    head: "route",
    syntax: "del PREFIX [via GW] [distance N] [vrf VRF]",
    meaning: "remove static routes",
    run: routeCommand,
    checksWords: true,
  },
  {
    head: "dhcp",
    syntax: `PORT ${pool.placeholder}`,
    meaning: "serve addresses on a port, some to certain stations",
    run: dhcpCommand,
    checksWords: true,
  },
  { head: "dhcp", syntax: "PORT off", meaning: "stop serving them", run: dhcpCommand, checksWords: true },
  {
    head: "mtu",
    syntax: "PORT BYTES",
    meaning: "set the largest IP packet of a port",
    run: mtuCommand,
    checksWords: true,
  },
  {
    head: "ra",
    syntax: "PORT on|off",
    meaning: "answer IPv6 router solicitations, or do not",
    run: raCommand,
    checksWords: true,
  },
  {
    head: "shutdown",
    syntax: "PORT",
    meaning: "let a port neither send nor receive; what it is configured with stays",
    run: shutdownCommand,
    checksWords: true,
  },
  {
    head: "no shutdown",
    syntax: "PORT",
    meaning: "let it send and receive again",
    run: withWords(noCommand, "shutdown"),
    checksWords: true,
  },
  {
    head: "vrf",
    syntax: "PORT none|VRF",
    usage: "vrf PORT NAME|none",
    meaning: "give a port to a table of routes of its own; route add ... vrf NAME adds to it",
    run: vrfCommand,
    checksWords: true,
  },
  {
    head: "interface",
    syntax: "NAME loopback",
    meaning: "make an interface on no link",
    run: interfaceCommand,
    checksWords: true,
  },
  {
    head: "interface",
    syntax: `NAME ${KIND_SYNTAX.gre}`,
    meaning: "make a GRE tunnel between two addresses",
    run: interfaceCommand,
    checksWords: true,
  },
  {
    head: "interface",
    syntax: `NAME ${KIND_SYNTAX.vxlan}`,
    meaning: "make a segment of VXLAN; remote and member may be repeated",
    run: interfaceCommand,
    checksWords: true,
  },
  {
    head: "interface",
    syntax: "NAME svi",
    usage: "interface vlanN svi",
    meaning: "make the router's interface in a VLAN of the switched ports",
    run: interfaceCommand,
    checksWords: true,
  },
  {
    head: "interface",
    syntax: `PORT.N ${KIND_SYNTAX.vlan}`,
    meaning: "make a subinterface: frames of a port with one tag, or two",
    run: interfaceCommand,
    checksWords: true,
  },
  {
    head: "no",
    syntax: "interface INTERFACE",
    usage: "no interface NAME",
    meaning: "remove it",
    run: noCommand,
    checksWords: true,
  },
];
