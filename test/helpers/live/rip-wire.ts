/** A router with RIP and FRR's ripd on a real wire. */
import { test } from "vitest";
import { Frr, hasFrr } from "./frr.ts";
import { LiveLab } from "./live-lab.ts";
import { Namespaces, obstacle } from "./namespaces.ts";

/** Why the tests with it are skipped. */
export const noRipWire =
  obstacle() ?? (hasFrr("ripd") ? undefined : "frr, tcpdump or tshark is not installed");

export const RIPD = `
interface ta
interface lan0
router rip
 version 2
 timers basic 5 15 10
 network ta
 network lan0
`;

export class RipWire {
  readonly #spaces = new Namespaces("lab");
  readonly lab = new LiveLab(this.#spaces);
  readonly frr = new Frr(this.lab);

  /** Starts the router, 10.2.0.1 on the wire, with 10.50.0.0/24 and a static route behind it. */
  async start(): Promise<void> {
    await this.lab.start(
      {
        nodes: {
          pc: { ip: "10.50.0.2/24", gateway: "10.50.0.1" },
          r1: {
            type: "router",
            ports: ["10.50.0.1/24", "10.2.0.1/24"],
            routes: { "10.70.0.0/16": "10.50.0.9" },
            rip: {
              networks: ["10.0.0.0/8"],
              passive: ["Ethernet0"],
              redistribute: { static: { metric: 4, tag: 99 } },
              update_seconds: 5,
              timeout_seconds: 15,
              garbage_seconds: 10,
            },
          },
          wire: { type: "cloud", tap: "ta" },
        },
        links: ["pc -- r1:0", "r1:1 -- wire"],
      },
      { ta: ["10.2.0.9/24"] },
    );
  }

  /** Starts ripd, 10.2.0.9 on the wire, with 10.60.0.0/24 behind it. */
  startFrr(ripd = RIPD): void {
    this.lab.run("ip", "link", "add", "lan0", "type", "veth", "peer", "name", "lan1");
    this.lab.run("ip", "link", "set", "lan1", "up");
    this.lab.run("ip", "addr", "add", "10.60.0.1/24", "dev", "lan0");
    this.lab.run("ip", "link", "set", "lan0", "up");
    this.frr.start({ ripd });
  }

  readonly theirs = (): string => this.frr.vtysh("show ip rip");
  readonly ours = (): Promise<string> => this.lab.type("r1", "show route");

  async end(): Promise<void> {
    await this.#spaces.end();
    this.lab.end();
  }
}

/** A test with a wire of its own: tests run at the same time, because they wait most of their time. */
export const testOnWire = test.extend<{ wire: RipWire }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what a fixture needs.
  wire: async ({}, use) => {
    const wire = new RipWire();
    await wire.start();
    await use(wire);
    await wire.end();
  },
});
