/** The commands of a router's console. Those that take time are here, the others in `commands.ts`. */
import { type Begin, byName, CommandConsole, type CommandSet } from "../command-console.ts";
import { COMMANDS } from "./commands.ts";
import type { Parts } from "./parts.ts";
import { Ping } from "./ping.ts";
import { readPing, readTrace } from "./probe-arguments.ts";
import { Traceroute } from "./traceroute.ts";

const ALL: CommandSet<Parts> = {
  immediate: COMMANDS,
  timed: byName<Begin<Parts>>({
    ping(parts, args, done) {
      const request = readPing(args, parts.core.tables);
      return typeof request === "string" ? request : new Ping(parts, request, done);
    },
    traceroute(parts, args, done) {
      const request = readTrace(args, parts.core.tables);
      return typeof request === "string" ? request : new Traceroute(parts, request, done);
    },
  }),
};

export const makeRouterConsole = (name: string, parts: Parts): CommandConsole<Parts> =>
  new CommandConsole(name, parts, ALL, (text) => parts.core.world.print(text));
