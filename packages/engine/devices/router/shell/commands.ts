/** The commands of a router's console, in the order of `help`. `console/command.ts` describes how to add one. */

import { Ping } from "../../../net/probe/ping.ts";
import { PING_SYNTAX, readPing, readTrace, TRACE_SYNTAX } from "../../../net/probe/probe-arguments.ts";
import { Traceroute } from "../../../net/probe/traceroute.ts";
import { helpLines } from "../../console/command.ts";
import type { Command, RouterCommands } from "../services/base/command.ts";
import type { Parts } from "../services/base/parts.ts";
import { CLEARABLE } from "../services/firewall/firewall.ts";
import { PORT_COMMANDS } from "./configuration-commands.ts";
import { SAVE_COMMANDS } from "./save.ts";
import { SERVICE_COMMANDS } from "./service-list.ts";
import { SHOW_COMMANDS } from "./show.ts";

export const ROUTER_COMMANDS: RouterCommands = [
  ...PORT_COMMANDS,
  ...SERVICE_COMMANDS,
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
    run({ session }) {
      session.mode = { kind: "config" };
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
