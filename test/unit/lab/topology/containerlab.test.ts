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
      h2: {
        type: "router",
        ports: [{ name: "eth1", ipv4: "10.0.1.1/24", mtu: 1400 }],
        routes: [{ to: "10.0.0.0/16", via: "10.0.1.254" }],
      },
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
    links: [{ link: "h1 -- br:p1" }, { link: "r:eth10 -- h2:eth1" }, { link: "br:p2 -- r:eth2" }],
    hosts: ["h2"],
    warnings: [],
  });
});

test("a host with a specific route does not get it as its default gateway, and is still a host", () => {
  const text = (exec: string) => `
    topology:
      nodes:
        a: {kind: linux, exec: [ip addr add 10.0.0.1/24 dev eth1, ${exec}]}
        b: {kind: linux}
      links: [{endpoints: [a:eth1, b:eth1]}]
  `;
  expect(read(text("ip route add 10.9.0.0/16 via 10.0.0.2"))).toMatchObject({
    nodes: { a: { type: "router", routes: [{ to: "10.9.0.0/16", via: "10.0.0.2" }] } },
    hosts: ["a"],
  });
  expect(read(text("ip route add default via 10.0.0.2"))).toMatchObject({
    nodes: { a: { type: "pc", gateway: "10.0.0.2" } },
    hosts: [],
  });
});

test.each([
  ["ip route add default via 10.0.0.2, ip route del default", { type: "pc" }],
  [
    "ip route add default via 10.0.0.2, ip route replace default via 10.0.0.3",
    { type: "pc", gateway: "10.0.0.3" },
  ],
  ["ip route del default, ip route add default via 10.0.0.2", { type: "pc", gateway: "10.0.0.2" }],
  ["echo 1 > /proc/sys/net/ipv4/ip_forward, echo hello, cat /etc/hosts", { type: "pc" }],
])("the commands %s are done in their order", (exec, node) => {
  const { nodes } = read(`
    topology:
      nodes: {a: {kind: linux, exec: [${exec}]}, b: {kind: linux}}
      links: [{endpoints: [a:eth1, b:eth1]}]
  `);
  expect(nodes.a).toEqual(node);
});

test.each([
  "ip route add default via 10.0.0.2; ip route add default via 10.0.0.3",
  "echo 5 > /proc/sys/net/ipv4/ip_default_ttl",
  "echo nameserver 10.0.0.1 >> /etc/resolv.conf",
  "cat $(ip route add default via 10.0.0.2)",
  "ping6xyz",
  "pingus",
])("the command %s is refused, not left out", (exec) => {
  const problems = problemsOf(`
    topology:
      nodes: {a: {kind: linux, exec: ['${exec}']}, b: {kind: linux}}
      links: [{endpoints: [a:eth1, b:eth1]}]
  `);
  expect(problems.join("\n")).toContain("topology.nodes.a.exec[0] cannot be run here");
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
    hosts: [],
    warnings: [
      "labs/x.clab.yml:9:5: topology.nodes.r2 has no routing configuration: neither a file of `binds` nor a command of `exec` configures its daemons.",
    ],
  });
});

test.each([
  [
    "binds: [/etc/hosts:/etc/hosts]",
    'binds[0] cannot be run here: "/etc/hosts:/etc/hosts"; only files beside the topology can.',
  ],
  ["binds: [a]", 'binds[0] cannot be run here: "a"; only files beside the topology can.'],
  ["cmd: start", "cmd cannot be run here: a lab runs no programs of containers."],
  [
    "binds: ['a/initial:/etc/config/initial']",
    "binds[0] cannot be run here: `netlab initial` would run /etc/config/initial, and nothing else does. Add a command to `exec` that runs it.",
  ],
  ["binds: 'a:b'", "binds must be a list."],
  ["exec: 'ip link'", "exec must be a list."],
  [
    "sysctls: {a: 1}",
    "sysctls cannot be run here: this converter does not know what it does to the container.",
  ],
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

test("what netlab writes of runtime, group and management is harmless, and its scripts run by exec are taken", () => {
  const { nodes, warnings } = read(`
    name: x
    prefix: ""
    mgmt: {network: netlab_mgmt, ipv4-subnet: 192.168.121.0/24}
    topology:
      nodes:
        r1:
          mgmt-ipv4: 192.168.121.101
          kind: linux
          restart-policy: 'no'
          image: quay.io/frrouting/frr:10.5.1
          runtime: docker
          group: frr
          binds: ["clab_files/r1/daemons:/etc/frr/daemons", "node_files/r1/initial:/etc/config/initial"]
          exec: ["sh /etc/config/initial"]
        h: {kind: linux, group: }
      links: [{endpoints: ["r1:eth1", "h:eth1"]}]
  `);
  expect(nodes.r1).toMatchObject({
    files: { "/etc/config/initial": {} },
    commands: ["sh /etc/config/initial"],
  });
  expect(warnings).toEqual([]);
});

test.each([
  ["in the file", "nodes: {}", "nodes cannot be run here: this converter does not know the key."],
  [
    "in the topology",
    "topology: {node: {}}",
    'topology.node cannot be run here: this converter does not know the key. Did you mean "nodes"?',
  ],
  [
    "in a link",
    "topology: {nodes: {a: {kind: linux}, b: {kind: linux}}, links: [{endpoints: [a:e1, b:e1], name: x}]}",
    "topology.links[0].name cannot be run here",
  ],
  [
    "in an endpoint",
    "topology: {nodes: {a: {kind: linux}, b: {kind: linux}}, links: [{endpoints: [{node: a, interface: e1, mac: 02:00:00:00:00:01}, b:e1]}]}",
    "topology.links[0].endpoints[0].mac cannot be run here",
  ],
  [
    "in a bridge",
    "topology: {nodes: {a: {kind: bridge, stp: true}}}",
    "topology.nodes.a.stp cannot be run here",
  ],
])("an unknown key %s is refused", (_what, text, message) => {
  expect(problemsOf(text).join("\n")).toContain(message);
});
