/**
 * The console of a guest: its first serial port, with a shell on it. A line has run when a prompt is the last that the guest has printed, and
 * nothing follows for some time of the guest.
 */
import type { DeviceConsole, StartupReport } from "@wirelab/engine/devices/device";

export const CONSOLE_PORT = 0;
/** Ends of prompts: of a shell, of vtysh, of birdc, of Python. */
const PROMPT = /(?:^|\n)([^\n]{0,80}[#>$%] )$/;
/** Time of the guest without output after which a prompt is one. */
export const QUIET_US = 20_000;
const CTRL_C = "\x03";

export interface ConsoleWorld {
  /** Sends bytes to the serial port. */
  type(data: Uint8Array): void;
  print(text: string): void;
  /** Calls back after `QUIET_US`, unless called again. */
  wait(call: () => void): void;
}

interface Line {
  readonly text: string;
  readonly done: () => void;
  readonly isEchoed: boolean;
}

export class ShellConsole implements DeviceConsole {
  readonly #world: ConsoleWorld;
  readonly #waiting: Line[] = [];
  readonly #decoder = new TextDecoder();
  #prompt: string;
  #running: Line | undefined;
  /** What the guest has printed since the line was typed. */
  #output = "";
  #isReady = false;
  startup: StartupReport | undefined;

  constructor(prompt: string, world: ConsoleWorld) {
    this.#prompt = prompt;
    this.#world = world;
  }

  get prompt(): string {
    return this.#prompt;
  }

  /** Whether a line runs or waits. */
  get isBusy(): boolean {
    return this.#running !== undefined || this.#waiting.length > 0;
  }

  /** The guest takes lines from now on. @param first a line that runs before those that wait, without an echo. */
  open(first?: string): void {
    this.#isReady = true;
    if (first !== undefined) this.#waiting.unshift({ text: first, done: () => {}, isEchoed: false });
    this.#next();
  }

  enter(text: string, done: () => void, isEchoed = true): void {
    this.#waiting.push({ text, done, isEchoed });
    this.#next();
  }

  interrupt(): void {
    const waiting = this.#waiting.splice(0);
    if (this.#running) this.#world.type(new TextEncoder().encode(CTRL_C));
    for (const { done } of waiting) done();
  }

  receive(data: Uint8Array): void {
    const text = this.#decoder.decode(data, { stream: true }).replaceAll("\r", "");
    this.#world.print(text);
    if (this.#running === undefined) return;
    this.#output = (this.#output + text).slice(-1_000);
    if (this.#findPrompt() !== undefined) this.#world.wait(() => this.#finish());
  }

  /** A shell prints an empty line after its prompt when a job in the background ends. */
  #findPrompt(): string | undefined {
    if (`\n${this.#output.trimEnd()} `.endsWith(`\n${this.#prompt}`)) return this.#prompt;
    return PROMPT.exec(this.#output)?.[1];
  }

  #next(): void {
    if (!this.#isReady || this.#running !== undefined) return;
    this.#running = this.#waiting.shift();
    if (this.#running === undefined) return;
    const { text, isEchoed } = this.#running;
    this.#output = "";
    if (isEchoed) this.#world.print(`${text}\n`);
    this.#world.type(new TextEncoder().encode(`${text}\n`));
  }

  #finish(): void {
    const prompt = this.#findPrompt();
    if (prompt === undefined || this.#running === undefined) return;
    this.#prompt = prompt;
    const { done } = this.#running;
    this.#running = undefined;
    done();
    this.#next();
  }
}
