/** Commands of BFD that look. `configure.ts` has those that configure. */
import type { RouterCommands } from "../base/command.ts";
import { showPeers, showPeersBrief, showPeersJson } from "./show.ts";

export const BFD_COMMANDS: RouterCommands = [
  { head: "show bfd peers", meaning: "sessions of BFD, and their intervals", run: showPeers },
  { head: "show bfd peers brief", meaning: "sessions of BFD, a line each", run: showPeersBrief },
  { head: "show bfd peers json", meaning: "sessions of BFD as JSON", run: showPeersJson },
];
