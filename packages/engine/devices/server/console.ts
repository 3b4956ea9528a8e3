/** The server's console: reads a line, prints the command's output and the prompt. */
import type { DeviceConsole } from "../device.ts";
import { Ping } from "../router/ping.ts";
import { readPing, readTrace } from "../router/probe-arguments.ts";
import { Traceroute } from "../router/traceroute.ts";
import { COMMANDS } from "./commands.ts";
import { Get, readGet } from "./get-command.ts";
import type { ServerHost } from "./host.ts";
import { readSend, Send } from "./send-command.ts";

/** A command that takes time. */
interface Running {
  start(): void;
  /** Ends the command early and prints its summary. */
  stop(): void;
}

/** @returns the command, which calls `done` at its end, or an error in its arguments as text. */
type Begin = (host: ServerHost, args: readonly string[], done: () => void) => Running | string;

const TIMED: Readonly<Record<string, Begin>> = Object.assign(Object.create(null), {
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
} satisfies Record<string, Begin>);

export class ServerConsole implements DeviceConsole {
  readonly prompt: string;
  readonly #host: ServerHost;
  #running: Running | undefined;

  constructor(name: string, host: ServerHost) {
    this.prompt = `${name}> `;
    this.#host = host;
  }

  enter(line: string, done: () => void, isEchoed = true): void {
    if (isEchoed) this.#print(`${line}\n`);
    const [typed = "", ...args] = line.trim().split(/\s+/);
    const name = typed.toLowerCase();
    const begin = TIMED[name];
    if (begin !== undefined) this.#begin(begin, args, done);
    else {
      const lines = name === "" ? [] : run(this.#host, name, args);
      this.#print(lines.map((each) => `${each}\n`).join(""));
      this.#finish(done);
    }
  }

  interrupt(): void {
    if (this.#running === undefined) return;
    this.#print("^C\n");
    this.#running.stop();
  }

  #begin(begin: Begin, args: readonly string[], done: () => void): void {
    const running = begin(this.#host, args, () => {
      this.#running = undefined;
      this.#finish(done);
    });
    if (typeof running === "string") {
      this.#print(`${running}\n`);
      this.#finish(done);
      return;
    }
    this.#running = running;
    running.start();
  }

  #finish(done: () => void): void {
    this.#print(`\n${this.prompt}`);
    done();
  }

  #print(text: string): void {
    this.#host.world.print(text);
  }
}

function run(host: ServerHost, name: string, args: readonly string[]): readonly string[] {
  const command = COMMANDS[name === "?" ? "help" : name];
  return command ? command(host, args) : [`There is no command ${name}. Type help for the commands.`];
}
