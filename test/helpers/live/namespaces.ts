/** Network namespaces for tests on real wires. Nothing outside them changes, and their traffic does not leave them. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";

const TOOLS = ["ip", "ethtool", "socat", "ping"] as const;

/** Why a test of real wires cannot run here; undefined if it can. */
export function obstacle(): string | undefined {
  if (process.getuid?.() !== 0) return "needs root";
  const missing = TOOLS.filter((tool) => spawnSync("sh", ["-c", `command -v ${tool}`]).status !== 0);
  if (missing.length > 0) return `${missing.join(", ")} not installed`;
  const name = `wltry${process.pid}`;
  const isMade = spawnSync("ip", ["netns", "add", name]).status === 0;
  const hasVxlan =
    isMade &&
    spawnSync("ip", ["-n", name, "link", "add", "v", "type", "vxlan", "id", "1", "dstport", "4789"])
      .status === 0;
  if (isMade) spawnSync("ip", ["netns", "del", name]);
  return hasVxlan ? undefined : "this machine has no network namespaces or no VXLAN";
}

/** How many `Namespaces` this process has made. */
let made = 0;

/** Some namespaces with short names that are unique on this machine. */
export class Namespaces {
  readonly #names = new Map<string, string>();
  readonly #children: ChildProcess[] = [];

  constructor(...names: string[]) {
    made += 1;
    for (const name of names) {
      const own = `wl${process.pid}-${made}${name}`;
      this.#names.set(name, own);
      ip("netns", "add", own);
      ip("-n", own, "link", "set", "lo", "up");
    }
  }

  of(name: string): string {
    return this.#names.get(name)!;
  }

  /** Joins two namespaces with a cable: an interface in each, with an address of 10.99.NET.0/24. */
  join([a, one]: [string, string], [b, other]: [string, string], net: number): void {
    ip("-n", this.of(a), "link", "add", one, "type", "veth", "peer", "name", other, "netns", this.of(b));
    for (const [name, device, host] of [
      [a, one, 1],
      [b, other, 2],
    ] as const) {
      ip("-n", this.of(name), "addr", "add", `10.99.${net}.${host}/24`, "dev", device);
      ip("-n", this.of(name), "link", "set", device, "up");
    }
  }

  /** Makes a VXLAN interface `eth0` in a namespace, over an underlay of `join` whose other side is `.1`. */
  addVxlan(name: string, net: number, vni: number, address: string): void {
    const own = this.of(name);
    const ends = ["remote", `10.99.${net}.1`, "local", `10.99.${net}.2`];
    ip("-n", own, "link", "add", "eth0", "type", "vxlan", "id", String(vni), ...ends, "dstport", "4789");
    ip("-n", own, "addr", "add", address, "dev", "eth0");
    ip("-n", own, "link", "set", "eth0", "up");
    // The interface leaves checksums to hardware that is not there, and joins segments to packets that fit no frame.
    this.run(name, "ethtool", "-K", "eth0", "tx", "off", "gso", "off", "tso", "off", "gro", "off");
  }

  /** @returns standard output. @throws Error if the program fails. */
  run(name: string, ...command: string[]): string {
    return execFileSync("ip", ["netns", "exec", this.of(name), ...command], {
      encoding: "utf8",
      stdio: "pipe",
    });
  }

  /** Starts a program; `end` ends it. */
  start(name: string, ...command: string[]): ChildProcess {
    const child = spawn("ip", ["netns", "exec", this.of(name), ...command], {
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#children.push(child);
    return child;
  }

  async end(): Promise<void> {
    for (const child of this.#children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const gone = once(child, "exit");
      child.kill();
      await gone;
    }
    for (const own of this.#names.values()) spawnSync("ip", ["netns", "del", own]);
  }
}

function ip(...args: string[]): void {
  execFileSync("ip", args, { stdio: "pipe" });
}

/** Resolves when a program has printed a text. @throws Error if it ends before. */
export async function untilPrinted(child: ChildProcess, text: string): Promise<string> {
  let printed = "";
  const add = (data: Buffer): void => {
    printed += data;
  };
  child.stdout!.on("data", add);
  child.stderr!.on("data", add);
  while (!printed.includes(text)) {
    if (child.exitCode !== null) throw new Error(`The program ended: ${printed}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return printed;
}
