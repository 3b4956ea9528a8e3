import { readLab } from "@wirelab/lab/read/read-lab";
import { runLab } from "@wirelab/lab/run-lab";
import { readCml } from "@wirelab/lab/topology/cml";
import { readTopologyFile } from "@wirelab/lab/topology/read-topology";
import { describe, expect, test } from "vitest";
import { yaml } from "../helpers.ts";

const LAB = yaml(`
  lab: {title: two sites, version: 0.1.0}
  nodes:
    - id: n0
      label: PC 1
      node_definition: alpine
      configuration: |-
        # this is a shell script which will be sourced at boot
        hostname pc1
        USERNAME=cisco
        PASSWORD=cisco
        ip address add 10.0.1.1/24 dev eth0
        ip link set dev eth0 up
        ip route add default via 10.0.1.254
      interfaces: [{id: i0, label: eth0, slot: 0, type: physical}]
    - id: n1
      label: r1
      node_definition: iosv
      configuration:
        - name: ios_config.txt
          content: |
            version 15.9
            service timestamps log datetime msec
            hostname r1
            no ip domain lookup
            interface Loopback0
             no ip address
            !
            interface GigabitEthernet0/0
             description to the switch
             ip address 10.0.1.254 255.255.255.0
             ipv6 address 2001:db8:1::1/64
             duplex auto
             no shutdown
            interface gi0/1
             ip address 10.0.9.1 255.255.255.252
             ip mtu 1400
            interface GigabitEthernet0/2
             shutdown
            ip route 10.0.2.0 255.255.255.0 GigabitEthernet0/1 10.0.9.2
            ipv6 route 2001:db8:2::/64 2001:db8:1::2
            banner motd ^C
            router is not a command here
            ^C
            line con 0
             exec-timeout 0 0
            end
      interfaces:
        - {id: i0, label: Loopback0, type: loopback}
        - {id: i1, label: GigabitEthernet0/0, slot: 0, type: physical}
        - {id: i2, label: GigabitEthernet0/1, slot: 1, type: physical}
        - {id: i3, label: GigabitEthernet0/2, slot: 2, type: physical}
    - id: n2
      label: gateway
      node_definition: alpine
      configuration: |
        sysctl -w net.ipv4.ip_forward=1
        ip addr add 10.0.9.2/30 dev eth1
        ip addr add 10.0.2.254/24 dev eth0
        ip route add 10.0.1.0/24 via 10.0.9.1
      interfaces: [{id: i0, label: eth0}, {id: i1, label: eth1}]
    - id: n3
      label: pc2
      node_definition: server
      configuration: |
        ifconfig eth0 10.0.2.1 netmask 255.255.255.0 up
        route add default gw 10.0.2.254
        exit 0
      interfaces: [{id: i0, label: eth0}]
    - id: n4
      label: sw
      node_definition: unmanaged_switch
      configuration: ""
      interfaces: [{id: i0, label: port0}, {id: i1, label: port1}]
  links:
    - {id: l0, n1: n0, i1: i0, n2: n4, i2: i0}
    - {id: l1, n1: n4, i1: i1, n2: n1, i2: i1}
    - {id: l2, n1: n1, i1: i2, n2: n2, i2: i1, conditioning: {bandwidth: 1000, latency: 20, jitter: 0, loss: 0.0}}
    - {id: l3, n1: n2, i1: i0, n2: n3, i2: i0, conditioning: {enabled: false, loss: 50}}
`);

function problemsOf(text: string): string[] {
  try {
    readCml(yaml(text), "x.yaml");
  } catch (error) {
    return (error as Error).message.split("\n");
  }
  return [];
}

test("hosts become PCs, routers routers, switches switches, conditions impairments", () => {
  expect(readCml(LAB, "x.yaml")).toEqual({
    hosts: [],
    nodes: {
      PC1: { type: "pc", ip: ["10.0.1.1/24"], gateway: "10.0.1.254" },
      r1: {
        type: "router",
        ports: [
          { name: "GigabitEthernet0/0", ipv4: "10.0.1.254/24", ipv6: "2001:db8:1::1/64" },
          { name: "GigabitEthernet0/1", ipv4: "10.0.9.1/30", mtu: 1400 },
        ],
        routes: [
          { to: "10.0.2.0/24", via: "10.0.9.2" },
          { to: "2001:db8:2::/64", via: "2001:db8:1::2" },
        ],
      },
      gateway: {
        type: "router",
        ports: [
          { name: "eth0", ipv4: "10.0.2.254/24" },
          { name: "eth1", ipv4: "10.0.9.2/30" },
        ],
        routes: [{ to: "10.0.1.0/24", via: "10.0.9.1" }],
      },
      pc2: { type: "pc", ip: ["10.0.2.1/24"], gateway: "10.0.2.254" },
      sw: { type: "switch", ports: [{ name: "port0" }, { name: "port1" }] },
    },
    links: [
      { link: "PC1 -- sw:port0" },
      { link: "sw:port1 -- r1:GigabitEthernet0/0" },
      {
        link: "r1:GigabitEthernet0/1 -- gateway:eth1",
        impairments: { both: { rate: "1000kbit", delay: { delay: "20ms" } } },
      },
      { link: "gateway:eth0 -- pc2" },
    ],
  });
});

test("a lab file plays it, by the content of the YAML file", () => {
  const model = readLab(
    { topology: "x.yaml", expect: [{ reach: "PC1 -> pc2" }, { ping: "PC1 -> pc2", min: "> 40" }] },
    {
      name: "x",
      loadTopology: (path) =>
        readTopologyFile(path, new TextEncoder().encode(LAB.replace("ip mtu 1400", "no keepalive"))),
    },
  );
  expect(runLab(model).verdicts.map(({ status, got }) => ({ status, got }))).toMatchObject([
    { status: "passed" },
    { status: "passed" },
  ]);
});

const node = (definition: string, configuration: string, interfaces = "[{id: i0, label: eth0}]") => `
  nodes:
    - {id: n0, label: x, node_definition: ${definition}, configuration: ${JSON.stringify(configuration)}, interfaces: ${interfaces}}
    - {id: n1, label: sw, node_definition: unmanaged_switch, interfaces: [{id: i0, label: port0}, {id: i1, label: port1}]}
  links:
    - {id: l0, n1: n0, i1: i0, n2: n1, i2: i0}
`;

describe("refuses with the line and the name", () => {
  test.each([
    [
      "another node",
      node("nxosv9000", ""),
      'x is of the definition "nxosv9000". Definitions that can: alpine,',
    ],
    ["another command", node("alpine", "nginx -g x"), `"nginx -g x": a simulated device runs no programs.`],
    [
      "a routing protocol",
      node("iosv", "router ospf 1\n network 0.0.0.0 0.0.0.0 area 0"),
      '"router ospf 1".',
    ],
    ["a router that does not route", node("iosv", "no ip routing"), '"no ip routing".'],
    [
      "an address without a link",
      node("iosv", "interface Loopback0\n ip address 1.1.1.1 255.255.255.255"),
      '"ip address 1.1.1.1 255.255.255.255" of Loopback0: the interface has no link.',
    ],
    ["a linked interface that is shut down", node("iosv", "interface eth0\n shutdown"), "has a link."],
    ["DHCP", node("iosv", "interface eth0\n ip address dhcp"), '"ip address dhcp" of eth0.'],
    [
      "a mask with a gap",
      node("iosv", "interface eth0\n ip address 10.0.0.1 255.0.255.0"),
      '"ip address 10.0.0.1 255.0.255.0" of eth0.',
    ],
    [
      "a second address",
      node("iosv", "interface eth0\n ip address 10.0.0.1 255.0.0.0\n ip address 11.0.0.1 255.0.0.0"),
      "eth0 has a second address, 11.0.0.1/8.",
    ],
    [
      "a host between two links",
      `${node("alpine", "", "[{id: i0, label: eth0}, {id: i1, label: eth1}]")}    - {n1: n0, i1: i1, n2: n1, i2: i1}`,
      "the node has several links and does not forward.",
    ],
    [
      "a link to no node",
      `${node("alpine", "")}    - {n1: n7, i1: i0, n2: n1, i2: i1}`,
      'n1 names no node: "n7".',
    ],
    [
      "a link to no interface",
      `${node("alpine", "")}    - {n1: n0, i1: i9, n2: n1, i2: i1}`,
      'i1 names no interface: "i9".',
    ],
    [
      "another condition",
      node("alpine", "").replace("i2: i0}", "i2: i0, conditioning: {corrupt_prob: 2}}"),
      "conditioning.corrupt_prob cannot be run here.",
    ],
    ["no nodes", "nodes: []", "has no nodes."],
  ])("%s", (_what, text, message) => {
    const problems = problemsOf(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(message);
    expect(problems[0]).toMatch(/^x\.yaml:[0-9]+:[0-9]+: /);
  });
});

test("an alpine with a specific route does not get it as its default gateway, and is still a host", () => {
  const lab = (route: string) => `
lab: {title: x, version: 0.2.0}
nodes:
  - {id: n0, label: h, node_definition: alpine, interfaces: [{id: i0, label: eth0}], configuration: "ip addr add 10.0.0.1/24 dev eth0\\n${route}"}
  - {id: n1, label: sw, node_definition: unmanaged_switch, interfaces: [{id: i0, label: port0}]}
links: [{id: l0, n1: n0, i1: i0, n2: n1, i2: i0}]
`;
  expect(readCml(lab("ip route add 10.9.0.0/16 via 10.0.0.2"), "x.yaml")).toMatchObject({
    nodes: { h: { type: "router", routes: [{ to: "10.9.0.0/16", via: "10.0.0.2" }] } },
    hosts: ["h"],
  });
  expect(readCml(lab("ip route add default via 10.0.0.2"), "x.yaml")).toMatchObject({
    nodes: { h: { type: "pc", gateway: "10.0.0.2" } },
    hosts: [],
  });
});
