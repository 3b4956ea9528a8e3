/**
 * The modes of the console: `configure terminal`, and in it the commands of FRR.
 *
 *     R1>  --configure-->  R1(config)#  --interface PORT-->  R1(config-if)#
 *                                       --router rip------>  R1(config-router)#
 *                                       --router ospf----->  R1(config-router)#
 *
 * `exit` goes back by one, `end` to the first prompt. The modes inside of configuration mode also take its commands, as in vtysh. The mode
 * is one of the router, as that of a serial console: part of its state, and the same for all who type on it.
 */

import { findPort, noSuchPort } from "../../../net/plane/find-port.ts";
import type { Mode } from "../../console/command-console.ts";
import { wordsOf } from "../../console/match.ts";
import type { Command, RouterCommands } from "../services/base/command.ts";
import type { RouterConfig } from "../services/base/config.ts";
import type { Parts } from "../services/base/parts.ts";
import { OSPF_COMMANDS } from "../services/ospf/commands.ts";
import { RIP_COMMANDS } from "../services/rip/commands.ts";
import { FRR_ROUTE_COMMANDS } from "../services/routes/frr-commands.ts";
import { ROUTER_COMMANDS } from "./commands.ts";
import { type ConsoleMode, presentMode, promptEndOf } from "./console-mode.ts";
import { INTERFACE_COMMANDS } from "./interface-mode.ts";

/** The first words of commands that are only at the first prompt, and after `do`. */
const NOT_CONFIGURING: ReadonlySet<string> = new Set([
  "show",
  "clear",
  "ping",
  "traceroute",
  "copy",
  "configure",
]);

const entering =
  (mode: ConsoleMode | undefined): Command =>
  ({ session }) => {
    session.mode = mode;
    return [];
  };

const leaving = (outer: ConsoleMode | undefined): RouterCommands => [
  { head: "exit", meaning: "leave this mode", run: entering(outer) },
  { head: "quit", meaning: "leave this mode", run: entering(outer) },
  { head: "end", meaning: "go back to the first prompt", run: entering(undefined) },
];

function enterInterface({ core, session }: Parts, [name = ""]: readonly string[]): readonly string[] {
  const port = findPort(core.tables.ports, name);
  if (port === undefined) return [noSuchPort(name)];
  session.mode = { kind: "interface", name: port.name };
  return [];
}

function enterRip(parts: Parts): readonly string[] {
  const problems = parts.change(({ rip = {}, ...others }) => ({ ...others, rip }));
  if (problems.length === 0) parts.session.mode = { kind: "rip" };
  return problems;
}

function enterOspf(parts: Parts): readonly string[] {
  const problems = parts.change(({ ospf = {}, ...others }) => ({ ...others, ospf }));
  if (problems.length === 0) parts.session.mode = { kind: "ospf" };
  return problems;
}

const CONFIG_COMMANDS: RouterCommands = [
  { head: "interface", syntax: "PORT", meaning: "configure an interface", run: enterInterface },
  { head: "router rip", meaning: "configure RIP", run: enterRip },
  { head: "router ospf", meaning: "configure OSPF", run: enterOspf },
  ...FRR_ROUTE_COMMANDS,
  ...leaving(undefined),
  ...ROUTER_COMMANDS.filter(({ head }) => !NOT_CONFIGURING.has(wordsOf(head)[0]!)),
];

const INSIDE_INTERFACE: RouterCommands = [...INTERFACE_COMMANDS, ...leaving({ kind: "config" })];

/** The lines of a protocol without its name. A line that does not fit their syntax is a line of configuration mode. */
const linesInside = (protocol: string, commands: RouterCommands): RouterCommands =>
  commands.flatMap(({ checksWords: _, unlisted: _u, ...command }) => {
    const head = command.head.replace(`${protocol} `, "");
    return head === command.head ? [] : [{ ...command, head }];
  });

const INSIDE_RIP: RouterCommands = [
  ...linesInside("router rip", RIP_COMMANDS),
  { head: "version", syntax: "2", meaning: "the version of RIP: 2", run: () => [] },
  ...leaving({ kind: "config" }),
];

const INSIDE_OSPF: RouterCommands = [
  ...linesInside("router ospf", OSPF_COMMANDS),
  ...leaving({ kind: "config" }),
];

const LAYERS: Readonly<Record<ConsoleMode["kind"], Mode<Parts>["layers"]>> = {
  config: [CONFIG_COMMANDS],
  interface: [INSIDE_INTERFACE, CONFIG_COMMANDS],
  rip: [INSIDE_RIP, CONFIG_COMMANDS],
  ospf: [INSIDE_OSPF, CONFIG_COMMANDS],
};

/** The commands and the prompt of a mode. */
export function modeOf(running: RouterConfig, mode: ConsoleMode | undefined): Mode<Parts> {
  const present = presentMode(running, mode);
  const promptEnd = promptEndOf(present);
  if (present === undefined) return { promptEnd, layers: [ROUTER_COMMANDS] };
  return { promptEnd, layers: LAYERS[present.kind], afterDo: ROUTER_COMMANDS };
}
