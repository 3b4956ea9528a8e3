/**
 * The modes of the console: `configure terminal`, and in it the commands of FRR.
 *
 *     R1>  --configure-->  R1(config)#  --interface PORT-->  R1(config-if)#
 *                                       --router rip------>  R1(config-router)#
 *                                       --router ospf----->  R1(config-router)#
 *                                       --route-map ...--->  R1(config-route-map)#
 *                                       --router bgp AS--->  R1(config-router)#  --address-family ipv4 unicast-->  R1(config-router-af)#
 *                                       --bfd------------->  R1(config-bfd)#  --peer ADDR-->  R1(config-bfd-peer)#
 *
 * `exit` goes back by one, `end` to the first prompt. The modes inside of configuration mode also take its commands, as in vtysh. The mode
 * is one of the router, as that of a serial console: part of its state, and the same for all who type on it.
 */

import type { Mode } from "../../console/command-console.ts";
import { wordsOf } from "../../console/match.ts";
import type { RouterCommands } from "../services/base/command.ts";
import type { RouterConfig } from "../services/base/config.ts";
import type { Parts } from "../services/base/parts.ts";
import { ROUTER_COMMANDS } from "./commands.ts";
import { CONFIGURE_COMMANDS } from "./configure-commands.ts";
import { CONFIGURE_LAYERS } from "./configure-modes.ts";
import { type ConsoleMode, presentMode, promptEndOf } from "./console-mode.ts";

/** The first words of commands that are only at the first prompt, and after `do`. */
const NOT_CONFIGURING: ReadonlySet<string> = new Set([
  "show",
  "clear",
  "ping",
  "traceroute",
  "copy",
  "configure",
]);

/** Those that save, and `help`. */
const OF_CONSOLES: RouterCommands = ROUTER_COMMANDS.filter(
  (command) =>
    !NOT_CONFIGURING.has(wordsOf(command.head)[0]!) && !CONFIGURE_COMMANDS.some((each) => each === command),
);

/** Configuration mode is the outermost layer of each mode. */
const LAYERS = new Map(
  Object.entries<Mode<Parts>["layers"]>(CONFIGURE_LAYERS).map(([kind, layers]) => [
    kind,
    layers.with(-1, [...layers.at(-1)!, ...OF_CONSOLES]),
  ]),
);

/** The commands and the prompt of a mode. */
export function modeOf(running: RouterConfig, mode: ConsoleMode | undefined): Mode<Parts> {
  const present = presentMode(running, mode);
  const promptEnd = promptEndOf(present);
  if (present === undefined) return { promptEnd, layers: [ROUTER_COMMANDS] };
  return { promptEnd, layers: LAYERS.get(present.kind)!, afterDo: ROUTER_COMMANDS };
}
