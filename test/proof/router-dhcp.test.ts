/** Our DHCP relay before dnsmasq, and our DHCP server before dhclient, on a real wire. */
import { spawnSync } from "node:child_process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasPrograms, LiveLab } from "../helpers/live/live-lab.ts";
import { Namespaces, obstacle } from "../helpers/live/namespaces.ts";

const why =
  obstacle() ??
  (hasPrograms("dnsmasq", "dhclient", "tcpdump", "tshark")
    ? undefined
    : "dnsmasq, dhclient, tcpdump or tshark is not installed");

describe.skipIf(why !== undefined)(`DHCP of a router${why ? ` (skipped: ${why})` : ""}`, () => {
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

  test.each([false, true])(
    "PCs get addresses of dnsmasq through the relay, with agent_option %s",
    async (agent_option) => {
      await lab.start(
        {
          nodes: {
            pc1: {},
            pc2: {},
            sw: "switch",
            r1: {
              type: "router",
              ports: ["10.50.0.1/24", "10.2.0.1/24"],
              dhcp_relay: { ports: { Ethernet0: "10.2.0.9" }, agent_option },
            },
            wire: { type: "cloud", tap: "ta" },
          },
          links: ["pc1 -- sw", "pc2 -- sw", "r1:0 -- sw", "r1:1 -- wire"],
        },
        { ta: ["10.2.0.9/24"] },
      );
      lab.run("ip", "route", "add", "10.50.0.0/24", "via", "10.2.0.1");
      const end = await lab.capture("ta", "udp port 67");
      lab.begin(
        "dnsmasq",
        ...[
          "--no-daemon",
          "--conf-file=/dev/null",
          "--port=0",
          "--user=root",
          "--bind-interfaces",
          "--interface=ta",
        ],
        `--dhcp-leasefile=${lab.folder}/leases`,
        "--dhcp-range=10.50.0.100,10.50.0.110,255.255.255.0,1h",
        "--dhcp-option=option:router,10.50.0.1",
        "--dhcp-host=00:50:79:66:68:01,10.50.0.9",
      );
      await expect
        .poll(() => lab.type("pc1", "ip dhcp"), { timeout: 30_000 })
        .toMatch(/DORA IP 10\.50\.0\.1\d\d\/24 GW 10\.50\.0\.1/);
      expect(await lab.type("pc2", "ip dhcp")).toContain("DORA IP 10.50.0.9/24 GW 10.50.0.1");
      expect(await lab.type("pc2", "ping 10.2.0.9 -c 1")).toContain("84 bytes from 10.2.0.9");
      expect(lab.read("leases")).toContain("00:50:79:66:68:01 10.50.0.9");
      const { all, wrong } = await end();
      expect(all).toBeGreaterThanOrEqual(8);
      expect(wrong).toEqual([]);
      const path = `${lab.folder}/ta.pcap`;
      const { stdout } = spawnSync("tshark", ["-r", path, "-n", "-Y", "dhcp.option.type == 82"], {
        encoding: "utf8",
      });
      expect(stdout !== "").toBe(agent_option);
    },
  );

  test("dhclient gets the address that is reserved for it", async () => {
    const dhcp = {
      first: "10.2.0.100",
      last: "10.2.0.110",
      domain: "home.example",
      reservations: [{ mac: "02:00:00:00:00:77", address: "10.2.0.77" }],
    };
    await lab.start(
      {
        nodes: {
          r1: { type: "router", ports: [{ ipv4: "10.2.0.1/24", dhcp }] },
          wire: { type: "cloud", tap: "ta" },
        },
        links: ["r1:0 -- wire"],
      },
      { ta: [] },
    );
    lab.run("ip", "link", "set", "ta", "address", "02:00:00:00:00:77");
    const leases = lab.write("dhclient.leases", "");
    const files = ["-lf", leases, "-pf", `${leases}.pid`, "-sf", "/bin/true"];
    lab.run("dhclient", "-1", "-4", ...files, "ta");
    expect(lab.read("dhclient.leases")).toMatch(
      /fixed-address 10\.2\.0\.77;[^}]*domain-name "home\.example"/,
    );
    lab.run("dhclient", "-x", "-4", ...files, "ta");
    expect(await lab.type("r1", "show dhcp")).toMatch(/10\.2\.0\.77 +02:00:00:00:00:77 .* leased/);
  });

  test("dhclient -6 gets its reserved address, renews and releases it, and the names alone on another port", async () => {
    const range = { first: "2001:db8:1::100", last: "2001:db8:1::1ff" };
    const names = { dns: ["2001:db8::53"], domain: "home.example" };
    const reservations = [{ mac: "02:00:00:00:00:77", address: "2001:db8:1::77" }];
    await lab.start(
      {
        nodes: {
          r1: {
            type: "router",
            ports: ["2001:db8:1::1/64", "2001:db8:2::1/64"],
            dhcpv6: { Ethernet0: { ...range, ...names, reservations }, Ethernet1: names },
          },
          one: { type: "cloud", tap: "ta" },
          other: { type: "cloud", tap: "tb" },
        },
        links: ["r1:0 -- one", "r1:1 -- other"],
      },
      { ta: [], tb: [] },
    );
    lab.run("ip", "link", "set", "ta", "down");
    lab.run("ip", "link", "set", "ta", "address", "02:00:00:00:00:77", "up");
    const end = await lab.capture("ta", "udp port 547");
    const files = (name: string): string[] => {
      const leases = lab.write(name, "");
      return ["-lf", leases, "-pf", `${leases}.pid`, "-sf", "/bin/true"];
    };
    const own = files("six.leases");
    const dhclient = (...args: string[]): string => lab.run("dhclient", "-6", "-D", "LL", ...args);
    dhclient("-1", ...own, "ta");
    const leases = lab.read("six.leases");
    expect(leases).toMatch(/iaaddr 2001:db8:1::77/);
    expect(leases).toMatch(/dhcp6\.name-servers 2001:db8::53/);
    expect(leases).toMatch(/dhcp6\.domain-search "home\.example/);
    expect(await lab.type("r1", "show dhcpv6")).toMatch(/2001:db8:1::77 +00030001020000000077 .* leased/);
    dhclient("-r", ...own, "ta");
    await expect
      .poll(() => lab.type("r1", "show dhcpv6"), { timeout: 20_000 })
      .toMatch(/2001:db8:1::77 .* over/);
    const { all, wrong } = await end();
    expect(all).toBeGreaterThanOrEqual(4);
    expect(wrong).toEqual([]);
    const script = lab.write(
      "script",
      `#!/bin/sh\necho "$reason $new_dhcp6_name_servers" >> ${lab.folder}/names\n`,
    );
    lab.run("chmod", "+x", script);
    dhclient("-1", "-S", ...files("names.leases").slice(0, 4), "-sf", script, "tb");
    expect(lab.read("names")).toContain("2001:db8::53");
  });
});
