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

/** Goes on with a session at the same time, in a separate event: limits are checked in between. */
export type Soon = (kind: "begin-session" | "next-line", session: ConsoleSession) => void;

/** A session in the middle of a run. */
export interface FrozenSession {
  readonly nodeId: string;
  readonly commands: readonly string[];
  readonly isEchoed: boolean;
  readonly printed: readonly Printed[];
  readonly command: number;
  readonly isTyping: boolean;
  readonly followers: readonly ConsoleSession[];
  readonly status: SessionStatus;
  readonly startedNs: number | undefined;
  readonly endedNs: number | undefined;
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
  /** What is called at the end, and the sessions that begin then. */
  readonly #waiting: (ConsoleSession | (() => void))[] = [];
  #console: DeviceConsole | undefined;
  #soon: Soon | undefined;
  #now: () => number = () => 0;
  /** Whether the console has a line of the session. */
  #isTyping = false;
  status: SessionStatus = "waiting";
  startedNs: number | undefined;
  endedNs: number | undefined;

  constructor(nodeId: string, commands: readonly string[], { isEchoed = true }: ConsoleSessionOptions = {}) {
    this.nodeId = nodeId;
    this.#commands = commands;
    this.#isEchoed = isEchoed;
  }

  get isOver(): boolean {
    return this.status !== "waiting" && this.status !== "running";
  }

  get output(): string {
    return this.#printed.map(({ text }) => text).join("");
  }

  /** The output in parts, in the order of printing. */
  get printed(): readonly Printed[] {
    return this.#printed;
  }

  begin(terminal: DeviceConsole, now: () => number, soon: Soon): void {
    this.#attach(terminal, now, soon);
    this.status = "running";
    this.startedNs = now();
    if (this.#isEchoed) this.print(terminal.prompt, now());
    this.#enter(0);
  }

  /** Begins another session when this one is over. */
  beginAfter(session: ConsoleSession, soon: Soon): void {
    this.#soon ??= soon;
    this.#waiting.push(session);
  }

  /** Types the next line, unless the session was interrupted. */
  typeNext(): void {
    if (this.status === "running") this.#enter(this.#command + 1);
  }

  /** Returns the session at this moment. What `whenDone` calls is no part of it. */
  freeze(): FrozenSession {
    return {
      nodeId: this.nodeId,
      commands: this.#commands,
      isEchoed: this.#isEchoed,
      printed: this.#printed,
      command: this.#command,
      isTyping: this.#isTyping,
      followers: this.#waiting.filter((each) => each instanceof ConsoleSession),
      status: this.status,
      startedNs: this.startedNs,
      endedNs: this.endedNs,
    };
  }

  /** @param terminal of its node. */
  thaw(frozen: FrozenSession, terminal: DeviceConsole | undefined, now: () => number, soon: Soon): void {
    this.#printed.push(...frozen.printed);
    this.#command = frozen.command;
    this.#waiting.push(...frozen.followers);
    this.status = frozen.status;
    this.startedNs = frozen.startedNs;
    this.endedNs = frozen.endedNs;
    this.#soon = soon;
    if (this.status !== "running" || terminal === undefined) return;
    this.#attach(terminal, now, soon);
    this.#isTyping = frozen.isTyping;
    if (this.#isTyping) terminal.resumeLine?.(() => this.#lineDone());
  }

  #attach(terminal: DeviceConsole, now: () => number, soon: Soon): void {
    this.#console = terminal;
    this.#now = now;
    this.#soon = soon;
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
    if (this.isOver) return;
    const terminal = this.status === "running" ? this.#console : undefined;
    this.status = status;
    this.endedNs = nowNs;
    terminal?.interrupt();
    if (status === "off") this.#callWaiting();
  }

  #enter(index: number): void {
    const line = this.#commands[index];
    if (line === undefined) {
      this.status = "done";
      this.endedNs = this.#now();
      this.#callWaiting();
      return;
    }
    this.#command = index;
    this.#isTyping = true;
    this.#console?.enter(line, () => this.#lineDone(), this.#isEchoed);
  }

  #lineDone(): void {
    this.#isTyping = false;
    this.#soon?.("next-line", this);
  }

  #callWaiting(): void {
    for (const each of this.#waiting.splice(0)) {
      if (each instanceof ConsoleSession) this.#soon?.("begin-session", each);
      else each();
    }
  }
}
