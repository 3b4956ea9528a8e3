/** VXLAN with the kernel's own device as the other end, on real wires: routed and bridged, in both directions. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasPrograms, LiveLab } from "../helpers/live/live-lab.ts";
import { Namespaces, obstacle } from "../helpers/live/namespaces.ts";

const why =
  obstacle() ??
  (hasPrograms("tcpdump", "tshark", "bridge") ? undefined : "tcpdump or tshark is not installed");

/** The router has VNI 10 with a PC at a bridged port, and an address there. */
const LAB = {
  nodes: {
    pc: { ip: ["10.10.0.11/24", "2001:db8:10::11/64"] },
    r1: {
      type: "router",
      ports: ["10.2.0.1/24", {}],
      interfaces: [
        {
          type: "vxlan",
          name: "vxlan10",
          vni: 10,
          local: "10.2.0.1",
          remotes: ["10.2.0.9"],
          members: ["Ethernet1"],
          ipv4: "10.10.0.1/24",
          ipv6: "2001:db8:10::1/64",
        },
      ],
    },
    wire: { type: "cloud", tap: "ta" },
  },
  links: ["pc -- r1:1", "r1:0 -- wire"],
};

describe.skipIf(why !== undefined)(`VXLAN with the kernel${why ? ` (skipped: ${why})` : ""}`, () => {
  let spaces: Namespaces;
  let lab: LiveLab;

  beforeEach(() => {
    spaces = new Namespaces("lab");
    lab = new LiveLab(spaces);
  });
  afterEach(async () => {
    await spaces.end();
    lab.end();
  });

  /** Makes the kernel's end, with the settings that every course uses: a remote for unknown addresses, and learning. */
  function makeKernelEnd(mtu = 1_450): void {
    lab.run("ip", "link", "add", "vx", "type", "vxlan", "id", "10", "local", "10.2.0.9", "dstport", "4789");
    lab.run("bridge", "fdb", "append", "00:00:00:00:00:00", "dev", "vx", "dst", "10.2.0.1");
    lab.run("ip", "link", "set", "vx", "mtu", String(mtu));
    lab.run("ethtool", "-K", "vx", "tx", "off", "gso", "off", "tso", "off", "gro", "off");
    lab.run("sysctl", "-qw", "net.ipv6.conf.vx.accept_dad=0");
    lab.run("ip", "addr", "add", "10.10.0.9/24", "dev", "vx");
    lab.run("ip", "addr", "add", "2001:db8:10::9/64", "dev", "vx");
    lab.run("ip", "link", "set", "vx", "up");
  }

  const ping = (...args: string[]): string => {
    try {
      return lab.run("ping", "-c", "2", "-i", "0.2", "-W", "2", ...args);
    } catch (error) {
      return String((error as { stdout?: string }).stdout);
    }
  };

  test("the kernel reaches the router and a host at its bridged port, and they reach the kernel", async () => {
    await lab.start(LAB, { ta: ["10.2.0.9/24"] });
    const end = await lab.capture("ta", "udp port 4789");
    makeKernelEnd();
    expect(ping("10.10.0.1")).toContain("2 received");
    expect(ping("10.10.0.11")).toContain("2 received");
    expect(ping("2001:db8:10::1")).toContain("2 received");
    // The PC configures itself from the router's advertisement first.
    await expect.poll(() => ping("2001:db8:10::11"), { timeout: 30_000 }).toContain("2 received");
    expect(await lab.type("r1", "ping 10.10.0.9 -c 2")).toContain("2 received");
    expect(await lab.type("pc", "ping 10.10.0.9 -c 1")).toContain("84 bytes from 10.10.0.9 icmp_seq=1");
    // The largest packet of the segment, whole; the next one does not go in.
    expect(ping("-M", "do", "-s", "1422", "10.10.0.11")).toContain("2 received");
    expect(ping("-M", "do", "-s", "1423", "10.10.0.11")).toContain("+2 errors");
    expect(await lab.type("r1", "ping 10.10.0.9 -c 1 -s 1422 -D")).toContain("1 received");
    // Each has learned where the stations of the other are.
    const table = await lab.type("r1", "show vxlan mac");
    const own = lab.run("cat", "/sys/class/net/vx/address").trim();
    expect(table).toMatch(new RegExp(`vxlan10 +10 +${own} +10\\.2\\.0\\.9 `));
    const pc = /(\S+) +Ethernet1 /.exec(table)![1]!;
    expect(lab.run("bridge", "fdb", "show", "dev", "vx")).toContain(`${pc} dst 10.2.0.1 self`);
    const { all, wrong } = await end();
    expect(all).toBeGreaterThan(20);
    expect(wrong).toEqual([]);
  });

  test("whole frames pass in fragments of outer packets, both ways", async () => {
    const interfaces = [{ ...LAB.nodes.r1.interfaces[0], mtu: 1_500 }];
    const nodes = { ...LAB.nodes, pc: { ip: "10.10.0.11/24" }, r1: { ...LAB.nodes.r1, interfaces } };
    await lab.start({ ...LAB, nodes }, { ta: ["10.2.0.9/24"] });
    const end = await lab.capture("ta", "ip");
    makeKernelEnd(1_500);
    // One packet: after it, the kernel's device reports the smaller MTU of the underlay to its own sender.
    expect(ping("-c", "1", "-M", "do", "-s", "1472", "10.10.0.11")).toContain("1 received");
    expect(await lab.type("pc", "ping 10.10.0.9 -c 1 -l 1472")).toContain("1500 bytes from 10.10.0.9");
    const { all, wrong } = await end();
    expect(all).toBeGreaterThan(8);
    expect(wrong).toEqual([]);
  });

  test("with another VNI nothing passes", async () => {
    const interfaces = [{ ...LAB.nodes.r1.interfaces[0], vni: 11 }];
    await lab.start(
      { ...LAB, nodes: { ...LAB.nodes, r1: { ...LAB.nodes.r1, interfaces } } },
      { ta: ["10.2.0.9/24"] },
    );
    makeKernelEnd();
    expect(ping("10.10.0.1")).toContain(" 0 received");
    expect(await lab.type("r1", "show counters")).toMatch(/tunnel packets without an interface: [1-9]/);
  });
});
