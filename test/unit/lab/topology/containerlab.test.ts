import { expect, test } from "vitest";
import { readContainerlab } from "../../../../packages/lab/topology/containerlab.ts";
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

const nodeOf = (exec: string, more = "") =>
  read(`
    topology:
      nodes: {a: {kind: linux, exec: [${exec}]${more}}, b: {kind: linux}}
      links: [{endpoints: [a:eth1, b:eth1]}]
  `).nodes.a;
const ADDRESS = "ip addr add 10.0.0.1/24 dev eth1";
const PC = { type: "pc", ip: ["10.0.0.1/24"] };

test.each([
  ["ip route add default via 10.0.0.2, ip route del default", PC],
  [
    "ip route add default via 10.0.0.2, ip route replace default via 10.0.0.3",
    { ...PC, gateway: "10.0.0.3" },
  ],
  ["ip route del default, ip route add default via 10.0.0.2", { ...PC, gateway: "10.0.0.2" }],
  ["sysctl -w net.ipv4.ip_forward=1, echo hello, cat /etc/hosts, apk add curl", PC],
  ["ip r a default via 10.0.0.2 dev eth1 proto static", { ...PC, gateway: "10.0.0.2" }],
  ["ip -4 ro add default dev eth1 via 10.0.0.2 onlink", { ...PC, gateway: "10.0.0.2" }],
  ["route add default gw 10.0.0.2 eth1", { ...PC, gateway: "10.0.0.2" }],
  ["ip l s eth1 up mtu 1400", { ...PC, commands: "set mtu 1400" }],
  ["ip link set dev eth0 down, ip a flush dev eth0, ip -br a", PC],
  [
    "bash -c 'ip route del default 2>/dev/null || true; ip route add default via 10.0.0.2'",
    { ...PC, gateway: "10.0.0.2" },
  ],
  ["\"sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward'\"", PC],
  ["ip a flush dev eth1, ifconfig eth1 10.0.0.9 netmask 255.255.0.0 up", { type: "pc", ip: ["10.0.0.9/16"] }],
  ["ip addr flush eth1, udhcpc -i eth1 -n -q", { type: "pc", ip: ["dhcp"] }],
])("the commands %s are done in their order", (exec, node) => {
  expect(nodeOf(`${ADDRESS}, ${exec}`)).toEqual(node);
});

test("routes of ifconfig's companion are the routes of ip", () => {
  expect(
    nodeOf(
      "ifconfig eth1 10.0.0.1/24, route add -net 10.1.0.0 netmask 255.255.0.0 gw 10.0.0.2, route add -host 10.2.0.1 gw 10.0.0.2",
    ),
  ).toMatchObject({
    type: "router",
    routes: [
      { to: "10.1.0.0/16", via: "10.0.0.2" },
      { to: "10.2.0.1/32", via: "10.0.0.2" },
    ],
  });
});

test.each([
  "echo 5 > /proc/sys/net/ipv4/ip_default_ttl",
  "ip route add 10.1.0.0/16 dev eth1",
  "ip route add default via 10.9.9.9",
  "ip addr add 10.1.0.1/24 dev lo",
  "cat $(ip route add default via 10.0.0.2)",
  "ip route add default via 10.0.0.2; ip route add default via 10.0.0.3",
  "ip link add br0 type bridge",
  "tc qdisc add dev eth1 root netem delay 10ms",
  "sysctl -w net.ipv4.conf.all.rp_filter=1",
  "ip link set eth1 address 02:00:00:00:00:01",
  "pingus",
])("the command %s becomes one of a Linux node, as it is", (exec) => {
  expect(nodeOf(`${ADDRESS}, '${exec}'`)).toEqual({
    type: "linux",
    image: "debian",
    ports: 2,
    files: {},
    addresses: ["10.0.0.1/24", ...(exec.includes("dev lo") ? ["10.1.0.1/24"] : [])],
    commands: [],
    exec: [
      { run: ADDRESS.split(" "), place: expect.stringContaining("x.clab.yml:2:") },
      { run: expect.arrayContaining([exec.split(" ")[0]]), place: expect.stringContaining("x.clab.yml:2:") },
    ],
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

test("what a lab cannot run is refused by name and line, with the way out, all of it at once", () => {
  expect(
    problemsOf(`
      topology:
        nodes:
          srl1: {kind: nokia_srlinux}
          l1:
            kind: linux
            binds: [/etc/shadow:/b]
            network-mode: host
          l2: {kind: linux, devices: [/dev/sda]}
        links:
          - endpoints: [l1:eth1, lx:eth1]
          - endpoints: [l1:eth2, host:veth0]
          - type: vxlan
    `),
  ).toEqual([
    'x.clab.yml:10:28: topology.links[0].endpoints[1] names no node: "lx:eth1". Did you mean "l1"?',
    'x.clab.yml:11:28: topology.links[1].endpoints[1] cannot be run here: "host:veth0": it ends at the host. Delete the link, or let a lab file with `topology` add a node of the type `cloud`.',
    'x.clab.yml:12:7: topology.links[2].type cannot be run here: a link of the type "vxlan": it ends at another host. Delete the link, or let a lab file with `topology` add a node of the type `cloud`.',
    'x.clab.yml:3:5: topology.nodes.srl1 cannot be run here: it is of the kind "nokia_srlinux". Kinds that can: linux, frr, bridge, ovs-bridge. Replace the node, or delete it and its links.',
    "x.clab.yml:7:7: topology.nodes.l1.network-mode cannot be run here: the container shares the network of the host. Delete the key, and give the node links of its own.",
    'x.clab.yml:6:15: topology.nodes.l1.binds[0] cannot be run here: "/etc/shadow" belongs to the host. Copy what the node needs beside the topology, or delete the bind.',
    'x.clab.yml:8:33: topology.nodes.l2.devices[0] cannot be run here: "/dev/sda" is a device of the host. Delete it.',
  ]);
});

test("a node of netlab without an image here is refused with netlab's way out", () => {
  expect(
    problemsOf(`
      name: o
      mgmt: {network: netlab_mgmt}
      topology:
        nodes:
          s1:
            kind: ceos
            image: ceos:4.33.1F
    `),
  ).toEqual([
    'x.clab.yml:5:5: topology.nodes.s1 cannot be run here: it is of the kind "ceos". Kinds that can: linux, frr, bridge, ovs-bridge. Run `netlab create -d frr` (or `-d bird`); a node with a `device` of its own in the netlab topology needs `device: frr`.',
  ]);
});

test.each([
  [
    "a node that does not forward",
    'topology: {nodes: {a: {kind: linux, exec: ["sysctl -w net.ipv4.ip_forward=0"]}, b: {kind: linux}}, links: [{endpoints: [a:e1, b:e1]}, {endpoints: [a:e2, b:e2]}]}',
  ],
  [
    "a second address",
    'topology: {nodes: {a: {kind: linux, exec: ["ip addr add 10.0.0.1/8 dev e1", "ip addr add 11.0.0.1/8 dev e1"]}, b: {kind: linux}}, links: [{endpoints: [a:e1, b:e1]}, {endpoints: [a:e2, b:e2]}]}',
  ],
  [
    "overlapping networks",
    'topology: {nodes: {a: {kind: linux, exec: ["ip addr add 10.0.0.1/8 dev e1", "ip addr add 10.1.0.1/16 dev e2"]}, b: {kind: linux}}, links: [{endpoints: [a:e1, b:e1]}, {endpoints: [a:e2, b:e2]}]}',
  ],
  ["a file", "topology: {nodes: {a: {kind: linux, binds: ['x:/x']}}}"],
  [
    "a dummy interface",
    "topology: {nodes: {a: {kind: linux}}, links: [{type: dummy, endpoint: {node: a, interface: d0}}]}",
  ],
  [
    "a MAC address",
    "topology: {nodes: {a: {kind: linux}, b: {kind: linux}}, links: [{endpoints: [{node: a, interface: e1, mac: '02:00:00:00:00:01'}, b:e1]}]}",
  ],
])("%s makes a Linux node", (_what, text) => {
  expect(read(text).nodes.a).toMatchObject({ type: "linux", image: "debian" });
});

test("a program that would run as another user than root runs as root, with a warning", () => {
  const warningsFor = (user: string, cmd = 'sh "/a.sh"') =>
    read(`topology: {nodes: {a: {kind: linux, image: alpine, cmd: ${cmd}, exec: [brctl], user: ${user}}}}`)
      .warnings;
  expect(warningsFor("root")).toEqual([]);
  expect(warningsFor('"0:0"')).toEqual([]);
  expect(warningsFor("nobody", "sleep infinity")).toEqual([]);
  expect(warningsFor("nobody")).toEqual([
    'x.clab.yml:1:20: topology.nodes.a runs its program as root: a Linux node has no user "nobody".',
  ]);
});

test("a container is a host if its links are ports of a bridge that has its address", () => {
  const hosts = (...exec: string[]) =>
    read(`
    topology:
      nodes:
        sw: {kind: linux, image: alpine, exec: ${JSON.stringify(["ip link add br0 type bridge", ...exec])}}
        h1: {kind: linux, exec: [ip addr add 10.0.0.1/24 dev eth1]}
        h2: {kind: linux, exec: [ip addr add 10.0.0.2/24 dev eth1]}
      links: [{endpoints: ["sw:eth1", "h1:eth1"]}, {endpoints: ["sw:eth2", "h2:eth1"]}]
  `).hosts;
  const address = "ip addr add 10.0.0.3/24 dev br0";
  expect(hosts("ip link set eth1 master br0", "ip link set dev eth2 up master br0", address)).toEqual(["sw"]);
  expect(hosts("sh -c 'brctl addif br0 eth1 && brctl addif br0 eth2'", address)).toEqual(["sw"]);
  expect(hosts("ip link set eth1 master br0", "ip link set eth2 master br0")).toEqual([]);
  expect(hosts("ip link set eth1 master br0", address)).toEqual([]);
  expect(hosts("ip link set eth1 master br0", "ip link set eth2 master br1", address)).toEqual([]);
});

test("a program of a container is the main program of the Linux node; one that only waits is none", () => {
  const cmd = (text: string) =>
    read(`topology: {nodes: {a: {kind: linux, image: alpine, cmd: ${text}}}}`).nodes.a;
  expect(cmd("sh /start.sh")).toMatchObject({ main: { run: ["sh", "/start.sh"], place: "x.clab.yml:1:52" } });
  expect(cmd("sleep infinity")).toEqual({ type: "pc" });
  expect(cmd("'sh -c \"sleep infinity\"'")).toEqual({ type: "pc" });
});

test("interfaces have the names of the topology, beside the one of the management network", () => {
  const node = (mode: string) =>
    read(`
    topology:
      nodes: {a: {kind: linux, image: frr, binds: ["f:/etc/frr/frr.conf"]${mode}}, b: {kind: linux}}
      links: [{endpoints: [a:net10, b:eth1]}, {endpoints: [a:net2, b:eth2]}]
  `).nodes.a;
  expect(node("")).toMatchObject({ ports: 3, interfaces: ["eth0", "net2", "net10"] });
  expect(node(", network-mode: none")).toMatchObject({ ports: 2, interfaces: ["net2", "net10"] });
});

test("sysctls, variables of the container, folders and interfaces are set before its commands", () => {
  expect(
    read(`
    topology:
      nodes:
        a:
          kind: linux
          sysctls: {net.ipv6.conf.all.accept_dad: 0}
          env: {SPEED: 'a b'}
          env-files: [vars.env]
          volumes: ["data:/data"]
          tmpfs: {/scratch: size=1m}
          hostname: alpha
          exec: [echo __clabNodeName__]
        b: {kind: linux}
      links: [{endpoints: [a:eth1, b:eth1], mtu: 1400}]
  `).nodes.a,
  ).toMatchObject({
    files: { "/run/env.0": { from: "vars.env" } },
    commands: [
      "export SPEED='a b'",
      expect.stringContaining("/run/env.0"),
      "mkdir -p /data /scratch",
      "ip link set eth1 mtu 1400",
    ],
    exec: [
      { run: ["hostname", "alpha"] },
      { run: ["sysctl", "-w", "net.ipv6.conf.all.accept_dad=0"], place: "x.clab.yml:5:17" },
      { run: ["echo", "a"] },
    ],
  });
});

test("a setting that simulated devices have keeps them simulated", () => {
  expect(nodeOf(ADDRESS, ", sysctls: {net.ipv4.ip_forward: 1, net.ipv6.conf.all.disable_ipv6: 0}")).toEqual(
    PC,
  );
});

test("a route of the management network is not deleted, which a lab does not have", () => {
  const { exec } = nodeOf(
    "ip route del default, pingus, ip route add default via 10.0.0.2, ip route del default",
  ) as {
    exec: { run: string[] }[];
  };
  expect(exec.map(({ run }) => run.join(" "))).toEqual([
    "pingus",
    "ip route add default via 10.0.0.2",
    "ip route del default",
  ]);
});

test("variables have their values, their defaults, or stay", () => {
  const text = `topology: {nodes: {\${NAME:=a}: {kind: linux, exec: ['ip addr add \${IP:-10.0.0.9}/24 dev $DEV']}, b: {kind: linux}}, links: [{endpoints: ['a:eth1', 'b:eth1']}]}`;
  expect(readContainerlab(text, "x", { DEV: "eth1", IP: "" }).nodes.a).toEqual({
    type: "pc",
    ip: ["10.0.0.9/24"],
  });
  expect(readContainerlab(text, "x", { IP: "10.0.0.8" }).nodes.a).toMatchObject({
    exec: [{ run: ["ip", "addr", "add", "10.0.0.8/24", "dev", "$DEV"] }],
  });
});

test("the kind frr has the files that containerlab makes for it", () => {
  const frr = (more: string) => read(`topology: {nodes: {r: {kind: frr, image: x${more}}}}`).nodes.r;
  expect(frr(", startup-config: conf/__clabNodeName__.conf")).toMatchObject({
    image: "frr",
    files: {
      "/etc/frr/frr.conf": { from: "conf/r.conf" },
      "/etc/frr/daemons": "configured=yes\n",
      "/etc/frr/vtysh.conf": "service integrated-vtysh-config\n",
    },
  });
  expect(frr(", extras: {frr: {daemons: [ospfd, bfdd]}}")).toMatchObject({
    files: { "/etc/frr/daemons": "ospfd=yes\nbfdd=yes\n" },
  });
  expect(
    problemsOf("topology: {nodes: {r: {kind: frr, extras: {frr: {daemons: [ospf]}}}}}").join("\n"),
  ).toContain('there is no daemon "ospf". Did you mean "ospfd"?');
  expect(problemsOf("topology: {nodes: {r: {kind: frr, startup-config: https://x/y}}}").join("\n")).toContain(
    "Copy the file there, and name the copy.",
  );
});

test("an image whose programs do not run is named once", () => {
  const { warnings } = read(
    "topology: {nodes: {a: {kind: linux, image: grafana/grafana}, b: {kind: linux, image: grafana/grafana}, c: {kind: linux, image: alpine}}}",
  );
  expect(warnings).toEqual([
    'x.clab.yml:1:20: topology.nodes.a is a container of the image "grafana/grafana", whose own programs do not run here: the node has its interfaces, files and commands only.',
  ]);
});

test("scripts of netlab run after the commands, in the order of their names", () => {
  const { nodes } = read(`
    topology:
      nodes:
        r1:
          kind: linux
          image: frr
          binds: ["node_files/r1/ospf:/etc/config/02-ospf.sh", "node_files/r1/initial:/etc/config/01-initial.sh"]
          exec: [sleep 1]
  `);
  expect(nodes.r1).toMatchObject({
    files: { "/etc/config/01-initial.sh": { from: "node_files/r1/initial" } },
    exec: [
      { run: ["sleep", "1"] },
      { run: ["/etc/config/01-initial.sh"] },
      { run: ["/etc/config/02-ospf.sh"], place: "x.clab.yml:6:15" },
    ],
  });
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
        ports: 2,
        interfaces: ["eth0", "eth2"],
        files: {
          "/etc/frr/frr.conf": { from: "labs/r1/frr.conf" },
          "/etc/frr/daemons": { from: "labs/r1/daemons" },
        },
        commands: ["ip link set eth2 mtu 1400"],
        exec: [
          { run: ["sysctl", "-w", "net.ipv4.fib_multipath_hash_policy=1"], place: "labs/x.clab.yml:8:14" },
        ],
      },
      r2: {
        type: "linux",
        image: "bird",
        ports: 2,
        // BIRD does not start if its log is in a folder that is not there.
        files: { "/var/log/.keep": "" },
        commands: ["ip link set eth1 mtu 1400"],
        exec: [],
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
  ["binds: [a]", 'binds[0] must be source:target, got "a".'],
  ["binds: 'a:b'", "binds must be a list."],
  ["exec: 'ip link'", "exec must be a list."],
  ['exec: ["echo \'"]', 'exec[0] is no command: a quote is not closed in "echo \'".'],
  [
    "stages: {create: {exec: [{command: ls, target: host, phase: on-enter}]}}",
    'stages.create.exec[0] cannot be run here: "ls" runs on the host. Delete it.',
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

test("a name that no interface can have is refused", () => {
  const problems = problemsOf(`
    topology:
      nodes:
        r1: {kind: linux, image: frr}
        pc: {kind: linux}
      links: [{endpoints: ["r1:a-name-that-is-too-long", pc:eth1]}]
  `);
  expect(problems.join("\n")).toContain(
    'topology.nodes.r1 cannot be run here: "a-name-that-is-too-long" is no name of an interface. Give it at most 15 characters.',
  );
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
    exec: [{ run: ["sh", "/etc/config/initial"] }],
  });
  expect(warnings).toEqual([]);
});

test.each([
  [
    "in the file",
    "nodes: {}",
    "nodes cannot be run here: containerlab has no such key. Correct or delete it.",
  ],
  [
    "in the topology",
    "topology: {node: {}}",
    'topology.node cannot be run here: containerlab has no such key. Correct or delete it. Did you mean "nodes"?',
  ],
  [
    "in a link",
    "topology: {nodes: {a: {kind: linux}, b: {kind: linux}}, links: [{endpoints: [a:e1, b:e1], name: x}]}",
    "topology.links[0].name cannot be run here",
  ],
  [
    "in an endpoint",
    "topology: {nodes: {a: {kind: linux}, b: {kind: linux}}, links: [{endpoints: [{node: a, interface: e1, max: 02:00:00:00:00:01}, b:e1]}]}",
    "topology.links[0].endpoints[0].max cannot be run here",
  ],
  [
    "in a bridge",
    "topology: {nodes: {a: {kind: bridge, stp: true}}}",
    "topology.nodes.a.stp cannot be run here",
  ],
])("an unknown key %s is refused", (_what, text, message) => {
  expect(problemsOf(text).join("\n")).toContain(message);
});

test("scripts that netlab would run in the network of a host run in the host, in netlab's order, and give it its addresses", () => {
  const scripts: Record<string, string> = {
    "node_files/h1/routing": "ip route add 10.0.0.0/8 via 10.0.0.254 dev eth1\n",
    "node_files/h1/initial": "set -e\nip addr add 10.0.0.1/24 dev eth1\n",
  };
  const netlab = (files: readonly string[]) =>
    readContainerlab(
      yaml(`
    mgmt: {network: netlab_mgmt}
    topology:
      nodes:
        h1: {kind: linux, image: alpine, binds: ["node_files/-shared-hosts:/etc/hosts:ro"]}
        r1: {kind: linux, image: frr, binds: ["node_files/r1/initial:/etc/config/01-initial.sh"]}
      links: [{endpoints: [h1:eth1, r1:eth1]}]
  `),
      "clab.yml",
      {},
      {
        look: (path) => {
          if (path === "node_files/h1") return { kind: "folder", files };
          if (path === "node_files/r1") return { kind: "folder", files: ["initial"] };
          throw new Error(`there is no ${path}`);
        },
        load: (path) => new TextEncoder().encode(scripts[path]),
      },
    );
  const { nodes, hosts } = netlab(["routing", "initial"]);
  expect(nodes.h1).toMatchObject({
    type: "linux",
    image: "debian",
    addresses: ["10.0.0.1/24"],
    files: { "/run/netlab/initial": { from: "node_files/h1/initial" } },
    exec: [{ run: ["sh", "/run/netlab/initial"] }, { run: ["sh", "/run/netlab/routing"] }],
  });
  expect(nodes.r1).toMatchObject({ exec: [{ run: ["/etc/config/01-initial.sh"] }] });
  expect(hosts).toEqual(["h1"]);
  expect(() => netlab(["initial", "dhcp"])).toThrow('netlab would configure "dhcp" of it with Ansible');
});
