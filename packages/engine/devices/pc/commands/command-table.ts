/** All commands by name. */
import { showNeighbours } from "../ipv6/commands.ts";
import { clear } from "./clear.ts";
import { echo } from "./echo.ts";
import { load, save } from "./files.ts";
import { helpList } from "./help.ts";
import { historyText } from "./history.ts";
import { disconnect, quit, refuseLogin, refuseRelay } from "./host-commands.ts";
import type { Command, Invocation } from "./invocation.ts";
import { dhcp, ip } from "./ip.ts";
import { ping } from "./ping.ts";
import { set } from "./set.ts";
import { arp, show } from "./show.ts";
import { sleep } from "./sleep.ts";
import { trace } from "./trace.ts";
import { versionText } from "./version.ts";

/** Sorted by name: the console lists the candidates for a prefix in this order. */
const COMMANDS: readonly Command[] = [
  { name: "?", text: helpList },
  { name: "arp", text: arp },
  { name: "clear", text: clear },
  { name: "dhcp", script: dhcp },
  { name: "disconnect", text: disconnect },
  { name: "echo", text: echo },
  { name: "help", text: helpList },
  { name: "history", text: ({ host }) => historyText(host.state) },
  { name: "ip", script: ip },
  { name: "load", script: load },
  { name: "neighbor", text: neighbour },
  { name: "ping", script: ping },
  { name: "quit", text: quit },
  { name: "relay", text: refuseRelay },
  { name: "rlogin", text: refuseLogin },
  { name: "save", text: save },
  { name: "set", text: set },
  { name: "show", text: show },
  { name: "sleep", script: sleep },
  { name: "tracer", script: trace },
  { name: "version", text: versionText },
  { name: "write", text: save },
  { name: "zzz", script: sleep },
];

function neighbour({ host }: Invocation): string {
  showNeighbours(host);
  return "";
}

/** Returns the command of that name, else all commands whose names begin with it. */
export function commandsNamed(name: string): readonly Command[] {
  const exact = COMMANDS.filter((command) => command.name === name);
  return exact.length > 0 ? exact : COMMANDS.filter((command) => command.name.startsWith(name));
}
