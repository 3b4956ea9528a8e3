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
import { type Notes, once } from "./notes.ts";
import type { PcWorld } from "./pc-world.ts";
import type { Scripts } from "./scripts.ts";
import { beginStartup, recordOutput, startupReport, tailOf } from "./startup.ts";
import type { StartupState } from "./state.ts";

const LINE_MAX_CHARACTERS = 1_000;
/** Characters that a terminal's line editor rejects: all but printable ASCII and TAB. */
const NOT_TYPEABLE = /[^\t\x20-\x7e]/g;

interface Running {
  readonly done: () => void;
  stop: () => void;
}

interface Line {
  readonly line: string;
  readonly isEchoed: boolean;
}

interface TypedLine extends Line {
  readonly done: () => void;
}

/** What the console runs: a typed line, or the start-up file from its beginning or from where a run cut it off. */
interface Task {
  readonly typed?: Line;
  readonly startup?: "begins" | "resumes";
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
  /** Called at the end of a line that was restored. */
  #restoredDone: (() => void) | undefined;

  /** @param world the host's. */
  constructor(host: Host, world: PcWorld, scripts: Scripts) {
    this.#host = host;
    this.#world = world;
    this.#interpreter = new Interpreter(host);
    scripts.define("console", (notes, stop) => this.#restore(notes, stop));
  }

  /** The lines typed ahead, and what the interpreter counts; the script of the running line is among the scripts. */
  freeze() {
    return {
      typedAhead: this.#typedAhead.map(({ line, isEchoed }) => ({ line, isEchoed })),
      isStarting: this.#isStarting,
      hasStarted: this.#hasStarted,
      interpreter: this.#interpreter.freeze(),
    };
  }

  /** Call before the scripts are restored. */
  thaw({ typedAhead, isStarting, hasStarted, interpreter }: ReturnType<PcConsole["freeze"]>): void {
    const done = (): void => this.#restoredDone?.();
    this.#typedAhead.push(...typedAhead.map((line) => ({ ...line, done })));
    this.#isStarting = isStarting;
    this.#hasStarted = hasStarted;
    this.#interpreter.thaw(interpreter);
    const { startup } = this.#host.state;
    if (isStarting && startup) this.#world.listener = (text) => recordOutput(startup, text);
  }

  resumeLine(done: () => void): void {
    this.#restoredDone = done;
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
    this.#runStartup(startup, "begins");
  }

  /** Resumes the start-up file if an earlier run cut it off. */
  resumeStartup(): void {
    const { startup } = this.#host.state;
    if (startup === undefined || startup.lines.length === 0) return;
    this.#runStartup(startup, "resumes");
  }

  #runStartup(startup: StartupState, how: "begins" | "resumes"): void {
    this.#isStarting = true;
    this.#hasStarted = true;
    this.#world.listener = (text) => recordOutput(startup, text);
    this.#start({ startup: how }, () => {});
    this.#pump();
  }

  /** A loop instead of recursion, because a session may hold many lines that take no time. */
  #pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    while (this.#running === undefined) {
      const next = this.#typedAhead.shift();
      if (next === undefined) break;
      const { line, isEchoed, done } = next;
      this.#start({ typed: { line, isEchoed } }, done);
    }
    this.#isPumping = false;
  }

  *#typed({ line, isEchoed }: Line, notes: Notes): Script {
    const { world } = this.#host;
    const shown = line.length > LINE_MAX_CHARACTERS ? `${line.slice(0, LINE_MAX_CHARACTERS)}...` : line;
    if (isEchoed) once(notes, "echoed", () => world.print(`${shown}\n`));
    if (shown === line) yield* this.#interpreter.enter(line.trim(), notes);
    else world.print(`The line is longer than ${LINE_MAX_CHARACTERS} characters\n`);
  }

  #start(task: Task, done: () => void): void {
    const running: Running = { done, stop: () => {} };
    this.#running = running;
    const { stop } = this.#host.spawn("console", { task });
    running.stop = stop;
  }

  /** The script of the line that runs, or of the line that ran when the run was saved. */
  #restore(notes: Notes, stop: () => void): Script {
    const restored: Running = { done: this.#isStarting ? () => {} : () => this.#restoredDone?.(), stop };
    const running = this.#running ?? restored;
    this.#running = running;
    return this.#toPrompt(notes, running);
  }

  #scriptOf({ typed, startup }: Task, notes: Notes): Script {
    if (typed !== undefined) return this.#typed(typed, notes);
    const state = this.#host.state.startup!;
    return startup === "begins"
      ? this.#interpreter.runStartup(state, notes)
      : this.#interpreter.resumeStartup(state, notes);
  }

  *#toPrompt(notes: Notes, running: Running): Script {
    yield* this.#scriptOf(notes.task as Task, notes);
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
