/** Commands typed into a node's console one after another, and the transcript. */
import type { DeviceConsole } from "../devices/device.ts";

/** `waiting` for its time, `running`, `done`, `interrupted` by the run's end, `off` when the node went off or was not on. */
export type SessionStatus = "waiting" | "running" | "done" | "interrupted" | "off";

export class ConsoleSession {
  readonly nodeId: string;
  readonly #commands: readonly string[];
  readonly #parts: string[] = [];
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

  begin(terminal: DeviceConsole, now: () => number): void {
    this.#console = terminal;
    this.status = "running";
    this.startedNs = now();
    this.print(terminal.prompt);
    this.#enter(0, now);
  }

  print(text: string): void {
    this.#parts.push(text);
  }

  /** Ctrl-C, and no command after it. */
  interrupt(nowNs: number, status: "interrupted" | "off" = "interrupted"): void {
    if (this.status !== "running" && this.status !== "waiting") return;
    const terminal = this.status === "running" ? this.#console : undefined;
    this.status = status;
    this.endedNs = nowNs;
    terminal?.interrupt();
  }

  #enter(index: number, now: () => number): void {
    const line = this.#commands[index];
    if (line === undefined) {
      this.status = "done";
      this.endedNs = now();
      return;
    }
    this.#console?.enter(line, () => {
      if (this.status === "running") this.#enter(index + 1, now);
    });
  }
}
