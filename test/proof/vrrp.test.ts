/** Virtual routers with FRR's vrrpd on a real wire: the higher priority is the master, and the other takes over. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasPrograms, LiveLab } from "../helpers/live/live-lab.ts";
import { Namespaces, obstacle } from "../helpers/live/namespaces.ts";

const FRR = "/usr/lib/frr";
const why =
  obstacle() ??
  (hasPrograms(`${FRR}/zebra`, `${FRR}/vrrpd`, "vtysh", "tcpdump", "tshark")
    ? undefined
    : "frr, tcpdump or tshark is not installed");

const VIRTUAL = "10.2.0.254";

describe.skipIf(why !== undefined)(`VRRP with FRR's vrrpd${why ? ` (skipped: ${why})` : ""}`, () => {
  let spaces: Namespaces;
  let lab: LiveLab;

  beforeEach(async () => {
    spaces = new Namespaces("lab");
    lab = new LiveLab(spaces);
    const ports = [{ ipv4: "10.2.0.1/24", vrrp: [{ id: 7, ipv4: [VIRTUAL], priority: 150 }] }];
    await lab.start(
      {
        nodes: { r1: { type: "router", ports }, wire: { type: "cloud", tap: "ta" } },
        links: ["r1:0 -- wire"],
      },
      { ta: ["10.2.0.9/24"] },
    );
  });
  afterEach(async () => {
    await spaces.end();
    lab.end();
  });

  /** FRR expects an interface with the MAC address of the virtual router. */
  function startFrr(priority: number): void {
    lab.run("ip", "link", "add", "vrrp4-7", "link", "ta", "type", "macvlan", "mode", "bridge");
    lab.run("ip", "link", "set", "vrrp4-7", "address", "00:00:5e:00:01:07");
    lab.run("ip", "addr", "add", `${VIRTUAL}/24`, "dev", "vrrp4-7");
    lab.run("ip", "link", "set", "vrrp4-7", "up");
    const vrrpd = `interface ta\n vrrp 7 version 3\n vrrp 7 priority ${priority}\n vrrp 7 ip ${VIRTUAL}\n`;
    for (const [daemon, text] of [
      ["zebra", ""],
      ["vrrpd", vrrpd],
    ] as const) {
      const file = lab.write(`${daemon}.conf`, text);
      const places = ["-i", `${file}.pid`, "-z", `${lab.folder}/zserv`, "--vty_socket", lab.folder];
      lab.begin(`${FRR}/${daemon}`, "-f", file, ...places);
    }
  }

  const theirs = (): string => {
    try {
      return lab.run("vtysh", "--vty_socket", lab.folder, "-c", "show vrrp 7");
    } catch {
      // The daemons are not up yet.
      return "";
    }
  };
  const ours = (): Promise<string> => lab.type("r1", "show vrrp");
  const eventually = (get: () => unknown, wanted: RegExp): Promise<void> =>
    expect.poll(get, { timeout: 30_000, interval: 250 }).toMatch(wanted);

  test("FRR with a lower priority is the backup, takes over when our port goes down, and gives way when it is back", async () => {
    const end = await lab.capture("ta", "vrrp or arp");
    startFrr(90);
    await eventually(theirs, /Status \(v4\) +Backup/);
    await lab.type("r1", "shutdown Ethernet0");
    await eventually(theirs, /Status \(v4\) +Master/);
    await lab.type("r1", "no shutdown Ethernet0");
    await eventually(theirs, /Status \(v4\) +Backup/);
    await eventually(ours, /master/i);
    const { all, wrong } = await end();
    expect(all).toBeGreaterThan(3);
    expect(wrong).toEqual([]);
  });

  test("ours is the backup of FRR with a higher priority, and takes over when vrrpd has gone", async () => {
    startFrr(200);
    await eventually(theirs, /Status \(v4\) +Master/);
    await eventually(ours, /backup/i);
    lab.run("sh", "-c", `kill -9 $(cat ${lab.folder}/vrrpd.conf.pid)`);
    await eventually(ours, /master/i);
  });
});
