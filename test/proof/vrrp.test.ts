/** Virtual routers with FRR's vrrpd on a real wire: the higher priority is the master, and the other takes over. */
import { describe, test } from "vitest";
import { eventually } from "../helpers/live/eventually.ts";
import { Frr, hasFrr } from "../helpers/live/frr.ts";
import { LiveLab } from "../helpers/live/live-lab.ts";
import { Namespaces, obstacle } from "../helpers/live/namespaces.ts";

const why = obstacle() ?? (hasFrr("vrrpd") ? undefined : "frr, tcpdump or tshark is not installed");

const VIRTUAL = "10.2.0.254";

class Wire {
  readonly #spaces = new Namespaces("lab");
  readonly lab = new LiveLab(this.#spaces);
  readonly frr = new Frr(this.lab);

  /** Starts a router, 10.2.0.1, with priority 150. */
  async start(): Promise<void> {
    const ports = [{ ipv4: "10.2.0.1/24", vrrp: [{ id: 7, ipv4: [VIRTUAL], priority: 150 }] }];
    const nodes = { r1: { type: "router", ports }, wire: { type: "cloud", tap: "ta" } };
    await this.lab.start({ nodes, links: ["r1:0 -- wire"] }, { ta: ["10.2.0.9/24"] });
  }

  /** FRR expects an interface with the MAC address of the virtual router. */
  startFrr(priority: number): void {
    const { lab, frr } = this;
    lab.run("ip", "link", "add", "vrrp4-7", "link", "ta", "type", "macvlan", "mode", "bridge");
    lab.run("ip", "link", "set", "vrrp4-7", "address", "00:00:5e:00:01:07");
    lab.run("ip", "addr", "add", `${VIRTUAL}/24`, "dev", "vrrp4-7");
    lab.run("ip", "link", "set", "vrrp4-7", "up");
    const vrrpd = `interface ta\n vrrp 7 version 3\n vrrp 7 priority ${priority}\n vrrp 7 ip ${VIRTUAL}\n`;
    frr.start({ vrrpd });
  }

  readonly theirs = (): string => this.frr.vtysh("show vrrp 7");
  readonly ours = (): Promise<string> => this.lab.type("r1", "show vrrp");

  async end(): Promise<void> {
    await this.#spaces.end();
    this.lab.end();
  }
}

const testOnWire = test.extend<{ wire: Wire }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what a fixture needs.
  wire: async ({}, use) => {
    const wire = new Wire();
    await wire.start();
    await use(wire);
    await wire.end();
  },
});

describe.skipIf(why !== undefined)(
  `VRRP with FRR's vrrpd${why ? ` (skipped: ${why})` : ""}`,
  { concurrent: true },
  () => {
    testOnWire(
      "FRR with a lower priority is the backup, takes over when our port goes down, and gives way when it is back",
      async ({ wire, expect }) => {
        const end = await wire.lab.capture("ta", "vrrp or arp");
        wire.startFrr(90);
        await eventually(wire.theirs, /Status \(v4\) +Backup/);
        await wire.lab.type("r1", "shutdown Ethernet0");
        await eventually(wire.theirs, /Status \(v4\) +Master/);
        await wire.lab.type("r1", "no shutdown Ethernet0");
        await eventually(wire.theirs, /Status \(v4\) +Backup/);
        await eventually(wire.ours, /master/i);
        const { all, wrong } = await end();
        expect(all).toBeGreaterThan(3);
        expect(wrong).toEqual([]);
      },
    );

    testOnWire(
      "ours is the backup of FRR with a higher priority, and takes over when vrrpd has gone",
      async ({ wire }) => {
        wire.startFrr(200);
        await eventually(wire.theirs, /Status \(v4\) +Master/);
        await eventually(wire.ours, /backup/i);
        wire.frr.kill("vrrpd");
        await eventually(wire.ours, /master/i);
      },
    );
  },
);
