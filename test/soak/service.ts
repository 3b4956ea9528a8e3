/** The service as a user starts it: a tree of processes, which can be killed, measured and started again on the same data. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../infra/local/main.ts", import.meta.url));
const READY = /Interface: +(\S+)/;
const START_TIMEOUT_MS = 180_000;

export interface Usage {
  /** Resident memory of all processes, in MiB. */
  readonly memoryMb: number;
  /** Open descriptors of all processes. */
  readonly descriptors: number;
}

export class Service {
  /** The URL with the stage; it is the same after each start. */
  base = "";
  readonly #folder: string;
  readonly #port: number;
  readonly #environment: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;
  #output = "";

  /** @param environment variables of the service, in addition to this process's variables. */
  constructor(folder: string, port: number, environment: Readonly<Record<string, string>> = {}) {
    this.#folder = folder;
    this.#port = port;
    this.#environment = environment;
  }

  /** The last lines that the service printed. */
  get output(): string {
    return this.#output;
  }

  /** @throws Error with the service's output when it does not get ready. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [MAIN], {
      env: {
        ...process.env,
        ...this.#environment,
        PORT: String(this.#port),
        WIRELAB_DATA: this.#folder,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    this.#output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        this.#output = (this.#output + chunk).slice(-20_000);
      });
    }
    for (let waitedMs = 0; waitedMs < START_TIMEOUT_MS && child.exitCode === null; waitedMs += 50) {
      const base = READY.exec(this.#output)?.[1];
      if (base !== undefined) {
        this.base = base;
        return;
      }
      await sleep(50);
    }
    this.kill();
    throw new Error(`The service did not start:\n${this.#output}`);
  }

  /** Ends all processes at once, as a power cut does, but for what the kernel has cached. */
  kill(): void {
    for (const pid of this.#tree()) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended meanwhile.
      }
    }
  }

  /** Stops the service as Ctrl-C does. */
  async stop(): Promise<void> {
    const child = this.#child!;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGINT");
    await once(child, "exit");
  }

  measure(): Usage {
    let [memoryKb, descriptors] = [0, 0];
    for (const pid of this.#tree()) {
      try {
        const status = readFileSync(`/proc/${pid}/status`, "utf8");
        memoryKb += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
        descriptors += readdirSync(`/proc/${pid}/fd`).length;
      } catch {
        // It has ended meanwhile.
      }
    }
    return { memoryMb: memoryKb / 1024, descriptors };
  }

  #tree(): number[] {
    const pid = this.#child?.pid;
    return pid === undefined ? [] : withChildren(pid);
  }
}

function withChildren(pid: number): number[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const children = tasks.flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
    );
    return [pid, ...children.flatMap(withChildren)];
  } catch {
    return [pid];
  }
}
