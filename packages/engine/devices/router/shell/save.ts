/** `write` and `copy` save the configuration that the router starts with. */
import type { RouterCommands } from "../services/base/command.ts";
import type { Parts } from "../services/base/parts.ts";
import { configurationLines } from "./configuration-lines.ts";

type Lines = readonly string[];

function writeCommand({ core, session }: Parts, args: readonly string[]): Lines {
  const [what = "memory", ...rest] = args.map((arg) => arg.toLowerCase());
  if (rest.length > 0 || !["memory", "file", "terminal", "erase"].includes(what))
    return ["Usage: write [memory|file|terminal|erase]"];
  if (what === "terminal") return configurationLines(core.running);
  if (what === "erase") {
    session.startup = undefined;
    return ["Erased: the router starts with the properties of its node"];
  }
  session.save(core.running);
  return [SAVED];
}

function copyCommand({ core, session }: Parts, args: readonly string[]): Lines {
  const [from = "", to = "", ...rest] = args.map((arg) => arg.toLowerCase());
  if (from !== "running-config" || to !== "startup-config" || rest.length > 0)
    return ["Usage: copy running-config startup-config"];
  session.save(core.running);
  return [SAVED];
}

const SAVED = "Saved: the router starts with this configuration";

export const SAVE_COMMANDS: RouterCommands = [
  {
    head: "write",
    syntax: "[memory|file]",
    meaning: "save the running configuration; copy running-config startup-config is the same",
    run: writeCommand,
    checksWords: true,
  },
  {
    head: "write",
    syntax: "terminal",
    meaning: "print the running configuration, as show running-config does",
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
