/** `save` and `load`: command files, which survive power-off. There are no folders. */
import type { Script } from "../host.ts";
import type { PcState } from "../state.ts";
import { configurationText } from "./configuration-text.ts";
import { helpPage } from "./help.ts";
import type { Invocation } from "./invocation.ts";

/** The PC runs this file when it starts. */
export const STARTUP_FILE = "startup.vpc";
const ENDING = ".vpc";
const FILES_MAX = 16;
const FILE_MAX_CHARACTERS = 16_384;
const NAME_MAX_CHARACTERS = 64;

const withEnding = (name: string): string => (name.includes(".") ? name : name + ENDING);

export function save({ host: { state }, words }: Invocation): string {
  if (words.length > 2) return helpPage("save");
  const name = withEnding(words[1] ?? STARTUP_FILE);
  const text = configurationText(state);
  const refusal = refusalOf(state, name, text);
  if (refusal !== undefined) return `failed: ${refusal}\n`;
  state.files = { ...state.files, [name]: text };
  if (name === STARTUP_FILE) state.savedOver = undefined;
  return `Saving startup configuration to ${name}\n.  done\n`;
}

function refusalOf({ files }: PcState, name: string, text: string): string | undefined {
  if (/^\.{1,2}$/.test(name)) return "Is a directory";
  if (name.includes("/")) return "No such file or directory";
  if (name.length > NAME_MAX_CHARACTERS) return "File name too long";
  if (text.length > FILE_MAX_CHARACTERS) return `A file holds ${FILE_MAX_CHARACTERS} characters at most`;
  const isNew = !Object.hasOwn(files, name);
  if (isNew && Object.keys(files).length >= FILES_MAX) return `There are ${FILES_MAX} files already`;
  return undefined;
}

/** Runs the lines of a file, after a blank line. */
export function* load({ host: { state, world }, words, shell }: Invocation): Script {
  if (words.length > 2) return world.print(helpPage("load"));
  const name = words[1] ?? STARTUP_FILE;
  const found = [name, withEnding(name)].find((each) => Object.hasOwn(state.files, each));
  if (found === undefined) return world.print(`Can't open "${name}"\n`);
  world.print(`\nExecuting the file "${name}"\n`);
  yield* shell.runLines(state.files[found] as string);
}
