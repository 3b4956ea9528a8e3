/** The commands of policy routing. */
import type { RouterCommands } from "../base/command.ts";
import { POLICY_CONFIGURE } from "./configure.ts";
import { clearPbrCounters, showPbrInterfaces, showPbrMap, showPbrMaps } from "./show.ts";

export const POLICY_COMMANDS: RouterCommands = [
  ...POLICY_CONFIGURE,
  {
    head: "show pbr map",
    syntax: "[MAP]",
    usage: "show pbr map [NAME]",
    meaning: "maps, which next hops are in use, and the packets that each rule decided",
    run: (parts, [name]) => (name === undefined ? showPbrMaps(parts) : showPbrMap(parts, name)),
  },
  { head: "show pbr interface", meaning: "ports with a map", run: showPbrInterfaces },
  { head: "clear pbr counters", meaning: "count from 0 again", run: clearPbrCounters },
];
