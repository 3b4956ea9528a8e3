/** `switchport ...`: the switched ports at the console. */
import type { ConfigureCommands } from "../base/configuring.ts";
import { portCommand, settingCommand, USAGE } from "../base/edit.ts";
import { switchport, TRUNK_SYNTAX } from "./switchport.ts";

const switchportCommand = settingCommand(
  "switchport",
  switchport,
  `switchport PORT access VLAN | switchport PORT trunk ${TRUNK_SYNTAX}`,
);

const noSwitchportCommand = portCommand("no switchport PORT", (port, words) => {
  const { switchport, ...routed } = port;
  if (words.length > 0) return USAGE;
  return switchport === undefined ? `${port.name} is not a switched port` : routed;
});

export const SWITCHING_CONFIGURE: ConfigureCommands = [
  {
    head: "switchport",
    syntax: "PORT access VLAN",
    meaning: "switch a port with the others: it carries one VLAN, untagged",
    run: switchportCommand,
    checksWords: true,
  },
  {
    head: "switchport",
    syntax: `PORT trunk ${TRUNK_SYNTAX}`,
    meaning: "switch it with tags: all VLANs or those of a list (10,20,30-39), the native one untagged (1)",
    run: switchportCommand,
    checksWords: true,
  },
  {
    head: "no switchport",
    syntax: "PORT",
    meaning: "let a port have addresses of its own again",
    run: noSwitchportCommand,
    checksWords: true,
  },
];
