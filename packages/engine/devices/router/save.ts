/** `write` and `copy`: save the configuration that the router starts with. */
import type { RouterCommands } from "./command.ts";
import type { Parts } from "./parts.ts";

type Lines = readonly string[];

function writeCommand({ core }: Parts, args: readonly string[]): Lines {
  const [what, ...rest] = args.map((arg) => arg.toLowerCase());
  if (rest.length > 0 || (what !== undefined && what !== "erase")) return ["Usage: write [erase]"];
  if (what === undefined) core.saveRunning();
  else core.eraseStartup();
  return [what === undefined ? SAVED : "Erased: the router starts with the properties of its node"];
}

function copyCommand({ core }: Parts, args: readonly string[]): Lines {
  const [from = "", to = "", ...rest] = args.map((arg) => arg.toLowerCase());
  if (from !== "running-config" || to !== "startup-config" || rest.length > 0)
    return ["Usage: copy running-config startup-config"];
  core.saveRunning();
  return [SAVED];
}

const SAVED = "Saved: the router starts with this configuration";

export const SAVE_COMMANDS: RouterCommands = [
  {
    head: "write",
    meaning: "save the running configuration; copy running-config startup-config is the same",
    run: writeCommand,
    checksWords: true,
  },
  { head: "write", syntax: "erase", meaning: "forget what was saved", run: writeCommand, checksWords: true },
  {
    head: "copy",
    syntax: "running-config startup-config",
    meaning: "save the running configuration",
    run: copyCommand,
    checksWords: true,
    unlisted: true,
  },
];
