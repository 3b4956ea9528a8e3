/** Commands of BGP at the first prompt, in the words of FRR. */
import { parseIpv4 } from "../../../../wire/ipv4-address.ts";
import type { RouterCommands } from "../base/command.ts";
import type { Parts } from "../base/parts.ts";
import type { Bgp } from "./bgp.ts";
import { showSummary, showTable } from "./show.ts";
import { showNeighbours } from "./show-neighbours.ts";

function clear({ services }: Parts, [which = "", soft, direction]: readonly string[]): readonly string[] {
  const bgp = services.find<Bgp>("bgp");
  if (bgp === undefined) return ["% BGP instance not found"];
  const { neighbours } = bgp.state;
  const address = parseIpv4(which);
  const chosen = [...neighbours.values()].filter(
    ({ config }) => which === "*" || config.address === address || String(config.remoteAs) === which,
  );
  if (chosen.length === 0) return [`%BGP: Unknown neighbor - "${which}"`];
  if (soft === undefined) bgp.clear(chosen);
  else bgp.clearSoft(chosen, direction === "in" || direction === "out" ? direction : "both");
  return [];
}

/** FRR's newer spellings. */
const spelledAnew = (commands: RouterCommands): RouterCommands =>
  commands.flatMap((command) =>
    ["show bgp ipv4 unicast", "show bgp"].map((head) => ({
      ...command,
      head: command.head.replace("show ip bgp", head),
      unlisted: true as const,
    })),
  );

const SHOW: RouterCommands = [
  { head: "show ip bgp summary", meaning: "neighbours of BGP, and their sessions", run: showSummary },
  {
    head: "show ip bgp neighbors",
    syntax: "[ADDR]",
    meaning: "the sessions of BGP, and why they are not up",
    run: showNeighbours,
  },
  { head: "show ip bgp", meaning: "routes of BGP, also those that are not in use", run: showTable },
];

export const BGP_COMMANDS: RouterCommands = [
  ...SHOW,
  ...spelledAnew(SHOW),
  {
    head: "clear ip bgp",
    syntax: "*|ADDR|AS [soft [in|out]]",
    meaning:
      "begin anew the sessions of all neighbours, of one neighbour, or of the neighbours in an AS; soft keeps the sessions and judges the routes anew",
    run: clear,
  },
];
