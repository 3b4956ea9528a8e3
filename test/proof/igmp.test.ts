/** IGMP snooping with the kernel as the member, on real wires: only the port of the member gets the group. */
import { once } from "node:events";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { Namespaces, obstacle } from "../helpers/live/namespaces.ts";
import { makeFolder, startLab } from "../helpers/live/tap-lab.ts";

const why = obstacle();
const folder = makeFolder();
afterAll(folder.remove);

/** A member, a source and another host, each in a namespace of its own. */
const HOSTS = ["tm", "ts", "to"] as const;
const GROUP = "239.1.2.3";
const DATAGRAMS = 20;

describe.skipIf(why !== undefined)(`IGMP with the kernel${why ? ` (skipped: ${why})` : ""}`, () => {
  let spaces: Namespaces;
  beforeEach(() => {
    spaces = new Namespaces("lab", ...HOSTS);
  });
  afterEach(() => spaces.end());

  const received = (name: string): number =>
    Number(spaces.run(name, "cat", `/sys/class/net/${name}/statistics/rx_packets`));

  /** Sends datagrams to the group. @returns how many packets arrived at each of the others. */
  async function send(): Promise<{ member: number; other: number }> {
    const before = { member: received("tm"), other: received("to") };
    const to = `UDP4-DATAGRAM:${GROUP}:5000,ip-multicast-if=10.2.0.2`;
    const each = `echo x | socat -u - ${to}`;
    spaces.run("ts", "sh", "-c", `for i in $(seq ${DATAGRAMS}); do ${each}; done`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { member: received("tm") - before.member, other: received("to") - before.other };
  }

  test.each([2, 3])("its reports of version %i join, and its leave ends it", async (version) => {
    for (const [index, host] of HOSTS.entries()) {
      const ends = [`c${host}`, "type", "veth", "peer", "name", host, "netns", spaces.of(host)];
      spaces.run("lab", "ip", "link", "add", ...ends);
      spaces.run("lab", "sysctl", "-qw", `net.ipv6.conf.c${host}.disable_ipv6=1`);
      spaces.run("lab", "ip", "link", "set", `c${host}`, "up");
      spaces.run(host, "ip", "addr", "add", `10.2.0.${index + 1}/24`, "dev", host);
      spaces.run(host, "sysctl", "-qw", `net.ipv4.conf.all.force_igmp_version=${version}`);
      spaces.run(host, "sysctl", "-qw", `net.ipv6.conf.${host}.disable_ipv6=1`);
      // The interface leaves checksums to hardware that is not there.
      spaces.run(host, "ethtool", "-K", host, "tx", "off");
      spaces.run(host, "ip", "link", "set", host, "up");
    }
    const lab = {
      nodes: {
        sw: { type: "switch", igmp_snooping: { querier: { address: "10.2.0.254", version } } },
        ...Object.fromEntries(HOSTS.map((host) => [host, { type: "cloud", interface: `c${host}` }])),
      },
      links: HOSTS.map((host, port) => `sw:${port} -- ${host}`),
    };
    await startLab(spaces, "lab", folder.path, lab, `interface c${HOSTS.at(-1)}`);
    // A few packets are queries and reports.
    const few = DATAGRAMS / 2;
    await expect.poll(async () => (await send()).member, { timeout: 15_000 }).toBeLessThan(few);

    const listener = spaces.start("tm", "socat", "-u", `UDP4-RECV:5000,ip-add-membership=${GROUP}:tm`, "-");
    await expect
      .poll(async () => (await send()).member, { timeout: 15_000 })
      .toBeGreaterThanOrEqual(DATAGRAMS);
    expect((await send()).other).toBeLessThan(few);

    listener.kill();
    await once(listener, "exit");
    // Our querier asks for other members, for two seconds.
    await expect.poll(async () => (await send()).member, { timeout: 20_000 }).toBeLessThan(few);
  });
});
