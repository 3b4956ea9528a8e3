/** A sequence of commands typed into a node's console, and the transcript. */
import type { DeviceConsole } from "../devices/device.ts";

/** `waiting` for its time, `running`, `done`, `interrupted` by the run's end, `off` if the node was off or was switched off. */
export type SessionStatus = "waiting" | "running" | "done" | "interrupted" | "off";

export class ConsoleSession {
  readonly nodeId: string;
  readonly #commands: readonly string[];
  readonly #parts: string[] = [];
  readonly #waiting: (() => void)[] = [];
  #console: DeviceConsole | undefined;
  status: SessionStatus = "waiting";
  startedNs: number | undefined;
  endedNs: number | undefined;

  constructor(nodeId: string, commands: readonly string[]) {
    this.nodeId = nodeId;
    this.#commands = commands;
  }

  get output(): string {
    return this.#parts.join("");
  }

  /** @param soon schedules a call at the same time in a separate event: limits are checked in between. */
  begin(terminal: DeviceConsole, now: () => number, soon: (call: () => void) => void): void {
    this.#console = terminal;
    this.status = "running";
    this.startedNs = now();
    this.print(terminal.prompt);
    this.#enter(0, now, soon);
  }

  print(text: string): void {
    this.#parts.push(text);
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
    this.#console?.enter(line, () =>
      soon(() => {
        if (this.status === "running") this.#enter(index + 1, now, soon);
      }),
    );
  }

  #callWaiting(): void {
    for (const call of this.#waiting.splice(0)) call();
  }
}
