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
});
