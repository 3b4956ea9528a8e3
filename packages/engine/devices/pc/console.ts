/**
 * The console of a simulated PC: takes lines, runs their commands one at a time, prints prompts.
 *
 *     enter -> the line, its command's output, a blank line, the prompt -> done
 *
 * A line that is entered while another runs waits for it, as text typed ahead does; that happens while the start-up file
 * runs, during which there is no prompt yet.
 */
import type { DeviceConsole, StartupReport } from "../device.ts";
import { Interpreter } from "./commands/interpreter.ts";
import type { Host, Script } from "./host.ts";
import type { PcWorld } from "./pc-world.ts";
import { beginStartup, recordOutput, startupReport, tailOf } from "./startup.ts";
import type { StartupState } from "./state.ts";

const LINE_MAX_CHARACTERS = 1_000;
/** What a terminal's line editor would not take: everything but printable ASCII and TAB. */
const NOT_TYPEABLE = /[^\t\x20-\x7e]/g;

interface Running {
  readonly done: () => void;
  stop: () => void;
}

interface TypedLine {
  readonly line: string;
  readonly done: () => void;
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

  /** Empty while the start-up file runs: the prompt is printed at its end. */
  get prompt(): string {
    return this.#isStarting ? "" : `${this.#host.state.name}> `;
  }

  enter(line: string, done: () => void): void {
    this.#typedAhead.push({ line: line.replaceAll(NOT_TYPEABLE, ""), done });
    this.#pump();
  }

  get startup(): StartupReport | undefined {
    return this.#hasStarted ? startupReport(this.#host.state) : undefined;
  }

  /** Lines typed ahead are dropped, too. */
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

  /** Goes on with the start-up file that an earlier run has cut off, if it has. */
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

  /** A loop and no recursion, for a session may hold many lines that take no time. */
  #pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    while (this.#running === undefined) {
      const next = this.#typedAhead.shift();
      if (next === undefined) break;
      this.#start(this.#typed(next.line), next.done);
    }
    this.#isPumping = false;
  }

  *#typed(line: string): Script {
    const { world } = this.#host;
    const shown = line.length > LINE_MAX_CHARACTERS ? `${line.slice(0, LINE_MAX_CHARACTERS)}...` : line;
    world.print(`${shown}\n`);
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

  /** The prompt is not the script's. */
  #endStartup(): void {
    const { startup } = this.#host.state;
    this.#isStarting = false;
    this.#world.listener = undefined;
    if (startup !== undefined) startup.output = tailOf(startup.output);
  }
}
