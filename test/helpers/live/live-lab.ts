/** A lab that runs in real time in a namespace, with clouds that are tap interfaces there. */
import type { ChildProcess } from "node:child_process";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Namespaces, untilPrinted } from "./namespaces.ts";

const CLI = new URL("../../../packages/wirelab/wirelab.js", import.meta.url).pathname;
const NODE = new URL("../../../node_modules/.bin/node", import.meta.url).pathname;

/** Whether programs are installed; a path is a file. */
export const hasPrograms = (...programs: readonly string[]): boolean =>
  programs.every((each) => spawnSync("sh", ["-c", `command -v ${each}`]).status === 0);

export class LiveLab {
  readonly #spaces: Namespaces;
  readonly #space: string;
  /** For files of the programs. */
  readonly folder = mkdtempSync(join(tmpdir(), "wirelab-tap-"));
  #live: ChildProcess | undefined;
  #printed = "";

  constructor(spaces: Namespaces, space = "lab") {
    this.#spaces = spaces;
    this.#space = space;
    // Daemons give up the rights of root.
    chmodSync(this.folder, 0o777);
  }

  /** Starts the lab. @param taps its tap interfaces with their addresses. */
  async start(lab: object, taps: Readonly<Record<string, readonly string[]>>): Promise<void> {
    const file = this.write("tap.lab.yaml", JSON.stringify(lab));
    const live = this.#spaces.start(this.#space, NODE, CLI, "live", file);
    this.#live = live;
    live.stdout!.on("data", (data: Buffer) => {
      this.#printed += data;
    });
    await Promise.all(Object.keys(taps).map((tap) => untilPrinted(live, `tap interface ${tap}`)));
    for (const [tap, addresses] of Object.entries(taps)) {
      this.run("sysctl", "-qw", `net.ipv6.conf.${tap}.accept_dad=0`);
      for (const address of addresses) this.run("ip", "addr", "add", address, "dev", tap);
      this.run("ip", "link", "set", tap, "up");
    }
  }

  /** @returns the standard output of a program in the namespace. */
  run(...command: string[]): string {
    return this.#spaces.run(this.#space, ...command);
  }

  /** Starts a program in the namespace. Its output does not fill a pipe. */
  begin(...command: string[]): ChildProcess {
    const child = this.#spaces.start(this.#space, ...command);
    child.stdout!.resume();
    child.stderr!.resume();
    return child;
  }

  /** @returns the path of a file with a text. */
  write(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text, { mode: 0o644 });
    return path;
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), "utf8");
  }

  /** Types a line into the console of a node. @returns the line, what the node prints after it, and its prompt. */
  async type(node: string, line: string): Promise<string> {
    const from = this.#printed.length;
    this.#live!.stdin!.write(`${node} ${line}\n`);
    // What a start-up script prints, with a prompt, may come before the line.
    const begin = () => this.#printed.indexOf(`${line}\n`, from);
    while (begin() < 0 || !this.#printed.slice(begin()).endsWith(`\n${node}> `))
      await new Promise((resolve) => setTimeout(resolve, 20));
    return this.#printed.slice(begin());
  }

  /** Captures what passes an interface. @returns a function that ends it and returns the frames in which tshark finds errors. */
  async capture(tap: string, filter: string): Promise<() => Promise<{ all: number; wrong: string[] }>> {
    const path = join(this.folder, `${tap}.pcap`);
    // Without the immediate mode, what arrived less than a second before the end would be lost.
    const mode = ["--immediate-mode", "-U"];
    const child = this.#spaces.start(this.#space, "tcpdump", ...mode, "-i", tap, "-w", path, filter);
    await untilPrinted(child, "listening on");
    return async () => {
      child.kill("SIGINT");
      if (child.exitCode === null) await new Promise((resolve) => child.once("exit", resolve));
      const tshark = (...display: string[]): string[] => {
        const checks = ["-o", "ip.check_checksum:TRUE", "-o", "udp.check_checksum:TRUE"];
        const { stdout } = spawnSync("tshark", ["-r", path, "-n", ...checks, ...display], {
          encoding: "utf8",
        });
        return stdout.split("\n").filter((each) => each !== "");
      };
      const wrong = "_ws.malformed or ip.checksum.status == 0 or udp.checksum.status == 0";
      return { all: tshark().length, wrong: tshark("-Y", wrong) };
    };
  }

  end(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
