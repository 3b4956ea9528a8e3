/** Runs a program of the project with this process's output. */
import { spawn } from "node:child_process";

/** @returns the exit code, 1 for a program that a signal has ended. @throws Error when the program is missing. */
export type Run = (
  command: string,
  args: readonly string[],
  options?: { readonly stdin?: string | undefined },
) => Promise<number>;

export const run: Run = (command, args, { stdin } = {}) =>
  new Promise((resolve, reject) => {
    const input = stdin === undefined ? "inherit" : "pipe";
    const child = spawn(command, args, { stdio: [input, "inherit", "inherit"] });
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
    child.stdin?.end(stdin);
  });
