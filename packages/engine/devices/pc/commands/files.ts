/** `save` and `load`: command files, which survive power-off. There are no folders. */
import type { Script } from "../host.ts";
import { notesOf, once } from "../notes.ts";
import { refusalOfFile, STARTUP_FILE } from "../saved-files.ts";
import { configurationText } from "./configuration-text.ts";
import { helpPage } from "./help.ts";
import type { Invocation } from "./invocation.ts";

const ENDING = ".vpc";

const withEnding = (name: string): string => (name.includes(".") ? name : name + ENDING);

export function save({ host: { state }, words }: Invocation): string {
  if (words.length > 2) return helpPage("save");
  const name = withEnding(words[1] ?? STARTUP_FILE);
  const text = configurationText(state);
  const refusal = refusalOfFile(state.files, name, text);
  if (refusal !== undefined) return `failed: ${refusal}\n`;
  state.files = { ...state.files, [name]: text };
  if (name === STARTUP_FILE) state.savedOver = undefined;
  return `Saving startup configuration to ${name}\n.  done\n`;
}

/** Runs the lines of a file, after a blank line. */
export function* load({ host: { state, world }, words, shell, notes }: Invocation): Script {
  if (words.length > 2) return world.print(helpPage("load"));
  const name = words[1] ?? STARTUP_FILE;
  const text = once(notes, "text", () => {
    const found = [name, withEnding(name)].find((each) => Object.hasOwn(state.files, each));
    return found === undefined ? undefined : state.files[found];
  });
  if (text === undefined) return world.print(`Can't open "${name}"\n`);
  once(notes, "begun", () => world.print(`\nExecuting the file "${name}"\n`));
  yield* shell.runLines(text, notesOf(notes, "lines"));
}
