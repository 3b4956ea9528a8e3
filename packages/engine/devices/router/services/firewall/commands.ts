/** The commands of access lists and tracked connections. */
import type { RouterCommands } from "../base/command.ts";
import { FIREWALL_CONFIGURE } from "./configure.ts";
import { showAccessLists, showConnections, showLogging } from "./show.ts";

export const FIREWALL_COMMANDS: RouterCommands = [
  ...FIREWALL_CONFIGURE,
  {
    head: "show access-lists",
    meaning: "access lists, with the packets that each rule decided",
    run: ({ firewall }) => showAccessLists(firewall),
  },
  {
    head: "show logging",
    meaning: "packets that rules with log decided",
    run: ({ firewall }) => showLogging(firewall),
  },
  {
    head: "show connections",
    meaning: "tracked connections",
    run: ({ core, firewall }) => showConnections(firewall, core.world.nowUs),
  },
];
