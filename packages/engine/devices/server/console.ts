/** The console of a server. */
import { CommandConsole } from "../console/command-console.ts";
import { SERVER_COMMANDS } from "./commands.ts";
import type { ServerHost } from "./host.ts";
import { serverWords } from "./words.ts";

export const makeServerConsole = (name: string, host: ServerHost): CommandConsole<ServerHost> =>
  new CommandConsole(name, {
    target: host,
    mode: () => ({ promptEnd: ">", layers: [SERVER_COMMANDS] }),
    vocabulary: () => serverWords,
    print: (text) => host.world.print(text),
  });
