/** `write` and `copy`: save the configuration that the router starts with. */
import type { Parts } from "./parts.ts";

type Lines = readonly string[];

export function writeCommand({ core }: Parts, args: readonly string[]): Lines {
  const [what, ...rest] = args.map((arg) => arg.toLowerCase());
  if (rest.length > 0 || (what !== undefined && what !== "erase")) return ["Usage: write [erase]"];
  if (what === undefined) core.saveRunning();
  else core.eraseStartup();
  return [what === undefined ? SAVED : "Erased: the router starts with the properties of its node"];
}

/** Accepts prefixes of the words: `copy run start`. */
export function copyCommand({ core }: Parts, args: readonly string[]): Lines {
  const [from = "", to = "", ...rest] = args.map((arg) => arg.toLowerCase());
  const isKnown = /^run/.test(from) && "running-config".startsWith(from);
  const isPlace = /^start/.test(to) && "startup-config".startsWith(to);
  if (!isKnown || !isPlace || rest.length > 0) return ["Usage: copy running-config startup-config"];
  core.saveRunning();
  return [SAVED];
}

const SAVED = "Saved: the router starts with this configuration";
