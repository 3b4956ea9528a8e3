/**
 * Turns a line into a command: splits it into words, finds the command whose name begins with the first word, and prints the
 * help page if the last word is `?`. Runs files of lines for start-up and `load`.
 */
import type { Host, Progress, Script } from "../host.ts";
import { type Notes, nextTurn, notesOf, once, pause, turnsOf } from "../notes.ts";
import { isIgnored, linesOf, nextLine, restartLine, withoutAt } from "../startup.ts";
import type { StartupState } from "../state.ts";
import { commandsNamed } from "./command-table.ts";
import { hasPage, helpPage } from "./help.ts";
import { remember } from "./history.ts";
import type { Command, Invocation, Shell } from "./invocation.ts";
import { splitWords } from "./split-words.ts";

/** Lines per typed command: files that load each other would never end. */
const FILE_LINES_MAX = 4_096;
const FILES_DEEP_MAX = 8;

const asksForHelp = (word: string | undefined): boolean => word === "?" || word === "help";

export class Interpreter implements Shell {
  readonly #host: Host;
  #linesLeft = FILE_LINES_MAX;
  #filesDeep = 0;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Runs a typed line. @param line trimmed. */
  *enter(line: string, notes: Notes): Script {
    once(notes, "begun", () => {
      this.#begin();
      if (!isIgnored(line)) remember(this.#host.state, line);
    });
    if (!isIgnored(line)) yield* this.#run(line, false, notes);
  }

  *runStartup(startup: StartupState, notes: Notes): Script {
    once(notes, "headed", () => this.#host.world.print("\nExecuting the startup file\n"));
    yield* this.#runStartupLines(startup, notes);
  }

  /** What the running command has counted. */
  freeze() {
    return { linesLeft: this.#linesLeft, filesDeep: this.#filesDeep };
  }

  thaw({ linesLeft, filesDeep }: ReturnType<Interpreter["freeze"]>): void {
    this.#linesLeft = linesLeft;
    this.#filesDeep = filesDeep;
  }

  /** Continues, in a later run, a start-up file that an earlier run cut off. */
  *resumeStartup(startup: StartupState, notes: Notes): Script {
    const { world } = this.#host;
    // After 1 us all devices have joined the run, and a console attached at the start of the run sees the output.
    yield* pause(notes, "joined", { timeoutUs: 1 });
    once(notes, "headed", () => {
      world.print("\nGoing on with the startup file\n");
      const leftOut = restartLine(startup, isSleep, world.nowUs);
      if (leftOut !== undefined) world.print(`\nCut off again and again, and left out: ${leftOut}\n`);
    });
    yield* this.#runStartupLines(startup, notes);
  }

  *#runStartupLines(startup: StartupState, notes: Notes): Script {
    once(notes, "begun", () => {
      this.#begin();
      this.#filesDeep = 1;
    });
    for (const turns = turnsOf(notes, "lines"); startup.lines[0] !== undefined; nextTurn(turns)) {
      const mayRun = once(turns.notes, "mayRun", () => this.#countLine());
      if (mayRun) yield* this.#runFileLine(startup.lines[0]!, notesOf(turns.notes, "line"), startup);
      nextLine(startup, this.#host.world.nowUs);
      if (!mayRun) startup.lines = [];
    }
  }

  *runLines(text: string, notes: Notes): Script {
    const { world } = this.#host;
    const mayBegin = once(notes, "mayBegin", () => this.#filesDeep !== FILES_DEEP_MAX);
    if (!mayBegin) return world.print("\nToo many files within files\n");
    once(notes, "begun", () => {
      this.#filesDeep += 1;
    });
    const lines = linesOf(text);
    for (const turns = turnsOf(notes, "lines"); turns.number < lines.length; nextTurn(turns)) {
      if (!once(turns.notes, "mayRun", () => this.#countLine())) return;
      yield* this.#runFileLine(lines[turns.number]!, notesOf(turns.notes, "line"));
    }
    this.#filesDeep -= 1;
  }

  /** @returns false, after printing the reason, if the line limit is reached. */
  #countLine(): boolean {
    const mayRun = this.#linesLeft > 0;
    if (mayRun) this.#linesLeft -= 1;
    else this.#host.world.print("\nToo many lines\n");
    return mayRun;
  }

  /** Prints a line end before each line's output. */
  *#runFileLine(line: string, notes: Notes, progress?: Progress): Script {
    const { world, state } = this.#host;
    const isShown = once(notes, "isShown", () => {
      world.print("\n");
      return state.settings.echo && !line.startsWith("@");
    });
    yield* this.#run(withoutAt(line), isShown, notes, progress);
  }

  /** Resets the counts, because an interrupted command does not. */
  #begin(): void {
    this.#linesLeft = FILE_LINES_MAX;
    this.#filesDeep = 0;
  }

  *#run(line: string, isShown: boolean, notes: Notes, before?: Progress): Script {
    const { world, state } = this.#host;
    const progress = before ?? once(notes, "progress", () => ({ begunUs: world.nowUs }));
    const words = splitWords(line);
    const [name] = words;
    if (name === undefined) return;
    if (/^[1-9]$/.test(line)) return world.print(line === "1" ? "" : "Only 1 VPCs actived\n");
    const found = commandsNamed(name);
    const [command] = found;
    if (command === undefined) return world.print(`Bad command: "${line}". Use ? for help.\n`);
    if (found.length > 1) return world.print(found.map((each) => `${each.name}\n`).join(""));
    if (isShown && !hasOwnText(command, words))
      once(notes, "shown", () => world.print(`${state.name}[1] ${line}\n`));
    const inner = notesOf(notes, "command");
    yield* call(command, { host: this.#host, line, words, shell: this, progress, notes: inner });
  }
}

function isSleep(line: string): boolean {
  const [name = ""] = splitWords(withoutAt(line));
  const [command] = commandsNamed(name);
  return command !== undefined && isNamedSleep(command);
}

const isNamedSleep = ({ name }: Command): boolean => name === "sleep" || name === "zzz";

/** Whether `set echo on` does not echo this command: its output is the text that the file wants to print. */
const hasOwnText = (command: Command, words: readonly string[]): boolean =>
  command.name === "echo" || (isNamedSleep(command) && words.length > 2);

function* call(command: Command, invocation: Invocation): Script {
  const { host, words } = invocation;
  if (words.length > 1 && asksForHelp(words.at(-1)) && hasPage(command.name))
    return host.world.print(helpPage(command.name, words[1]));
  if ("text" in command) host.world.print(command.text(invocation));
  else yield* command.script(invocation);
}
