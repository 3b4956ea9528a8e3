/** The router's console: a line in, what it prints, and the prompt again. Commands are in `commands.ts`. */
import type { DeviceConsole } from "../device.ts";
import { COMMANDS, type Command } from "./commands.ts";
import type { Parts } from "./parts.ts";
import { Ping } from "./ping.ts";
import { readPing } from "./ping-arguments.ts";

export class RouterConsole implements DeviceConsole {
  readonly prompt: string;
  readonly #parts: Parts;
  #ping: Ping | undefined;

  constructor(name: string, parts: Parts) {
    this.prompt = `${name}> `;
    this.#parts = parts;
  }

  enter(line: string, done: () => void): void {
    this.#print(`${line}\n`);
    const [name = "", ...args] = line.trim().split(/\s+/);
    if (name.toLowerCase() === "ping") this.#startPing(args, done);
    else {
      const lines = name === "" ? [] : run(this.#parts, name.toLowerCase(), args);
      this.#print(lines.map((each) => `${each}\n`).join(""));
      this.#finish(done);
    }
  }

  interrupt(): void {
    if (this.#ping === undefined) return;
    this.#print("^C\n");
    this.#ping.stop();
  }

  #startPing(args: readonly string[], done: () => void): void {
    const request = readPing(args);
    if (typeof request === "string") {
      this.#print(`${request}\n`);
      this.#finish(done);
      return;
    }
    this.#ping = new Ping(this.#parts.core, this.#parts, request.target, request.count, () => {
      this.#ping = undefined;
      this.#finish(done);
    });
    this.#ping.start();
  }

  #finish(done: () => void): void {
    this.#print(`\n${this.prompt}`);
    done();
  }

  #print(text: string): void {
    this.#parts.core.world.print(text);
  }
}

/** @returns what the command prints. */
function run(parts: Parts, name: string, args: readonly string[]): readonly string[] {
  const command: Command | undefined = COMMANDS[name === "?" ? "help" : name];
  return command ? command(parts, args) : [`There is no command ${name}. Type help for the commands.`];
}
