/**
 * The console of a simulated PC: takes lines, runs their commands one at a time, prints prompts.
 *
 *     enter -> the line, its command's output, a blank line, the prompt -> done
 *
 * A line entered while another command or the start-up file runs waits for its end, like text typed ahead. There is no prompt
 * while the start-up file runs.
 */
import type { DeviceConsole, StartupReport } from "../device.ts";
import { Interpreter } from "./commands/interpreter.ts";
import type { Host, Script } from "./host.ts";
import type { PcWorld } from "./pc-world.ts";
import { beginStartup, recordOutput, startupReport, tailOf } from "./startup.ts";
import type { StartupState } from "./state.ts";

const LINE_MAX_CHARACTERS = 1_000;
/** Characters that a terminal's line editor rejects: all but printable ASCII and TAB. */
const NOT_TYPEABLE = /[^\t\x20-\x7e]/g;

interface Running {
  readonly done: () => void;
  stop: () => void;
}

interface TypedLine {
  readonly line: string;
  readonly done: () => void;
  readonly isEchoed: boolean;
}

export class PcConsole implements DeviceConsole {
  readonly #host: Host;
  readonly #world: PcWorld;
  readonly #interpreter: Interpreter;
  readonly #typedAhead: TypedLine[] = [];
  #running: Running | undefined;
  #isStarting = false;
  #hasStarted = false;
  #isPumping = false;

  /** @param world the host's. */
  constructor(host: Host, world: PcWorld) {
    this.#host = host;
    this.#world = world;
    this.#interpreter = new Interpreter(host);
  }

  /** Empty while the start-up file runs; the console prints the prompt at its end. */
  get prompt(): string {
    return this.#isStarting ? "" : `${this.#host.state.name}> `;
  }

  enter(line: string, done: () => void, isEchoed = true): void {
    this.#typedAhead.push({ line: line.replaceAll(NOT_TYPEABLE, ""), done, isEchoed });
    this.#pump();
  }

  get startup(): StartupReport | undefined {
    return this.#hasStarted ? startupReport(this.#host.state) : undefined;
  }

  /** Stops the running command, unless it is the start-up file, and drops the lines typed ahead. */
  interrupt(): void {
    const running = this.#running;
    const dropped = this.#typedAhead.splice(0);
    if (running !== undefined && !this.#isStarting) {
      this.#world.print("^C");
      running.stop();
      this.#end(running);
    }
    for (const { done } of dropped) done();
  }

  /** Runs a start-up file. */
  runStartup(text: string): void {
    const startup = beginStartup(text, this.#world.nowUs);
    this.#host.state.startup = startup;
    this.#runStartup(startup, this.#interpreter.runStartup(startup));
  }

  /** Resumes the start-up file if an earlier run cut it off. */
  resumeStartup(): void {
    const { startup } = this.#host.state;
    if (startup === undefined || startup.lines.length === 0) return;
    this.#runStartup(startup, this.#interpreter.resumeStartup(startup));
  }

  #runStartup(startup: StartupState, script: Script): void {
    this.#isStarting = true;
    this.#hasStarted = true;
    this.#world.listener = (text) => recordOutput(startup, text);
    this.#start(script, () => {});
    this.#pump();
  }

  /** A loop instead of recursion, because a session may hold many lines that take no time. */
  #pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    while (this.#running === undefined) {
      const next = this.#typedAhead.shift();
      if (next === undefined) break;
      this.#start(this.#typed(next), next.done);
    }
    this.#isPumping = false;
  }

  *#typed({ line, isEchoed }: TypedLine): Script {
    const { world } = this.#host;
    const shown = line.length > LINE_MAX_CHARACTERS ? `${line.slice(0, LINE_MAX_CHARACTERS)}...` : line;
    if (isEchoed) world.print(`${shown}\n`);
    if (shown === line) yield* this.#interpreter.enter(line.trim());
    else world.print(`The line is longer than ${LINE_MAX_CHARACTERS} characters\n`);
  }

  #start(script: Script, done: () => void): void {
    const running: Running = { done, stop: () => {} };
    this.#running = running;
    const { stop } = this.#host.spawn(this.#toPrompt(script, running));
    running.stop = stop;
  }

  *#toPrompt(script: Script, running: Running): Script {
    yield* script;
    this.#end(running);
    this.#pump();
  }

  #end(running: Running): void {
    this.#running = undefined;
    if (this.#isStarting) this.#endStartup();
    this.#host.world.print(`\n${this.prompt}`);
    running.done();
  }

  /** Excludes the prompt from the recorded start-up output. */
  #endStartup(): void {
    const { startup } = this.#host.state;
    this.#isStarting = false;
    this.#world.listener = undefined;
    if (startup !== undefined) startup.output = tailOf(startup.output);
  }
}
