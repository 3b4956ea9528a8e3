/** A router of this machine's kernel with nftables, in network namespaces of its own, which frames can be sent through. */
import { type ChildProcess, execFileSync, spawnSync } from "node:child_process";
import { encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { formatIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { formatMac } from "@wirelab/engine/wire/mac";
import { Namespaces } from "../live/namespaces.ts";
import { HOST_MACS, macOfSide, NETWORKS, ROUTER_MACS } from "./network.ts";

const PEER = new URL("peer.py", import.meta.url).pathname;
/** An experimental protocol (RFC 3692) that no test uses. */
const MARKER = 254;

/** Why nftables cannot be compared with here; undefined if it can. */
export function nftablesObstacle(): string | undefined {
  if (process.getuid?.() !== 0) return "needs root";
  const missing = ["ip", "nft", "python3", "sysctl"].filter(
    (tool) => spawnSync("sh", ["-c", `command -v ${tool}`]).status !== 0,
  );
  if (missing.length > 0) return `${missing.join(", ")} not installed`;
  const name = `wlnft${process.pid}`;
  if (spawnSync("ip", ["netns", "add", name]).status !== 0) return "this machine has no network namespaces";
  const rule = [
    "netns",
    "exec",
    name,
    "nft",
    "add table ip t; add chain ip t c { type nat hook postrouting priority 100; }",
  ];
  const has = spawnSync("ip", rule).status === 0;
  spawnSync("ip", ["netns", "del", name]);
  return has ? undefined : "this kernel has no nf_tables";
}

export interface Sent {
  readonly side: number;
  readonly frame: Uint8Array;
}

/** Side 0 is inside, side 1 outside. */
export class KernelRouter {
  readonly #spaces = new Namespaces("nftr", "nftp");
  readonly #peer: ChildProcess;
  #received = Buffer.alloc(0);
  #wake: () => void = () => {};

  /** @param macOf the MAC address of a host; by default that of its side. */
  constructor(hosts: readonly number[], macOf: (host: number, side: number) => number = macOfSide) {
    const router = this.#spaces.of("nftr");
    for (const [side, [name, far]] of [
      ["ra", "pa"],
      ["rb", "pb"],
    ].entries()) {
      ip(
        "-n",
        router,
        "link",
        "add",
        name!,
        "address",
        formatMac(ROUTER_MACS[side]!),
        "type",
        "veth",
        "peer",
        "name",
        far!,
        "netns",
        this.#spaces.of("nftp"),
      );
      ip("-n", this.#spaces.of("nftp"), "link", "set", far!, "address", formatMac(HOST_MACS[side]!));
      ip("-n", router, "addr", "add", `${formatIpv4(NETWORKS[side]! + 1)}/24`, "dev", name!);
    }
    this.#set(
      "nftr",
      "net.ipv4.ip_forward=1",
      "net.ipv4.icmp_ratelimit=0",
      "net.ipv4.icmp_msgs_per_sec=1000000",
    );
    for (const name of ["all", "ra", "rb"])
      this.#set("nftr", `net.ipv4.conf.${name}.rp_filter=0`, `net.ipv4.conf.${name}.send_redirects=0`);
    for (const [space, name] of [
      ["nftr", "ra"],
      ["nftr", "rb"],
      ["nftp", "pa"],
      ["nftp", "pb"],
    ] as const) {
      this.#set(space, `net.ipv6.conf.${name}.disable_ipv6=1`);
      ip("-n", this.#spaces.of(space), "link", "set", name, "up");
    }
    for (const host of [...hosts, NETWORKS[0]! + 250, NETWORKS[1]! + 250]) {
      const side = host >>> 8 === NETWORKS[0]! >>> 8 ? 0 : 1;
      const mac = formatMac(macOf(host, side));
      ip(
        "-n",
        router,
        "neigh",
        "add",
        formatIpv4(host),
        "lladdr",
        mac,
        "dev",
        side === 0 ? "ra" : "rb",
        "nud",
        "permanent",
      );
    }
    this.#peer = this.#spaces.start(
      "nftp",
      "python3",
      PEER,
      ...[0, 1].map((side) => Buffer.from(marker(side)).toString("hex")),
    );
    this.#peer.stdout!.on("data", (data: Buffer) => {
      this.#received = Buffer.concat([this.#received, data]);
      this.#wake();
    });
  }

  /** Replaces all rules. The table `raw` lets the markers pass. */
  load(rules: string): void {
    const raw = `table ip raw { chain pre { type filter hook prerouting priority -300; ip protocol ${MARKER} notrack accept\n}\n}`;
    execFileSync("ip", ["netns", "exec", this.#spaces.of("nftr"), "nft", "-f", "-"], {
      input: `flush ruleset\n${raw}\n${rules}`,
      stdio: ["pipe", "ignore", "pipe"],
    });
  }

  /** Runs `ip` where the router is. */
  ip(line: string): void {
    ip("-n", this.#spaces.of("nftr"), ...line.split(" "));
  }

  /** Lets the router have IPv6, which it does not have from the start. */
  enableIpv6(): void {
    this.#set(
      "nftr",
      "net.ipv6.conf.ra.disable_ipv6=0",
      "net.ipv6.conf.rb.disable_ipv6=0",
      "net.ipv6.conf.all.forwarding=1",
      "net.ipv6.icmp.ratelimit=0",
    );
  }

  /** The kernel's settings of connection tracking, which exist once a rule needs them. */
  setTracking(...settings: string[]): void {
    this.#set("nftr", ...settings.map((setting) => `net.netfilter.nf_conntrack_${setting}`));
  }

  /** @returns the output of `nft list ...`. */
  list(...what: string[]): string {
    return this.#spaces.run("nftr", "nft", "list", ...what);
  }

  /** Sends a frame to the router. @returns the frames that it sends because of it. */
  async exchange(side: number, frame: Uint8Array): Promise<Sent[]> {
    this.#peer.stdin!.write(
      Buffer.concat([Uint8Array.of(side, frame.length >> 8, frame.length & 255), frame]),
    );
    const count = (await this.#read(2)).readUInt16BE();
    const frames: Sent[] = [];
    for (let index = 0; index < count; index++) {
      const header = await this.#read(3);
      frames.push({ side: header[0]!, frame: Uint8Array.from(await this.#read(header.readUInt16BE(1))) });
    }
    return frames;
  }

  end(): Promise<void> {
    return this.#spaces.end();
  }

  async #read(size: number): Promise<Buffer> {
    while (this.#received.length < size) {
      await new Promise<void>((resolve, reject) => {
        this.#wake = resolve;
        this.#peer.once("exit", () =>
          reject(new Error(`The peer ended: ${this.#peer.stderr?.read() ?? ""}`)),
        );
      });
      this.#peer.removeAllListeners("exit");
    }
    const data = this.#received.subarray(0, size);
    this.#received = this.#received.subarray(size);
    return data;
  }

  #set(space: string, ...settings: string[]): void {
    this.#spaces.run(space, "sysctl", "-qw", ...settings);
  }
}

function marker(side: number): Uint8Array {
  const [source, target] = [NETWORKS[side]! + 250, NETWORKS[1 - side]! + 250];
  const [packet] = encodeIpv4({ source, target, protocol: MARKER }, new Uint8Array(8));
  return encodeEthernet(ROUTER_MACS[side]!, HOST_MACS[side]!, 0x0800, packet!);
}

function ip(...args: string[]): void {
  execFileSync("ip", args, { stdio: "pipe" });
}
