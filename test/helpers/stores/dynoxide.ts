/** Runs Dynoxide, another DynamoDB on SQLite, which ours is compared with: a child process that ends with this process. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import type { EmbeddedServer } from "../../../infra/local/embedded-server.ts";
import { findFreePort } from "../../../infra/local/free-port.ts";

const START_ATTEMPTS = 3;
const READY_POLLS = 200;
const READY_POLL_MS = 25;

/**
 * Runs the program until it ends, or until this process closes its end of pipe 3. The kernel closes it even if this
 * process is killed. The shell has its own process group: Ctrl-C then reaches only this process, and requests in progress
 * can complete.
 */
const TIED_TO_PARENT = `
"$@" 3<&- & program=$!
{ cat <&3 >/dev/null; kill $program; } 2>/dev/null &
exec 3<&-
wait $program`;

/**
 * @param file the database file, or undefined for a database in memory.
 * @param onDeath called with a message if the program ends before `stop` is called.
 */
export async function startDynoxide(
  host: string,
  file: string | undefined,
  onDeath: (message: string) => void,
): Promise<EmbeddedServer> {
  const binary = findDynoxide();
  if (binary === undefined) throw new Error("Dynoxide is not installed");
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort(host);
    const args = ["--host", host, "--port", String(port), ...(file === undefined ? [] : ["--db-path", file])];
    const child = spawn("/bin/sh", ["-c", TIED_TO_PARENT, "dynoxide", binary, ...args], {
      stdio: ["ignore", "ignore", "pipe", "pipe"],
      detached: true,
    });
    const complaint = collectText(child);
    const endpoint = `http://${host}:${port}`;
    if (await isReady(child, endpoint)) {
      const died = () => onDeath(`DynamoDB (Dynoxide) ended unexpectedly: ${complaint()}`);
      child.once("exit", died);
      return { endpoint, stop: () => stop(child, died) };
    }
    await stop(child);
    if (attempt === START_ATTEMPTS) throw new Error(`Dynoxide does not start: ${complaint()}`);
  }
}

/** @returns undefined where the program does not run, or is not installed. */
export function findDynoxide(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(`@dynoxide/${process.platform}-${process.arch}/dynoxide`);
  } catch {
    return undefined;
  }
}

/** Reads stderr to its end: the program would block on a full pipe. */
function collectText(child: ChildProcess): () => string {
  let text = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    text = (text + chunk).slice(-2000);
  });
  return () => text.trim();
}

async function isReady(child: ChildProcess, endpoint: string): Promise<boolean> {
  for (let poll = 0; poll < READY_POLLS && child.exitCode === null; poll++) {
    const answered = await fetch(endpoint).then(
      (response) => response.headers.get("server")?.startsWith("Dynoxide"),
      () => false,
    );
    if (answered && child.exitCode === null) return true;
    await sleep(READY_POLL_MS);
  }
  return false;
}

async function stop(child: ChildProcess, died?: () => void): Promise<void> {
  if (died) child.off("exit", died);
  const alive = child.exitCode === null && child.signalCode === null;
  const exited = alive ? once(child, "exit") : null;
  child.stdio[3]?.destroy();
  await exited;
}
