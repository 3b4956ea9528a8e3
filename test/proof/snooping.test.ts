/** IGMP and MLD snooping with the kernel as the member, on real wires: only the port of the member gets the group. */
import { once } from "node:events";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { Namespaces, obstacle } from "../helpers/live/namespaces.ts";
import { makeFolder, startLab } from "../helpers/live/tap-lab.ts";

const why = obstacle();
const folder = makeFolder();
afterAll(folder.remove);

/** A member, a source and another host, each in a namespace of its own. */
const HOSTS = ["tm", "ts", "to"] as const;
const DATAGRAMS = 20;

interface Family {
  /** The properties of the switch, whose querier has the version. */
  readonly snooping: (version: number) => object;
  /** What each host sets, by its number from 1. */
  readonly settings: (host: string, number: number, version: number) => readonly (readonly string[])[];
  /** Ends of socat: a source of datagrams to the group, and a member of it. */
  readonly source: string;
  readonly member: string;
}

const IGMP: Family = {
  snooping: (version) => ({ igmp_snooping: { querier: { address: "10.2.0.254", version } } }),
  settings: (host, number, version) => [
    ["ip", "addr", "add", `10.2.0.${number}/24`, "dev", host],
    ["sysctl", "-qw", `net.ipv4.conf.all.force_igmp_version=${version}`],
    ["sysctl", "-qw", `net.ipv6.conf.${host}.disable_ipv6=1`],
  ],
  source: "UDP4-DATAGRAM:239.1.2.3:5000,ip-multicast-if=10.2.0.2",
  member: "UDP4-RECV:5000,ip-add-membership=239.1.2.3:tm",
};
const MLD: Family = {
  snooping: (version) => ({ mld_snooping: { querier: { version } } }),
  settings: (host, number, version) => [
    ["sysctl", "-qw", `net.ipv6.conf.all.force_mld_version=${version}`],
    ["sysctl", "-qw", `net.ipv6.conf.${host}.accept_dad=0`],
    ["ip", "addr", "add", `fd00:2::${number}/64`, "dev", host],
  ],
  source: "UDP6-DATAGRAM:[ff1e::1:2:3]:5000",
  member: "UDP6-RECV:5000,ipv6-join-group=[ff1e::1:2:3]:tm",
};

describe.skipIf(why !== undefined)(`snooping with the kernel${why ? ` (skipped: ${why})` : ""}`, () => {
  let spaces: Namespaces;
  beforeEach(() => {
    spaces = new Namespaces("lab", ...HOSTS);
  });
  afterEach(() => spaces.end());

  const received = (name: string): number =>
    Number(spaces.run(name, "cat", `/sys/class/net/${name}/statistics/rx_packets`));

  /** Sends datagrams to the group. @returns how many packets arrived at each of the others. */
  async function send({ source }: Family): Promise<{ member: number; other: number }> {
    const before = { member: received("tm"), other: received("to") };
    const each = `echo x | socat -u - '${source}'`;
    spaces.run("ts", "sh", "-c", `for i in $(seq ${DATAGRAMS}); do ${each}; done`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { member: received("tm") - before.member, other: received("to") - before.other };
  }

  test.each([
    ["IGMP", 2, IGMP],
    ["IGMP", 3, IGMP],
    ["MLD", 1, MLD],
    ["MLD", 2, MLD],
  ] as const)("its reports of %s version %i join, and its leave ends it", async (_name, version, family) => {
    for (const [index, host] of HOSTS.entries()) {
      const ends = [`c${host}`, "type", "veth", "peer", "name", host, "netns", spaces.of(host)];
      spaces.run("lab", "ip", "link", "add", ...ends);
      spaces.run("lab", "sysctl", "-qw", `net.ipv6.conf.c${host}.disable_ipv6=1`);
      spaces.run("lab", "ip", "link", "set", `c${host}`, "up");
      for (const command of family.settings(host, index + 1, version)) spaces.run(host, ...command);
      // The interface leaves checksums to hardware that is not there.
      spaces.run(host, "ethtool", "-K", host, "tx", "off");
      spaces.run(host, "ip", "link", "set", host, "up");
    }
    const lab = {
      nodes: {
        sw: { type: "switch", ...family.snooping(version) },
        ...Object.fromEntries(HOSTS.map((host) => [host, { type: "cloud", interface: `c${host}` }])),
      },
      links: HOSTS.map((host, port) => `sw:${port} -- ${host}`),
    };
    await startLab(spaces, "lab", folder.path, lab, `interface c${HOSTS.at(-1)}`);
    // A few packets are queries and reports.
    const few = DATAGRAMS / 2;
    const member = async (): Promise<number> => (await send(family)).member;
    await expect.poll(member, { timeout: 15_000 }).toBeLessThan(few);

    const listener = spaces.start("tm", "socat", "-u", family.member, "-");
    await expect.poll(member, { timeout: 15_000 }).toBeGreaterThanOrEqual(DATAGRAMS);
    expect((await send(family)).other).toBeLessThan(few);

    listener.kill();
    await once(listener, "exit");
    // Our querier asks for other members, for two seconds.
    await expect.poll(member, { timeout: 20_000 }).toBeLessThan(few);
  });
});
