/** Open vSwitch in a network namespace, with its own datapath: it needs no module of the kernel. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect } from "vitest";
import type { Namespaces } from "./namespaces.ts";

export const hasOpenVswitch = ["ovs-vswitchd", "ovsdb-server", "ovs-vsctl", "ovsdb-tool", "ovs-appctl"].every(
  (tool) => spawnSync("sh", ["-c", `command -v ${tool}`]).status === 0,
);

let count = 0;

export class OpenVswitch {
  readonly #spaces: Namespaces;
  readonly #space: string;
  readonly #files: string;

  private constructor(spaces: Namespaces, space: string, folder: string) {
    this.#spaces = spaces;
    this.#space = space;
    this.#files = join(folder, `ovs${count++}`);
  }

  /** Starts its daemons, with no bridge yet. */
  static async start(spaces: Namespaces, space: string, folder: string): Promise<OpenVswitch> {
    const made = new OpenVswitch(spaces, space, folder);
    const file = made.#files;
    spaces.run(space, "ovsdb-tool", "create", `${file}.db`, "/usr/share/openvswitch/vswitch.ovsschema");
    const remote = `--remote=punix:${file}.sock`;
    spaces.start(space, "ovsdb-server", `${file}.db`, remote, `--unixctl=${file}.dbctl`);
    await expect.poll(() => spawnSync("test", ["-S", `${file}.sock`]).status, { timeout: 10_000 }).toBe(0);
    spaces.run(space, "ovs-vsctl", `--db=unix:${file}.sock`, "--no-wait", "init");
    spaces.start(space, "ovs-vswitchd", `unix:${file}.sock`, `--unixctl=${file}.ctl`, "--disable-system");
    return made;
  }

  vsctl(...args: string[]): string {
    const db = `--db=unix:${this.#files}.sock`;
    return this.#spaces.run(this.#space, "ovs-vsctl", "--timeout=20", db, ...args).trim();
  }

  appctl(...args: string[]): string {
    return this.#spaces.run(this.#space, "ovs-appctl", "-t", `${this.#files}.ctl`, ...args).trim();
  }
}
