/** A router's configuration as a text in the form of FRR. */
import { formatRouterProperties, parseRouterProperties } from "@wirelab/engine/devices/router/index";
import { describe, expect, it } from "vitest";

const read = (config: string, others: object = {}) => parseRouterProperties({ config, ...others });

function configOf(config: string, others: object = {}) {
  const parsed = read(config, others);
  expect(parsed.ok ? [] : parsed.problems).toEqual([]);
  return parsed.ok ? parsed.config : undefined;
}

function problemsOf(config: string, others: object = {}): string[] {
  const parsed = read(config, others);
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

/** What FRR 8.4.4 prints for `show running-config` with such a configuration. */
const PRINTED = `Building configuration...

Current configuration:
!
frr version 8.4.4
frr defaults traditional
hostname r1
log syslog informational
service integrated-vtysh-config
!
ip route 10.9.0.0/16 10.0.1.9
ip route 10.9.0.0/16 10.0.2.9 7
ip route 10.8.0.0/16 blackhole
ip route 10.7.0.0/16 reject
ipv6 route 2001:db8:9::/48 2001:db8:1::9
!
interface eth0
 description to the core
 ip address 10.0.1.1/24
 ip ospf cost 5
 ip ospf network point-to-point
 ipv6 address 2001:db8:1::1/64
exit
!
interface eth1
 ip address 10.0.2.1/24
 ip ospf authentication message-digest
 ip ospf message-digest-key 5 md5 secret
 shutdown
exit
!
interface lo
 ip address 10.255.0.1/32
exit
!
router ospf
 ospf router-id 1.1.1.1
 redistribute static metric 33 metric-type 1
 passive-interface eth1
 network 10.0.0.0/8 area 0
 area 1 stub no-summary
 default-information originate always
exit
!
end
`;

describe("a configuration in the form of FRR", () => {
  it("is the router's configuration", () => {
    const config = configOf(PRINTED);
    const same = parseRouterProperties({
      ports: [
        {
          name: "eth0",
          ipv4: "10.0.1.1/24",
          ipv6: "2001:db8:1::1/64",
          ra: false,
          ospf: { cost: 5, network: "point-to-point" },
        },
        {
          name: "eth1",
          ipv4: "10.0.2.1/24",
          shutdown: true,
          ospf: { authentication: "message-digest", message_digest_keys: { "5": "secret" } },
        },
        { name: "eth2" },
        { name: "eth3" },
      ],
      interfaces: [{ type: "loopback", name: "lo", ipv4: "10.255.0.1/32" }],
      routes: [
        { to: "10.9.0.0/16", via: "10.0.1.9" },
        { to: "10.9.0.0/16", via: "10.0.2.9", distance: 7 },
        { to: "10.8.0.0/16", via: "blackhole" },
        { to: "10.7.0.0/16", via: "unreachable" },
        { to: "2001:db8:9::/48", via: "2001:db8:1::9" },
      ],
      ospf: {
        router_id: "1.1.1.1",
        networks: { "10.0.0.0/8": "0" },
        areas: { "1": "stub no-summary" },
        passive: ["eth1"],
        redistribute: { static: { metric: 33, metric_type: "1" } },
        default_route: { always: true },
      },
    });
    expect(same.ok && config).toEqual(same.ok && same.config);
  });

  it("needs neither indentation nor ends of blocks", () => {
    const bare = PRINTED.split("\n")
      .map((line) => line.trim())
      .filter((line) => !["exit", "end", "!", ""].includes(line))
      .join("\r\n");
    expect(configOf(bare)).toEqual(configOf(PRINTED));
  });

  it("changes the other properties", () => {
    const config = configOf("interface Ethernet1\n ip ospf cost 5\nrouter ospf\n network 10.0.0.0/8 area 0", {
      ports: [{ ipv4: "10.0.1.1/24" }, { ipv4: "10.0.2.1/24", ospf: { priority: 7 } }],
    });
    expect(formatRouterProperties(config!)).toMatchObject({
      ports: [
        { name: "Ethernet0", ipv4: "10.0.1.1/24" },
        { name: "Ethernet1", ipv4: "10.0.2.1/24", ospf: { priority: 7, cost: 5 } },
      ],
      ospf: { networks: { "10.0.0.0/8": "0" } },
    });
  });

  it("takes the words of the router that FRR does not have", () => {
    const config = configOf(
      "interface Ethernet0\n ip address 10.0.1.1/24\n dhcp 10.0.1.100 10.0.1.199\n mtu 1400\nexit\ndns host www 10.0.1.5\n" +
        "interface tun0 gre 10.0.1.1 10.0.9.9\ninterface tun0\n ip address 172.16.0.1/30",
    );
    expect(config).toMatchObject({
      ports: [{ dhcp: { first: "10.0.1.100" }, mtuBytes: 1400 }, {}, {}, {}],
      interfaces: [{ type: "gre", ipv4: "172.16.0.1/30" }],
      dns: { hosts: { www: ["10.0.1.5"] } },
    });
  });

  it.each([
    ["", ["Ethernet0", "Ethernet1", "Ethernet2", "Ethernet3"]],
    ["interface eth1", ["eth0", "eth1", "eth2", "eth3"]],
    ["interface Ethernet5", ["Ethernet0", "Ethernet1", "Ethernet2", "Ethernet3", "Ethernet4", "Ethernet5"]],
    ["router rip\n passive-interface eth3", ["eth0", "eth1", "eth2", "eth3"]],
  ])("names and counts the ports: %j", (text, names) =>
    expect(configOf(`!\n${text}`)!.ports.map(({ name }) => name)).toEqual(names),
  );

  it("keeps the number and the names of ports that are given", () => {
    expect(
      configOf("interface eth1", { ports: [{ name: "wan" }, {}] })!.ports.map(({ name }) => name),
    ).toEqual(["wan", "eth1"]);
    expect(problemsOf("interface eth2", { ports: [{}, {}] })).toEqual([
      'config: line 1: "interface eth2" is not there: no port has this name, and `interfaces` of the properties makes no such interface',
    ]);
    expect(problemsOf("interface eth0\ninterface Ethernet1")).toEqual([
      'config: line 2: "interface Ethernet1" is not there: no port has this name, and `interfaces` of the properties makes no such interface',
    ]);
  });

  it.each([
    [" no ipv6 nd suppress-ra", true],
    [" ipv6 nd suppress-ra", false],
    ["", false],
  ])("advertises as FRR does: %j", (line, ra) => {
    const { ports } = configOf(`interface eth0\n ipv6 address 2001:db8::1/64\n${line}`)!;
    expect(ports.map((port) => port.ra)).toEqual([ra, true, true, true]);
  });

  it("lets neighbours of RIP hear what FRR lets them hear", () => {
    expect(configOf("router rip\n network eth0")!.rip).toMatchObject({ splitHorizon: "simple" });
    expect(configOf("router rip\n split-horizon off")!.rip).toMatchObject({ splitHorizon: "off" });
  });

  it("takes both spellings of the id of OSPF", () => {
    expect(configOf("router ospf\n router-id 1.1.1.1")).toEqual(
      configOf("router ospf\n ospf router-id 1.1.1.1"),
    );
    expect(problemsOf("ip router-id 1.1.1.1")).toEqual([
      expect.stringContaining("is not there: the id of OSPF"),
    ]);
  });

  it("has the routes of a VRF in a block", () => {
    const ports = "interface eth1 vrf red\n ip address 10.0.1.1/24\nexit\n";
    const block = "vrf red\n ip route 10.9.0.0/16 10.0.1.9 7\nexit-vrf\nip route 10.8.0.0/16 blackhole";
    expect(configOf(ports + block)!.routes).toEqual([
      { to: "10.9.0.0/16", via: "10.0.1.9", distance: 7, vrf: "red" },
      { to: "10.8.0.0/16", via: "blackhole" },
    ]);
    expect(problemsOf(`${ports}vrf red\n vni 100\nexit-vrf`)).toEqual([
      'config: line 5: "vni 100" is not there: the block of a VRF has routes alone',
    ]);
  });

  it("puts an interface in a VRF", () => {
    expect(
      configOf("interface eth1 vrf red\n ip address 10.0.1.1/24\nip route 10.9.0.0/16 10.0.1.9 vrf red"),
    ).toMatchObject({
      ports: [{}, { vrf: "red", ipv4: "10.0.1.1/24" }, {}, {}],
      routes: [{ vrf: "red" }],
    });
  });
});

const BAD = `frr defaults datacenter
interface eth0
 ip address 10.0.1.1/24
 ip address 10.0.2.1/24
 ip ospf dead-interval minimal hello-multiplier 4
 ip rip authentication string secret
router bgp 65001 vrf red
 neighbor 10.0.1.2 remote-as 65002
 address-family ipv4 unicast
  network 10.0.1.0/24
 exit-address-family
exit
router ospf
 area 1 nssa
 network 10.0.0.0/8 area 0
 frobnicate
 passive-interface eth9
bgp extcommunity-list standard A permit rt 1:2
route-map A permit 10
 match ip address A
ip route 10.9.0.0/16 eth0
`;

describe("a line that a router does not have", () => {
  it("is refused with its number, together with all others", () => {
    expect(problemsOf(BAD)).toEqual([
      'config: line 1: "frr defaults datacenter" is not there: only `frr defaults traditional` is there',
      'config: line 4: "ip address 10.0.2.1/24": eth0 has 10.0.1.1/24, and an interface has one address of each family',
      'config: line 5: "ip ospf dead-interval minimal hello-multiplier 4" is not there: hellos in parts of a second are not there',
      expect.stringMatching(
        /^config: line 6: "ip rip authentication string \.\.\." is not there: in `router rip`/,
      ),
      expect.stringMatching(
        /^config: line 7: "router bgp 65001 vrf red", with the 4 lines inside, is not there: BGP/,
      ),
      'config: line 14: "area 1 nssa" is not there: areas may be stub',
      'config: line 16: "frobnicate" is no line of a router; ? at its console lists those that are',
      'config: line 17: "passive-interface eth9": There is no port eth9: show ip lists the ports',
      expect.stringMatching(
        /^config: line 18: "bgp extcommunity-list standard A permit rt 1:2" is not there/,
      ),
      'config: line 20: "match ip address A" is not there: access lists of routes are not there; `prefix-list` is',
      'config: line 21: "ip route 10.9.0.0/16 eth0" is no line of a router; ? at its console lists those that are',
    ]);
  });

  it("is left out and listed with unsupported: warn", () => {
    const parsed = read(
      "router bgp 65001 vrf red\n neighbor 10.0.1.2 remote-as 65002\nexit\nfrobnicate\ninterface eth1\n ip ospf cost 5",
      {
        unsupported: "warn",
      },
    );
    expect(parsed).toMatchObject({
      ok: true,
      config: { ports: [{}, { ospf: { cost: 5 } }, {}, {}] },
      leftOut: [
        expect.stringMatching(/^line 1: "router bgp 65001 vrf red", with the line inside, is not there: /),
        expect.stringMatching(/^line 4: "frobnicate" is no line/),
      ],
    });
  });

  it.each(["router nhrp", "router bgp 65001 view a", "router ospf vrf red", "router ospf 2"])(
    "is left out with the lines of its block, which are of no other one: %s",
    (head) => {
      const text = `router ospf\n network 10.1.0.0/16 area 0\n${head}\n network 10.2.0.0/16 area 0\n`;
      const parsed = read(text, { unsupported: "warn" });
      expect(parsed.ok && parsed.config.ospf?.networks).toEqual({ "10.1.0.0/16": "0" });
      expect(parsed.ok && parsed.leftOut).toEqual([
        expect.stringContaining(`line 3: "${head}", with the line`),
      ]);
    },
  );

  it("is left out with the block of an interface that is not there", () => {
    const text =
      "interface eth0\n ip ospf area 0\ninterface vti1\n ip ospf area 1\n ip address 10.9.0.1/31\n";
    const parsed = read(`${text}router ospf\n`, { unsupported: "warn" });
    expect(parsed.ok && parsed.config.ports[0]).toMatchObject({ name: "eth0", ospf: { area: "0" } });
    expect(parsed.ok && parsed.leftOut).toEqual([
      expect.stringMatching(/^line 3: "interface vti1", with the 2 lines inside, is not there: no port has/),
    ]);
  });

  it("is not left out if its value is wrong", () => {
    expect(
      problemsOf("interface eth0\n ip address 10.0.1.0/24\nfrobnicate", { unsupported: "warn" }),
    ).toEqual(["config: line 2: 10.0.1.0 is the network address of 10.0.1.0/24"]);
  });

  it.each([
    ["ip route 10.9.0.0/16 10.7.1.2", "line 1: the gateway 10.7.1.2 is not on the subnet of any port"],
    ["interface eth0\n mtu 1", "line 2: mtu must be 68 to 9216, not 1"],
    [
      "router ospf\n network 10.0.1.1/24 area 0\n network 10.0.1.0/24 area 1",
      "line 3: 10.0.1.0/24 is in the list already",
    ],
    ["interface eth0\n ip address 10.0.1.1/24\ninterface eth1\n ip address 10.0.1.2/24", "line 4: "],
    ["router ospf\n redistribute kernel", "line 2: "],
  ])("is named for a rule between settings: %j", (text, complaint) => {
    expect(problemsOf(text)).toEqual([expect.stringContaining(`config: ${complaint}`)]);
  });

  it("is one of 50, if there are more", () => {
    const problems = problemsOf("frobnicate\n".repeat(60));
    expect(problems).toHaveLength(51);
    expect(problems.at(-1)).toBe("config: 10 more lines are refused");
  });
});

describe("the properties of a configuration as a text", () => {
  it.each([
    [{ config: 5 }, "config: must be a string"],
    [{ config: "!".repeat(65_537) }, "config: has 65537 characters; 65536 are allowed"],
    [{ unsupported: "no" }, "unsupported: must be refuse, warn"],
    [{ config: "!", ports: 5 }, "ports: must be an array"],
    [{ config: "!", ports: [{ mtu: 1 }] }, "ports.0.mtu: must be 68 to 9216, not 1"],
    [{ config: "!", frobnicate: 1 }, "frobnicate: is not a known property"],
  ])("are checked: %#", (properties, problem) => {
    const parsed = parseRouterProperties(properties);
    expect(
      parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path.join(".")}: ${message}`),
    ).toEqual([expect.stringContaining(problem)]);
  });
});
