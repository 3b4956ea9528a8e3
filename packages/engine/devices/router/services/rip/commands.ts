/** Commands of RIP: in its settings, the words of FRR. */
import type { RouterCommands } from "../base/command.ts";
import { usageOfLines } from "../base/service-commands.ts";
import { RIP_CONFIGURE } from "./configure.ts";
import { RIP } from "./settings.ts";
import { showRip, showRipStatus } from "./show.ts";

export const RIP_COMMANDS: RouterCommands = [
  ...RIP_CONFIGURE,
  {
    head: "router",
    meaning: RIP.about,
    run: () => [usageOfLines(RIP)],
    checksWords: true,
    unlisted: true,
  },
  {
    head: "no router",
    meaning: RIP.aboutNo,
    run: () => ["Usage: no router rip [...]"],
    checksWords: true,
    unlisted: true,
  },
  { head: "show ip rip", meaning: "routes of RIP, its own and learned ones", run: showRip },
  { head: "show ip rip status", meaning: "its settings, and the routers that it hears", run: showRipStatus },
];
