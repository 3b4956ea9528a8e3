/** What `netlab initial` does after containerlab: it runs the scripts that netlab has bound into the containers, in the order of their names. */
import type { Command } from "../linux-exec.ts";
import type { Container } from "./container.ts";

/** The folder of the scripts, and the beginning of their names where they are copied. */
const SCRIPTS = /^\/etc\/(?:config\/|cfg-)/;

/** Scripts that a command of `exec` runs are left to it. */
export function netlabScripts({ binds, commands }: Container): Command[] {
  return binds
    .map(({ text, path }) => ({ target: text.split(":")[1] ?? "", path }))
    .filter(
      ({ target }) => SCRIPTS.test(target) && !commands.some(({ words }) => words.join(" ").includes(target)),
    )
    .toSorted((a, b) => (a.target < b.target ? -1 : 1))
    .map(({ target, path }) => ({ words: [target], path }));
}
