/** Commands of OSPF: in its settings and at ports, the words of FRR. */
import type { RouterCommands } from "../base/command.ts";
import type { Parts } from "../base/parts.ts";
import { OSPF_CONFIGURE } from "./configure.ts";
import type { Ospf } from "./ospf.ts";
import { showDatabase, showInterfaces, showNeighbours, showRoutes } from "./show.ts";

export const OSPF_COMMANDS: RouterCommands = [
  ...OSPF_CONFIGURE,
  { head: "show ip ospf neighbor", meaning: "neighbours of OSPF, and their states", run: showNeighbours },
  {
    head: "show ip ospf interface",
    meaning: "interfaces of OSPF, and what they refuse",
    run: showInterfaces,
  },
  { head: "show ip ospf database", meaning: "link state advertisements", run: showDatabase },
  { head: "show ip ospf route", meaning: "routes of OSPF, also those that are not in use", run: showRoutes },
  {
    head: "clear ip ospf neighbor",
    meaning: "let all neighbours of OSPF begin anew",
    run({ services }: Parts) {
      services.find<Ospf>("ospf")?.clear();
      return [];
    },
  },
];
