/** Runs programs of the checkout. Their output goes to the log of the step. */
import { type ChildProcess, spawn } from "node:child_process";
import { dirname } from "node:path";

const running = new Set<ChildProcess>();

/** GitHub interrupts the action when the job is cancelled; the CDK then ends, and the post step destroys the stack. */
export function passOnInterrupts(): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      for (const child of running) child.kill(signal);
    });
  }
}

interface Options {
  readonly cwd: string;
  readonly stdin?: string;
}

/** @returns the exit code; 1 for a program that a signal has ended or that is missing. */
export function run(program: string, args: readonly string[], { cwd, stdin }: Options): Promise<number> {
  // The runner's Node is new enough for the app; the machine's own may not be.
  const PATH = [dirname(process.execPath), process.env.PATH].join(":");
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, PATH },
      stdio: [stdin === undefined ? "ignore" : "pipe", "inherit", "inherit"],
    });
    running.add(child);
    const end = (code: number): void => {
      running.delete(child);
      resolve(code);
    };
    child.once("error", ({ message }) => {
      process.stderr.write(`${message}\n`);
      end(1);
    });
    child.once("close", (code) => end(code ?? 1));
    // A program that ends without reading its input has its exit code.
    child.stdin?.on("error", () => {});
    child.stdin?.end(stdin);
  });
}
