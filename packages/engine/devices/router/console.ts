/** The router's console: reads a line, prints the command's output and the prompt. Commands are in `commands.ts`. */
import type { DeviceConsole } from "../device.ts";
import type { Command } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import type { Parts } from "./parts.ts";
import { Ping } from "./ping.ts";
import { readPing, readTrace } from "./probe-arguments.ts";
import { Traceroute } from "./traceroute.ts";

/** A command that takes time. */
interface Running {
  start(): void;
  /** Ends the command early and prints its summary. */
  stop(): void;
}

/** @returns the command, which calls `done` at its end, or an error in its arguments as text. */
type Begin = (parts: Parts, args: readonly string[], done: () => void) => Running | string;

const TIMED: Readonly<Record<string, Begin>> = Object.assign(Object.create(null), {
  ping(parts, args, done) {
    const request = readPing(args, parts.core.tables);
    return typeof request === "string" ? request : new Ping(parts, request, done);
  },
  traceroute(parts, args, done) {
    const request = readTrace(args, parts.core.tables);
    return typeof request === "string" ? request : new Traceroute(parts, request, done);
  },
} satisfies Record<string, Begin>);

export class RouterConsole implements DeviceConsole {
  readonly prompt: string;
  readonly #parts: Parts;
  #running: Running | undefined;

  constructor(name: string, parts: Parts) {
    this.prompt = `${name}> `;
    this.#parts = parts;
  }

  enter(line: string, done: () => void, isEchoed = true): void {
    if (isEchoed) this.#print(`${line}\n`);
    const [typed = "", ...args] = line.trim().split(/\s+/);
    const name = typed.toLowerCase();
    const begin = TIMED[name];
    if (begin !== undefined) this.#begin(begin, args, done);
    else {
      const lines = name === "" ? [] : run(this.#parts, name, args);
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
    const running = begin(this.#parts, args, () => {
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
    this.#parts.core.world.print(text);
  }
}

/** @returns the command's output. */
function run(parts: Parts, name: string, args: readonly string[]): readonly string[] {
  const command: Command | undefined = COMMANDS[name === "?" ? "help" : name];
  return command ? command(parts, args) : [`There is no command ${name}. Type help for the commands.`];
}
