/** The console of a server. */

import type { Host } from "../../net/host/host.ts";
import { CommandConsole } from "../console/command-console.ts";
import { SERVER_COMMANDS } from "./commands.ts";
import { serverWords } from "./words.ts";

export const makeServerConsole = (name: string, host: Host): CommandConsole<Host> =>
  new CommandConsole(name, {
    target: host,
    mode: () => ({ promptEnd: ">", layers: [SERVER_COMMANDS] }),
    vocabulary: () => serverWords,
    print: (text) => host.world.print(text),
  });
