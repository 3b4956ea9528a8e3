/** A sequence of commands typed into a node's console, and the transcript. */
import type { DeviceConsole } from "../devices/device.ts";

/** `waiting` for its time, `running`, `done`, `interrupted` by the run's end, `off` if the node was off or was switched off. */
export type SessionStatus = "waiting" | "running" | "done" | "interrupted" | "off";

/** Text that a console printed. */
export interface Printed {
  /** The index of the command that was running. */
  readonly command: number;
  /** Lab time since the run's start. */
  readonly atNs: number;
  readonly text: string;
}

export interface ConsoleSessionOptions {
  /**
   * False for a terminal that has printed the prompt and the lines itself: the transcript has only what the commands print, and the
   * prompt after each. Default true.
   */
  readonly isEchoed?: boolean;
}

export class ConsoleSession {
  readonly nodeId: string;
  readonly #commands: readonly string[];
  readonly #isEchoed: boolean;
  readonly #printed: Printed[] = [];
  #command = 0;
  readonly #waiting: (() => void)[] = [];
  #console: DeviceConsole | undefined;
  status: SessionStatus = "waiting";
  startedNs: number | undefined;
  endedNs: number | undefined;

  constructor(nodeId: string, commands: readonly string[], { isEchoed = true }: ConsoleSessionOptions = {}) {
    this.nodeId = nodeId;
    this.#commands = commands;
    this.#isEchoed = isEchoed;
  }

  get output(): string {
    return this.#printed.map(({ text }) => text).join("");
  }

  /** The output in parts, in the order of printing. */
  get printed(): readonly Printed[] {
    return this.#printed;
  }

  /** @param soon schedules a call at the same time in a separate event: limits are checked in between. */
  begin(terminal: DeviceConsole, now: () => number, soon: (call: () => void) => void): void {
    this.#console = terminal;
    this.status = "running";
    this.startedNs = now();
    if (this.#isEchoed) this.print(terminal.prompt, now());
    this.#enter(0, now, soon);
  }

  print(text: string, atNs: number): void {
    this.#printed.push({ command: this.#command, atNs, text });
  }

  /** Calls back when the commands are done or the node is switched off, but not if the run ends first. */
  whenDone(call: () => void): void {
    this.#waiting.push(call);
  }

  /** Sends Ctrl-C and types no further command. */
  interrupt(nowNs: number, status: "interrupted" | "off" = "interrupted"): void {
    if (this.status !== "running" && this.status !== "waiting") return;
    const terminal = this.status === "running" ? this.#console : undefined;
    this.status = status;
    this.endedNs = nowNs;
    terminal?.interrupt();
    if (status === "off") this.#callWaiting();
  }

  #enter(index: number, now: () => number, soon: (call: () => void) => void): void {
    const line = this.#commands[index];
    if (line === undefined) {
      this.status = "done";
      this.endedNs = now();
      this.#callWaiting();
      return;
    }
    this.#command = index;
    const done = () =>
      soon(() => {
        if (this.status === "running") this.#enter(index + 1, now, soon);
      });
    this.#console?.enter(line, done, this.#isEchoed);
  }

  #callWaiting(): void {
    for (const call of this.#waiting.splice(0)) call();
  }
}
