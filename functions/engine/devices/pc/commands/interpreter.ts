/**
 * Lines to commands: words, the command whose name begins with the first of them, its help page when the last one asks for
 * it. Files of lines, with which start-up and `load` work.
 */
import type { Host, Script } from "../host.ts";
import { commandsNamed } from "./command-table.ts";
import { hasPage, helpPage } from "./help.ts";
import { remember } from "./history.ts";
import type { Command, Invocation, Shell } from "./invocation.ts";
import { splitWords } from "./split-words.ts";

/** For one typed command: files that load each other would go on for ever. */
const FILE_LINES_MAX = 4_096;
const FILES_DEEP_MAX = 8;

const isIgnored = (line: string): boolean => line === "" || /^[#;]/.test(line);
const asksForHelp = (word: string | undefined): boolean => word === "?" || word === "help";

export class Interpreter implements Shell {
  readonly #host: Host;
  #linesLeft = FILE_LINES_MAX;
  #filesDeep = 0;

  constructor(host: Host) {
    this.#host = host;
  }

  /** A line that was typed; trimmed. */
  *enter(line: string): Script {
    this.#begin();
    if (isIgnored(line)) return;
    remember(this.#host.state, line);
    yield* this.#run(line, false);
  }

  *runStartup(text: string): Script {
    this.#begin();
    this.#host.world.print("\nExecuting the startup file\n");
    yield* this.runLines(text);
  }

  /** Each line has a line end printed before its output. */
  *runLines(text: string): Script {
    const { world } = this.#host;
    if (this.#filesDeep === FILES_DEEP_MAX) return world.print("\nToo many files within files\n");
    this.#filesDeep += 1;
    for (const raw of text.split("\n")) {
      const line = raw.trim();
      if (isIgnored(line)) continue;
      if (this.#linesLeft === 0) return world.print("\nToo many lines\n");
      this.#linesLeft -= 1;
      world.print("\n");
      const isQuiet = line.startsWith("@");
      yield* this.#run(isQuiet ? line.slice(1).trim() : line, this.#host.state.settings.echo && !isQuiet);
    }
    this.#filesDeep -= 1;
  }

  /** An interrupted command leaves its counts where they were. */
  #begin(): void {
    this.#linesLeft = FILE_LINES_MAX;
    this.#filesDeep = 0;
  }

  *#run(line: string, isShown: boolean): Script {
    const { world, state } = this.#host;
    const words = splitWords(line);
    const [name] = words;
    if (name === undefined) return;
    if (/^[1-9]$/.test(line)) return world.print(line === "1" ? "" : "Only 1 VPCs actived\n");
    const found = commandsNamed(name);
    const [command] = found;
    if (command === undefined) return world.print(`Bad command: "${line}". Use ? for help.\n`);
    if (found.length > 1) return world.print(found.map((each) => `${each.name}\n`).join(""));
    if (isShown && !hasOwnText(command, words)) world.print(`${state.name}[1] ${line}\n`);
    yield* call(command, { host: this.#host, line, words, shell: this });
  }
}

/** With `set echo on` these are not shown: what they print is what the file wants to say. */
const hasOwnText = ({ name }: Command, words: readonly string[]): boolean =>
  name === "echo" || ((name === "sleep" || name === "zzz") && words.length > 2);

function* call(command: Command, invocation: Invocation): Script {
  const { host, words } = invocation;
  if (words.length > 1 && asksForHelp(words.at(-1)) && hasPage(command.name))
    return host.world.print(helpPage(command.name, words[1]));
  if ("text" in command) host.world.print(command.text(invocation));
  else yield* command.script(invocation);
}
