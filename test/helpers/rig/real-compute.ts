/**
 * A gns3-server of 2.2 on the loopback interface, with a home folder and ports of its own.
 *
 *     startCompute -> running -> kill() -> restart() -> running -> stop()
 *
 * `kill` ends the server and all that it has started without a warning, as a power failure does. Its disk stays.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findFreePort } from "../../../infra/local/free-port.ts";
import type { ComputePrograms } from "./programs.ts";

const HOST = "127.0.0.1";
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;
const POLL_MS = 100;
/** Each process of a compute has this variable, by which `kill` finds those that have left its process group. */
const MARK = "WIRELAB_RIG";

/** Consoles and UDP tunnels of each compute: ranges that no other compute of this process has. */
const FIRST_PORT = 41_000;
const PORTS_EACH = 400;
let started = 0;

export interface Account {
  readonly user: string;
  readonly password: string;
}

export class RealCompute {
  readonly host = HOST;
  readonly port: number;
  readonly account: Account;
  readonly #programs: ComputePrograms;
  readonly #folder: string;
  #process: ChildProcess | undefined;

  constructor(programs: ComputePrograms, port: number, account: Account) {
    this.#programs = programs;
    this.port = port;
    this.account = account;
    this.#folder = mkdtempSync(join(tmpdir(), "wirelab-compute-"));
    this.#configure(FIRST_PORT + started++ * PORTS_EACH);
  }

  get url(): string {
    return `http://${HOST}:${this.port}/v2/compute`;
  }

  /** The folder with the images of all emulators. */
  get images(): string {
    return join(this.#folder, "images");
  }

  #configure(firstPort: number): void {
    const paths = ["images", "projects", "configs", "appliances", "symbols"];
    for (const path of paths) mkdirSync(join(this.#folder, path));
    const middle = firstPort + PORTS_EACH / 2;
    const settings = [
      "[Server]",
      `host = ${HOST}`,
      `port = ${this.port}`,
      ...paths.map((path) => `${path}_path = ${join(this.#folder, path)}`),
      `ubridge_path = ${this.#programs.ubridge}`,
      `console_start_port_range = ${firstPort}`,
      `console_end_port_range = ${middle - 1}`,
      `udp_start_port_range = ${middle}`,
      `udp_end_port_range = ${firstPort + PORTS_EACH - 1}`,
      "local = False",
      "auth = True",
      `user = ${this.account.user}`,
      `password = ${this.account.password}`,
      "report_errors = False",
      "[VPCS]",
      `vpcs_path = ${this.#programs.vpcs}`,
      "",
    ];
    writeFileSync(join(this.#folder, "server.conf"), settings.join("\n"));
  }

  /** Starts the server, also one that was stopped or killed. Resolves when it answers. */
  async start(): Promise<void> {
    const { python, server } = this.#programs;
    const options = ["--config", join(this.#folder, "server.conf"), "--log", join(this.#folder, "log")];
    const child = spawn(python, ["-m", "gns3server", ...options], {
      cwd: this.#folder,
      env: {
        ...process.env,
        HOME: this.#folder,
        XDG_CONFIG_HOME: join(this.#folder, ".config"),
        PYTHONPATH: server,
        [MARK]: this.#folder,
      },
      stdio: "ignore",
    });
    this.#process = child;
    const endMs = performance.now() + START_TIMEOUT_MS;
    while (!(await this.#isUp())) {
      if (child.exitCode !== null || performance.now() > endMs)
        throw new Error(`gns3-server does not start:\n${this.log()}`);
      await pause(POLL_MS);
    }
  }

  /** Stops the server, which stops its nodes. */
  async stop(): Promise<void> {
    const child = this.#process;
    if (child?.exitCode === null && child.signalCode === null) {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await Promise.race([ended, pause(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    }
    await this.kill();
  }

  async kill(): Promise<void> {
    const child = this.#process;
    const isRunning = child?.exitCode === null && child.signalCode === null;
    const ended = isRunning ? once(child, "exit") : undefined;
    if (isRunning) child.kill("SIGKILL");
    for (const pid of this.#processes()) process.kill(pid, "SIGKILL");
    await ended;
  }

  /** Stops the server and deletes its files. */
  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Calls the compute's own interface. */
  call(method: string, path: string, body?: unknown): Promise<Response> {
    const { user, password } = this.account;
    return fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Basic ${btoa(`${user}:${password}`)}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  log(): string {
    try {
      return readFileSync(join(this.#folder, "log"), "utf8");
    } catch {
      return "";
    }
  }

  async #isUp(): Promise<boolean> {
    try {
      return (await this.call("GET", "/capabilities")).ok;
    } catch {
      return false;
    }
  }

  #processes(): number[] {
    const mark = `${MARK}=${this.#folder}`;
    return readdirSync("/proc")
      .map(Number)
      .filter((pid) => pid > 0 && environmentOf(pid).includes(mark));
  }
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}

export async function startCompute(programs: ComputePrograms): Promise<RealCompute> {
  const account = { user: "wirelab", password: crypto.randomUUID() };
  const compute = new RealCompute(programs, await findFreePort(HOST), account);
  await compute.start();
  return compute;
}
