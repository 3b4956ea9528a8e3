/**
 * Configuration mode without what only a console has: the commands of FRR and of the router that configure, by mode. Consoles
 * (configuration-mode.ts) and texts (read-configuration.ts) have them alike.
 */

import { findPort, noSuchPort } from "../../../net/plane/find-port.ts";
import type { ConfigureCommands } from "../services/base/configuring.ts";
import { BGP_FAMILY, BGP_PROCESS, enterBgp, removeBgp } from "../services/bgp/configure.ts";
import { OSPF_CONFIGURE } from "../services/ospf/configure.ts";
import { RIP_CONFIGURE } from "../services/rip/configure.ts";
import { ROUTE_MAP_LINES } from "../services/route-policy/configure.ts";
import { withEntry } from "../services/route-policy/edit-maps.ts";
import { FRR_ROUTE_COMMANDS } from "../services/routes/frr-commands.ts";
import { BFD_HEADS, BFD_MODE, BFD_PEER, BFD_PROFILE } from "./bfd-modes.ts";
import { vrfCommand } from "./configure.ts";
import { CONFIGURE_COMMANDS } from "./configure-commands.ts";
import type { ConsoleMode } from "./console-mode.ts";
import { INTERFACE_COMMANDS } from "./interface-mode.ts";
import { addInterface } from "./interfaces/commands.ts";
import type { Modal, ModalCommands } from "./modal.ts";

/** FRR's loopback interface, which each router has. */
export const LOOPBACK = "lo";

const entering =
  (mode: ConsoleMode | undefined) =>
  ({ session }: Modal): readonly string[] => {
    session.mode = mode;
    return [];
  };

const leaving = (outer: ConsoleMode | undefined): ModalCommands => [
  { head: "exit", meaning: "leave this mode", run: entering(outer) },
  { head: "quit", meaning: "leave this mode", run: entering(outer) },
  { head: "end", meaning: "go back to the first prompt", run: entering(undefined) },
];

function enterInterface(parts: Modal, [name = "", , vrf]: readonly string[]): readonly string[] {
  const port = findPort(parts.core.tables.ports, name);
  if (port === undefined && name !== LOOPBACK) return [noSuchPort(name)];
  const problems = [
    ...(port === undefined
      ? parts.change((properties) => addInterface(properties, [LOOPBACK, "loopback"]))
      : []),
    ...(vrf === undefined ? [] : vrfCommand(parts, [name, vrf])),
  ];
  if (problems.length === 0) parts.session.mode = { kind: "interface", name: port?.name ?? LOOPBACK };
  return problems;
}

function enterRip(parts: Modal): readonly string[] {
  const problems = parts.change(({ rip = {}, ...others }) => ({ ...others, rip }));
  if (problems.length === 0) parts.session.mode = { kind: "rip" };
  return problems;
}

function enterOspf(parts: Modal): readonly string[] {
  const problems = parts.change(({ ospf = {}, ...others }) => ({ ...others, ospf }));
  if (problems.length === 0) parts.session.mode = { kind: "ospf" };
  return problems;
}

function enterRouteMap(parts: Modal, [name = "", action, number]: readonly string[]): readonly string[] {
  const seq = Number(number);
  const problems = parts.change((properties) =>
    withEntry(properties, { name, seq }, action === "deny" ? "deny" : "permit"),
  );
  if (problems.length === 0) parts.session.mode = { kind: "route-map", name, seq };
  return problems;
}

function enterBgpMode(parts: Modal, [as]: readonly string[]): readonly string[] {
  const problems = enterBgp(parts, as);
  if (problems.length === 0) parts.session.mode = { kind: "bgp" };
  return problems;
}

const CONFIG: ModalCommands = [
  {
    head: "interface",
    syntax: "PORT [vrf VRF]",
    meaning: "configure an interface; lo, the loopback interface, is made if it is not there",
    run: enterInterface,
  },
  { head: "router rip", meaning: "configure RIP", run: enterRip },
  { head: "router ospf", meaning: "configure OSPF", run: enterOspf },
  {
    head: "route-map",
    syntax: "NAME permit|deny SEQ",
    meaning: "configure an entry of a route map",
    words: { permit: "The entry permits routes", deny: "The entry denies routes" },
    run: enterRouteMap,
  },
  { head: "router bgp", syntax: "[AS]", meaning: "configure BGP", run: enterBgpMode },
  {
    head: "no router bgp",
    syntax: "[AS]",
    meaning: "end BGP",
    run: (parts, [as]) => removeBgp(parts, as),
    unlisted: true,
  },
  ...BFD_HEADS,
  ...FRR_ROUTE_COMMANDS,
  ...leaving(undefined),
  { head: "!", syntax: "[TEXT]...", meaning: "a comment", run: () => [], unlisted: true },
  ...CONFIGURE_COMMANDS,
];

/** The lines of a protocol without its name. A line that does not fit their syntax is a line of configuration mode. */
const linesInside = (protocol: string, commands: ConfigureCommands): ModalCommands =>
  commands.flatMap(({ checksWords: _, unlisted: _u, ...command }) => {
    const head = command.head.replace(`${protocol} `, "");
    return head === command.head ? [] : [{ ...command, head }];
  });

const INTERFACE: ModalCommands = [...INTERFACE_COMMANDS, ...leaving({ kind: "config" })];

const RIP: ModalCommands = [
  ...linesInside("router rip", RIP_CONFIGURE),
  { head: "version", syntax: "2", meaning: "the version of RIP: 2", run: () => [] },
  ...leaving({ kind: "config" }),
];

/** FRR has two spellings of this line. */
const routerId = (head: string): string => head.replace("ospf router-id", "router-id");

const OSPF_LINES = linesInside("router ospf", OSPF_CONFIGURE);
const OSPF: ModalCommands = [
  ...OSPF_LINES,
  ...OSPF_LINES.filter(({ head }) => head !== routerId(head)).map((command) => ({
    ...command,
    head: routerId(command.head),
  })),
  ...leaving({ kind: "config" }),
];

const ROUTE_MAP: ModalCommands = [...ROUTE_MAP_LINES, ...leaving({ kind: "config" })];
const BGP: ModalCommands = [
  ...BGP_PROCESS,
  {
    head: "address-family",
    syntax: "ipv4 [unicast]",
    meaning: "configure the exchange of IPv4 routes",
    run: entering({ kind: "bgp-ipv4" }),
  },
  ...leaving({ kind: "config" }),
];

const BGP_IPV4: ModalCommands = [
  ...BGP_FAMILY,
  { head: "exit-address-family", meaning: "leave this mode", run: entering({ kind: "bgp" }) },
  ...leaving({ kind: "bgp" }),
];
const BFD: ModalCommands = [...BFD_MODE, ...leaving({ kind: "config" })];

/** The commands of a mode, then the commands of configuration mode, which is around it. */
export const CONFIGURE_LAYERS: Readonly<Record<ConsoleMode["kind"], readonly ModalCommands[]>> = {
  config: [CONFIG],
  interface: [INTERFACE, CONFIG],
  rip: [RIP, CONFIG],
  ospf: [OSPF, CONFIG],
  "route-map": [ROUTE_MAP, CONFIG],
  bgp: [BGP, CONFIG],
  "bgp-ipv4": [BGP_IPV4, BGP, CONFIG],
  bfd: [BFD, CONFIG],
  "bfd profile": [[...BFD_PROFILE, ...leaving({ kind: "bfd" })], BFD, CONFIG],
  "bfd peer": [[...BFD_PEER, ...leaving({ kind: "bfd" })], BFD, CONFIG],
};
