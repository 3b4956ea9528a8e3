/** The commands of a server's console. Those that take time are here, the others in `commands.ts`. */
import { type Begin, byName, CommandConsole, type CommandSet } from "../command-console.ts";
import { Ping } from "../router/ping.ts";
import { readPing, readTrace } from "../router/probe-arguments.ts";
import { Traceroute } from "../router/traceroute.ts";
import { COMMANDS } from "./commands.ts";
import { Get, readGet } from "./get-command.ts";
import type { ServerHost } from "./host.ts";
import { readSend, Send } from "./send-command.ts";

const ALL: CommandSet<ServerHost> = {
  immediate: COMMANDS,
  timed: byName<Begin<ServerHost>>({
    ping(host, args, done) {
      const request = readPing(args, host.parts.core.tables);
      return typeof request === "string" ? request : new Ping(host.parts, request, done);
    },
    traceroute(host, args, done) {
      const request = readTrace(args, host.parts.core.tables);
      return typeof request === "string" ? request : new Traceroute(host.parts, request, done);
    },
    send(host, args, done) {
      const order = readSend(args);
      return typeof order === "string" ? order : new Send(host, order, done);
    },
    http(host, args, done) {
      const request = readGet(args);
      return typeof request === "string" ? request : new Get(host, request, done);
    },
  }),
};

export const makeServerConsole = (name: string, host: ServerHost): CommandConsole<ServerHost> =>
  new CommandConsole(name, host, ALL, (text) => host.world.print(text));
