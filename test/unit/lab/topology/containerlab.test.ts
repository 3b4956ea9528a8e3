import { readContainerlab } from "@wirelab/lab/topology/containerlab";
import { expect, test } from "vitest";
import { yaml } from "../helpers.ts";

const read = (text: string) => readContainerlab(yaml(text), "x.clab.yml");

function problemsOf(text: string): string[] {
  try {
    read(text);
  } catch (error) {
    return (error as Error).message.split("\n");
  }
  return [];
}

test("hosts become PCs, nodes with several links routers, bridges switches", () => {
  const topology = read(`
    topology:
      defaults: {kind: linux, exec: ["ip link set eth1 up"]}
      nodes:
        h1: {exec: ["ip addr add dev eth1 10.0.0.1/24", "ip -6 addr add 2001:db8::1/64 dev eth1", "ip route add default via 10.0.0.254"]}
        h2: {exec: ["sh -c 'ip a add 10.0.1.1/24 dev eth1 && ip r add 10.0.0.0/16 via 10.0.1.254 dev eth1'"]}
        r: {exec: ["ip addr add 10.0.0.254/24 dev eth2", "ip addr add 10.0.1.254/24 dev eth10", "ip route add 10.9.0.0/16 via 10.0.1.1"]}
        br: {kind: ovs-bridge}
      links:
        - endpoints: [h1:eth1, br:p1]
        - endpoints: [{node: r, interface: eth10}, {node: h2, interface: eth1}]
          type: veth
          mtu: 1400
        - endpoints: ["br:p2", "r:eth2"]
  `);
  expect(topology).toEqual({
    nodes: {
      h1: { type: "pc", ip: ["10.0.0.1/24", "2001:db8::1/64"], gateway: "10.0.0.254" },
      h2: { type: "pc", ip: ["10.0.1.1/24"], gateway: "10.0.1.254", commands: "set mtu 1400" },
      r: {
        type: "router",
        ports: [
          { name: "eth2", ipv4: "10.0.0.254/24" },
          { name: "eth10", ipv4: "10.0.1.254/24", mtu: 1400 },
        ],
        routes: [{ to: "10.9.0.0/16", via: "10.0.1.1" }],
      },
      br: { type: "switch", ports: [{ name: "p1" }, { name: "p2" }] },
    },
    links: [{ link: "h1 -- br:p1" }, { link: "r:eth10 -- h2" }, { link: "br:p2 -- r:eth2" }],
  });
});

test("a host with two gateways is a router with one port, which has both routes", () => {
  const { nodes } = read(`
    topology:
      nodes:
        a: {kind: linux, exec: ["ip addr add 10.0.0.1/24 dev eth1", "ip route add 10.1.0.0/16 via 10.0.0.2", "ip route add 10.2.0.0/16 via 10.0.0.3"]}
        b: {kind: linux}
      links: [{endpoints: [a:eth1, b:eth1]}]
  `);
  expect(nodes).toMatchObject({
    a: { type: "router", routes: [{ via: "10.0.0.2" }, { via: "10.0.0.3" }] },
    b: { type: "pc" },
  });
});

test("what a lab cannot run is refused by name and line, all of it at once", () => {
  expect(
    problemsOf(`
      topology:
        kinds:
          linux:
            exec:
              - iperf3 -s -D
        nodes:
          srl1: {kind: nokia_srlinux}
          l1:
            kind: linux
            binds: [a:b]
            exec:
              - ip addr add 10.0.0.1/24 dev eth9
          l2: {kind: linux}
        links:
          - endpoints: [l1:eth1, lx:eth1]
          - endpoints: [l1:eth2, host:veth0]
          - type: dummy
    `),
  ).toEqual([
    'x.clab.yml:15:28: topology.links[0].endpoints[1] names no node: "lx:eth1". Did you mean "l1"?',
    'x.clab.yml:16:28: topology.links[1].endpoints[1] cannot be run here: "host:veth0" is an interface of the host.',
    'x.clab.yml:17:7: topology.links[2].type cannot be run here: "dummy"; only links between nodes can.',
    'x.clab.yml:7:5: topology.nodes.srl1 cannot be run here: it is of the kind "nokia_srlinux". Kinds that can: linux, bridge, ovs-bridge.',
    "x.clab.yml:10:7: topology.nodes.l1.binds cannot be run here: a lab runs no programs of containers.",
    'x.clab.yml:5:11: topology.kinds.linux.exec[0] cannot be run here: "iperf3 -s -D". Commands that can: ip addr add, ip route add, ip link set up, sysctl for forwarding.',
    'x.clab.yml:12:11: topology.nodes.l1.exec[0] cannot be run here: "ip addr add 10.0.0.1/24 dev eth9": eth9 has no link.',
  ]);
});

test.each([
  [
    "a node that does not forward",
    'topology: {nodes: {a: {kind: linux, exec: ["sysctl -w net.ipv4.ip_forward=0"]}, b: {kind: linux}}, links: [{endpoints: [a:e1, b:e1]}, {endpoints: [a:e2, b:e2]}]}',
    "does not forward",
  ],
  [
    "a second address",
    'topology: {nodes: {a: {kind: linux, exec: ["ip addr add 10.0.0.1/8 dev e1", "ip addr add 11.0.0.1/8 dev e1"]}, b: {kind: linux}}, links: [{endpoints: [a:e1, b:e1]}, {endpoints: [a:e2, b:e2]}]}',
    "e1 has a second address, 11.0.0.1/8",
  ],
  [
    "a program",
    "topology: {nodes: {a: {kind: linux, cmd: nginx}}}",
    "topology.nodes.a.cmd cannot be run here: a lab runs no programs",
  ],
  ["no nodes", "name: x", "topology has no nodes"],
  [
    "a template",
    'topology: {nodes: {a: {kind: linux}}, links: [{endpoints: ["a:{{ .x }}", a:e2]}]}',
    "must be node:interface",
  ],
])("%s is refused", (_what, text, message) => {
  expect(problemsOf(text).join("\n")).toContain(message);
});

test("a container of FRR becomes a Linux node with its files and commands", () => {
  const text = `
    topology:
      groups:
        routers: {kind: linux, image: quay.io/frrouting/frr:10.5.1}
      nodes:
        r1:
          group: routers
          binds: [r1/frr.conf:/etc/frr/frr.conf, "r1/daemons:/etc/frr/daemons:ro", /lib/modules:/lib/modules:ro]
          exec: [sysctl -w net.ipv4.fib_multipath_hash_policy=1]
        r2: {kind: linux, image: bird2}
      links: [{endpoints: [r1:eth2, r2:eth1], mtu: 1400}]
  `;
  expect(readContainerlab(yaml(text), "labs/x.clab.yml")).toEqual({
    nodes: {
      r1: {
        type: "linux",
        image: "frr",
        ports: 3,
        files: {
          "/etc/frr/frr.conf": { from: "labs/r1/frr.conf" },
          "/etc/frr/daemons": { from: "labs/r1/daemons" },
        },
        commands: ["ip link set eth2 mtu 1400", "sysctl -w net.ipv4.fib_multipath_hash_policy=1"],
      },
      r2: {
        type: "linux",
        image: "bird",
        ports: 2,
        files: {},
        commands: ["ip link set eth1 mtu 1400"],
      },
    },
    links: [{ link: "r1:eth2 -- r2:eth1" }],
  });
});

test.each([
  [
    "binds: [/etc/hosts:/etc/hosts]",
    'binds[0] cannot be run here: "/etc/hosts:/etc/hosts"; only files beside the topology can.',
  ],
  ["binds: [a]", 'binds[0] cannot be run here: "a"; only files beside the topology can.'],
  ["cmd: start", "cmd cannot be run here: a lab runs no programs of containers."],
])("a container of FRR with %s is refused", (field, message) => {
  const problems = problemsOf(`
    topology:
      nodes:
        r1: {kind: linux, image: frr, ${field}}
        pc: {kind: linux}
      links: [{endpoints: [r1:eth1, pc:eth1]}]
  `);
  expect(problems.join("\n")).toContain(`topology.nodes.r1.${message}`);
});

test("a Linux node has the ports eth0 to eth63", () => {
  const problems = problemsOf(`
    topology:
      nodes:
        r1: {kind: linux, image: frr}
        pc: {kind: linux}
      links: [{endpoints: [r1:net1, pc:eth1]}]
  `);
  expect(problems.join("\n")).toContain("topology.nodes.r1 cannot be run here: net1 is not eth0 to eth63.");
});
