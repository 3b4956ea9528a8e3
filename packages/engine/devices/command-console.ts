/** A console of commands: reads a line, prints the command's output and the prompt. Routers and servers have one. */
import type { DeviceConsole } from "./device.ts";

/** A command that takes time. */
interface Running {
  start(): void;
  /** Ends the command early and prints its summary. */
  stop(): void;
}

/** @returns the command, which calls `done` at its end, or an error in its arguments as text. */
export type Begin<T> = (target: T, args: readonly string[], done: () => void) => Running | string;

/** Commands by name, in lower case. */
export interface CommandSet<T> {
  /** Each returns the lines that it prints. */
  readonly immediate: Readonly<Record<string, (target: T, args: readonly string[]) => readonly string[]>>;
  readonly timed: Readonly<Record<string, Begin<T>>>;
}

/** A table by typed names: without a prototype, `constructor` is no command. */
export const byName = <T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.assign(Object.create(null), entries);

export class CommandConsole<T> implements DeviceConsole {
  readonly prompt: string;
  readonly #target: T;
  readonly #commands: CommandSet<T>;
  readonly #print: (text: string) => void;
  #running: Running | undefined;

  /** @param target what the commands work on. */
  constructor(name: string, target: T, commands: CommandSet<T>, print: (text: string) => void) {
    this.prompt = `${name}> `;
    this.#target = target;
    this.#commands = commands;
    this.#print = print;
  }

  enter(line: string, done: () => void, isEchoed = true): void {
    if (isEchoed) this.#print(`${line}\n`);
    const [typed = "", ...args] = line.trim().split(/\s+/);
    const name = typed.toLowerCase();
    const begin = this.#commands.timed[name];
    if (begin !== undefined) this.#begin(begin, args, done);
    else {
      const lines = name === "" ? [] : this.#run(name, args);
      this.#print(lines.map((each) => `${each}\n`).join(""));
      this.#finish(done);
    }
  }

  interrupt(): void {
    if (this.#running === undefined) return;
    this.#print("^C\n");
    this.#running.stop();
  }

  #run(name: string, args: readonly string[]): readonly string[] {
    const command = this.#commands.immediate[name === "?" ? "help" : name];
    return command
      ? command(this.#target, args)
      : [`There is no command ${name}. Type help for the commands.`];
  }

  #begin(begin: Begin<T>, args: readonly string[], done: () => void): void {
    const running = begin(this.#target, args, () => {
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
}
