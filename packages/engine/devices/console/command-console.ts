/** A console of commands: reads a line, prints the command's output and the prompt. Routers and servers have one. */
import { CannotSaveError, type DeviceConsole } from "../device.ts";
import { completionsFor, type Described, helpFor } from "./assist.ts";
import type { CommandSpec, Running, TimedCommand } from "./command.ts";
import { chooseInLayers, wordsOf } from "./match.ts";

/** The commands of a console in its present mode. */
export interface Mode<T> {
  /** What follows the name in the prompt: `(config)#`. */
  readonly promptEnd: string;
  /** The commands of the mode, then those of the modes around it, which also apply. */
  readonly layers: readonly (readonly CommandSpec<T>[])[];
  /** The commands after `do`; absent in the first mode. */
  readonly afterDo?: readonly CommandSpec<T>[];
}

/** The part of a device that its console works on. */
export interface Commanded<T> {
  readonly target: T;
  mode(): Mode<T>;
  vocabulary(): Described;
  print(text: string): void;
}

const HELP_KEY = "?";

/** Returns the lines that `?` prints after a line. */
export function helpInMode<T>(mode: Mode<T>, line: string, vocabulary: Described): readonly string[] {
  const { layers, rest } = read(mode, line);
  return helpFor(layers[0] ?? [], rest, vocabulary);
}

/** Returns the words that TAB completes the last word of a line to. */
export function completionsInMode<T>(mode: Mode<T>, line: string, vocabulary: Described): readonly string[] {
  const { layers, rest } = read(mode, line);
  return completionsFor(layers[0] ?? [], rest, vocabulary);
}

/** The commands that apply to a line: after `do`, those of the first mode. */
function read<T>({ layers, afterDo }: Mode<T>, line: string): { layers: Mode<T>["layers"]; rest: string } {
  const rest = afterDo && /^\s*do\s+(.*)$/is.exec(line)?.[1];
  return rest === undefined ? { layers, rest: line } : { layers: [afterDo!], rest };
}

export class CommandConsole<T> implements DeviceConsole {
  readonly #name: string;
  readonly #device: Commanded<T>;
  #running: Running | undefined;
  /** The line of the running command. */
  #line = "";
  /** Called at the end of a line that was restored. */
  #restoredDone: (() => void) | undefined;

  constructor(name: string, device: Commanded<T>) {
    this.#name = name;
    this.#device = device;
  }

  get prompt(): string {
    return `${this.#name}${this.#device.mode().promptEnd} `;
  }

  enter(line: string, done: () => void, isEchoed = true): void {
    if (isEchoed) this.#device.print(`${line}\n`);
    const asked = line.trimEnd();
    if (asked.endsWith(HELP_KEY)) {
      this.#finish(helpInMode(this.#device.mode(), asked.slice(0, -1), this.#device.vocabulary()), done);
      return;
    }
    this.#enter(line.trim(), done);
  }

  interrupt(): void {
    if (this.#running === undefined) return;
    this.#device.print("^C\n");
    this.#running.stop();
  }

  /** The running command; undefined if there is none. */
  freeze(): { readonly line: string; readonly held: unknown } | undefined {
    if (this.#running === undefined) return undefined;
    if (this.#running.freeze === undefined)
      throw new CannotSaveError(`${this.#name}: the command "${this.#line}" cannot be saved while it runs`);
    return { line: this.#line, held: this.#running.freeze() };
  }

  thaw(frozen: ReturnType<CommandConsole<T>["freeze"]>): void {
    if (frozen === undefined) return;
    const found = this.#find(frozen.line);
    if ("length" in found || !("begin" in found.command)) return;
    const running = found.command.begin(this.#device.target, found.args, () => {
      this.#running = undefined;
      this.#end(() => this.#restoredDone?.());
    });
    if (typeof running === "string") return;
    this.#line = frozen.line;
    this.#running = running;
    running.thaw?.(frozen.held);
  }

  resumeLine(done: () => void): void {
    this.#restoredDone = done;
  }

  #enter(line: string, done: () => void): void {
    this.#line = line;
    const found = line === "" ? [] : this.#find(line);
    if ("length" in found) this.#finish(found, done);
    else if ("begin" in found.command) this.#begin(found.command, found.args, done);
    else this.#finish(found.command.run(this.#device.target, found.args), done);
  }

  /** @returns the command with its arguments, or what is wrong with the line. */
  #find(line: string): { command: CommandSpec<T>; args: readonly string[] } | readonly string[] {
    const { layers, rest } = read(this.#device.mode(), line);
    const words = wordsOf(rest);
    const vocabulary = this.#device.vocabulary();
    const choice = chooseInLayers(layers, words, vocabulary);
    if (choice.kind === "command") return choice;
    if (choice.kind === "ambiguous") return [`% Ambiguous command: ${line}`];
    if (choice.kind === "incomplete") return [`% Command incomplete: ${line}`];
    return [`% Unknown command: ${line}`];
  }

  #begin({ begin }: TimedCommand<T>, args: readonly string[], done: () => void): void {
    const running = begin(this.#device.target, args, () => {
      this.#running = undefined;
      this.#end(done);
    });
    if (typeof running === "string") {
      this.#finish([running], done);
      return;
    }
    this.#running = running;
    running.start();
  }

  #finish(lines: readonly string[], done: () => void): void {
    this.#device.print(lines.map((each) => `${each}\n`).join(""));
    this.#end(done);
  }

  #end(done: () => void): void {
    this.#device.print(`\n${this.prompt}`);
    done();
  }
}
