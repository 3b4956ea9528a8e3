/** RIP with FRR's ripd on a real wire: each learns the other's routes, and forgets those that are withdrawn. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasPrograms, LiveLab } from "../helpers/live/live-lab.ts";
import { Namespaces, obstacle } from "../helpers/live/namespaces.ts";

const FRR = "/usr/lib/frr";
const why =
  obstacle() ??
  (hasPrograms(`${FRR}/zebra`, `${FRR}/ripd`, "vtysh", "tcpdump", "tshark")
    ? undefined
    : "frr, tcpdump or tshark is not installed");

const RIPD = `
interface ta
interface lan0
router rip
 version 2
 timers basic 5 15 10
 network ta
 network lan0
`;

describe.skipIf(why !== undefined)(`RIP with FRR's ripd${why ? ` (skipped: ${why})` : ""}`, () => {
  let spaces: Namespaces;
  let lab: LiveLab;

  beforeEach(async () => {
    spaces = new Namespaces("lab");
    lab = new LiveLab(spaces);
    await lab.start(
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
  });
  afterEach(async () => {
    await spaces.end();
    lab.end();
  });

  function startFrr(ripd = RIPD): void {
    lab.run("ip", "link", "add", "lan0", "type", "veth", "peer", "name", "lan1");
    lab.run("ip", "link", "set", "lan1", "up");
    lab.run("ip", "addr", "add", "10.60.0.1/24", "dev", "lan0");
    lab.run("ip", "link", "set", "lan0", "up");
    for (const [daemon, text] of [
      ["zebra", ""],
      ["ripd", ripd],
    ] as const) {
      const file = lab.write(`${daemon}.conf`, text);
      const places = ["-i", `${file}.pid`, "-z", `${lab.folder}/zserv`, "--vty_socket", lab.folder];
      lab.begin(`${FRR}/${daemon}`, "-f", file, ...places);
    }
  }

  const vtysh = (...commands: string[]): string => {
    try {
      const asked = commands.flatMap((each) => ["-c", each]);
      return lab.run("vtysh", "--vty_socket", lab.folder, ...asked);
    } catch {
      // The daemons are not up yet.
      return "";
    }
  };
  const theirs = (): string => vtysh("show ip rip");
  const ours = (): Promise<string> => lab.type("r1", "show route");
  const eventually = (get: () => unknown, wanted: RegExp): Promise<void> =>
    expect.poll(get, { timeout: 30_000, interval: 250 }).toMatch(wanted);

  test("each learns the other's routes, with metric and tag, and packets pass both ways", async () => {
    const end = await lab.capture("ta", "udp port 520");
    startFrr();
    await eventually(theirs, /R\(n\) 10\.50\.0\.0\/24 +10\.2\.0\.1 +2 10\.2\.0\.1 +0/);
    await eventually(theirs, /R\(n\) 10\.70\.0\.0\/16 +10\.2\.0\.1 +5 10\.2\.0\.1 +99/);
    await eventually(ours, /R +\[120\/2\] +10\.60\.0\.0\/24 +10\.2\.0\.9 +Ethernet1/);
    expect(lab.run("ping", "-c", "3", "-i", "0.2", "-I", "10.60.0.1", "10.50.0.2")).toContain("3 received");
    expect(await lab.type("r1", "show ip rip status")).toMatch(/10\.2\.0\.9 +0 +0 +00:00:0/);
    const { all, wrong } = await end();
    expect(all).toBeGreaterThan(3);
    expect(wrong).toEqual([]);
  });

  test("each forgets a subnet that the other withdraws", async () => {
    startFrr();
    await eventually(ours, /10\.60\.0\.0\/24/);
    await eventually(theirs, /10\.50\.0\.0\/24 +10\.2\.0\.1 +2/);
    lab.run("ip", "link", "set", "lan0", "down");
    await expect.poll(ours, { timeout: 30_000 }).not.toMatch(/10\.60\.0\.0/);
    expect(await lab.type("r1", "show ip rip")).toMatch(/10\.60\.0\.0\/24 +10\.2\.0\.9 +16/);
    await lab.type("r1", "shutdown Ethernet0");
    await eventually(theirs, /10\.50\.0\.0\/24 +10\.2\.0\.1 +16/);
    expect(vtysh("show ip route")).not.toContain("10.50.0.0");
  });

  test("ours loses the routes of a ripd that has gone, after the timeout", async () => {
    startFrr();
    await eventually(ours, /10\.60\.0\.0\/24/);
    lab.run("sh", "-c", `kill -9 $(cat ${lab.folder}/ripd.conf.pid)`);
    await expect.poll(ours, { timeout: 30_000 }).not.toMatch(/10\.60\.0\.0/);
  });

  test.each([
    [
      "a password",
      "text",
      [{ key: "wire" }],
      " ip rip authentication mode text\n ip rip authentication string wire\n",
      "",
    ],
    [
      "MD5, as RFC 2082 has it",
      "md5",
      [{ id: 7, key: "secret" }],
      " ip rip authentication mode md5 auth-length rfc\n ip rip authentication key-chain lab\n",
      "key chain lab\n key 7\n  key-string secret\n",
    ],
    [
      "MD5 with the length of old programs, ours accepting two keys",
      "md5",
      [
        { id: 9, key: "next" },
        { id: 7, key: "secret" },
      ],
      " ip rip authentication mode md5 auth-length old-ripd\n ip rip authentication key-chain lab\n",
      "key chain lab\n key 7\n  key-string secret\n key 9\n  key-string next\n",
    ],
  ])(
    "each learns the other's routes with %s, and not with another key",
    async (_what, mode, keys, lines, chain) => {
      const words = (all: readonly { readonly id?: number; readonly key: string }[]): string =>
        all.map(({ id, key }) => (id === undefined ? key : `${id} ${key}`)).join(" ");
      await lab.type("r1", `router rip authentication Ethernet1 ${mode} ${words(keys)}`);
      const end = await lab.capture("ta", "udp port 520");
      startFrr(chain + RIPD.replace("interface ta\n", `interface ta\n${lines}`));
      await eventually(theirs, /R\(n\) 10\.50\.0\.0\/24 +10\.2\.0\.1 +2 10\.2\.0\.1/);
      await eventually(ours, /R +\[120\/2\] +10\.60\.0\.0\/24 +10\.2\.0\.9 +Ethernet1/);
      const bad = async (): Promise<number> =>
        Number(/10\.2\.0\.9 +(\d+) +0 /.exec(await lab.type("r1", "show ip rip status"))?.[1]);
      // The requests with which ripd begins have no authentication.
      const before = await bad();
      expect(before).toBeLessThan(3);
      const { all, wrong } = await end();
      expect(all).toBeGreaterThan(2);
      expect(wrong).toEqual([]);
      await lab.type(
        "r1",
        `router rip authentication Ethernet1 ${mode} ${words(keys.map((each) => ({ ...each, key: "x" })))}`,
      );
      await expect.poll(bad, { timeout: 30_000 }).toBeGreaterThan(before);
      await eventually(() => vtysh("show ip rip status"), /10\.2\.0\.1 +[1-9]\d* /);
    },
  );

  test("a ripd with poisoned reverse and authentication: its messages are bad packets", async () => {
    startFrr(
      RIPD.replace(
        "interface ta\n",
        "interface ta\n ip rip split-horizon poisoned-reverse\n ip rip authentication mode text\n ip rip authentication string wire\n",
      ),
    );
    await eventually(() => lab.type("r1", "show ip rip status"), /10\.2\.0\.9 +[1-9]\d* +0 /);
    expect(await ours()).not.toContain("10.60.0.0");
  });
});
