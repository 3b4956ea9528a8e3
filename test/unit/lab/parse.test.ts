import { describe, expect, test } from "vitest";
import { parse, problemsIn } from "./helpers.ts";

describe("a lab file", () => {
  test("has ten lines for two PCs and a claim", () => {
    const model = parse(`
      name: first
      nodes:
        pc1: 10.0.0.1/24
        pc2: 10.0.0.2/24
      links:
        - pc1 -- pc2
      expect:
        - reach: pc1 -> pc2
    `);
    expect(model).toMatchObject({
      name: "first",
      seed: "1",
      nodes: [
        { name: "pc1", isStarted: true, addresses: ["10.0.0.1"], place: { line: 3, column: 3 } },
        { name: "pc2", addresses: ["10.0.0.2"] },
      ],
      links: [
        {
          name: "pc1-pc2",
          ends: [
            { node: "pc1", port: 0 },
            { node: "pc2", port: 0 },
          ],
          isDown: false,
        },
      ],
      expectations: [{ name: "reach: pc1 -> pc2", isNegated: false, place: { line: 8, column: 5 } }],
    });
  });

  test("may be JSON", () => {
    expect(parse('{"nodes": {"pc1": "dhcp"}, "links": []}').nodes[0]!.spec).toMatchObject({
      startupScript: "ip dhcp",
    });
  });

  test("gives links the lowest free ports, after those that it names", () => {
    const { links } = parse(`
      nodes: {sw: switch, a: pc, b: pc, c: pc}
      links: [a -- sw, b -- sw:0, c -- sw]
    `);
    expect(links.map(({ ends: [, end] }) => end.port)).toEqual([1, 0, 2]);
  });

  test("gives a switch as many ports as its links need", () => {
    const pcs = Array.from({ length: 12 }, (_, index) => `p${index}`);
    const { nodes } = parse(
      `{nodes: {sw: switch, ${pcs.map((name) => `${name}: pc`)}}, links: [${pcs.map((name) => `${name} -- sw`)}]}`,
    );
    expect(nodes[0]!.ports).toHaveLength(12);
  });

  test("names a second link between the same nodes with a number", () => {
    const { links } = parse("{nodes: {a: switch, b: switch}, links: [a -- b, a -- b]}");
    expect(links.map(({ name }) => name)).toEqual(["a-b", "a-b-2"]);
  });

  test("sorts its events, and names those without a name by what they do", () => {
    const { events } = parse(`
      nodes: {a: pc, b: pc}
      links: [{link: a -- b, name: wan}]
      run:
        - {at: 2s, down: wan}
        - {up: wan}
        - {at: 500ms, stop: [a, b], name: dark}
    `);
    expect(events.map(({ atNs, name }) => [atNs, name])).toEqual([
      [500_000_000, "dark"],
      [2_000_000_000, "down wan"],
      [2_000_000_000, "up wan"],
    ]);
  });

  test("takes filters as scalars, lists and with units", () => {
    const { links } = parse(`
      nodes: {s: switch, t: switch}
      links:
        - {link: s -- t, filters: {delay: 30ms, packet_loss: 10%, bpf: icmp}}
        - {link: s -- t, filters: {delay: [5, 2]}, down: true}
    `);
    expect(links.map(({ filters, isDown }) => [filters.settings, isDown])).toEqual([
      [{ packet_loss: [10], delay: [30], bpf: ["icmp"] }, false],
      [{ delay: [5, 2] }, true],
    ]);
  });
});

describe("a wrong lab file", () => {
  test.each<[string, string, string]>([
    ["a misspelt key", "node: {a: pc}", 'test.lab.yaml:1:1: node is not a field here. Did you mean "nodes"?'],
    ["no nodes", "links: []", "test.lab.yaml:1:1: has no nodes: add `nodes` or `topology`."],
    ["YAML that does not parse", "nodes: {a: pc", "test.lab.yaml:1:14: is not YAML"],
    [
      "a type that does not exist",
      "nodes:\n  a: swich",
      'test.lab.yaml:2:3: nodes.a must be a type or an address, got "swich". Did you mean "switch"?',
    ],
    ["a type in an object", "nodes:\n  a: {type: brdge}", "test.lab.yaml:2:7: nodes.a.type is not a type"],
    ["a node that is a list", "nodes:\n  a: []", "nodes.a must be a type, an address or a map, got []."],
    ["a name with a space", 'nodes: {"a b": pc}', "is not a name of a node"],
    [
      "an address without length",
      "nodes:\n  a: {ip: 10.0.0.1}",
      'test.lab.yaml:2:7: nodes.a.ip must be an address with prefix length (10.0.0.1/24), dhcp or auto, got "10.0.0.1".',
    ],
    [
      "a cloud with two networks",
      "nodes:\n  c: {type: cloud, tap: t0, interface: eth0}",
      "nodes.c has tap and interface; a cloud has one.",
    ],
    [
      "a cloud at a name",
      "nodes:\n  c: {type: cloud, udp: {listen: 'localhost:1', to: '127.0.0.1:2'}}",
      'nodes.c listen must be an IP address with a port, as in 127.0.0.1:20000, got "localhost:1".',
    ],
    [
      "a cloud without a port",
      "nodes:\n  c: {type: cloud, udp: {listen: '127.0.0.1:1', to: 127.0.0.1}}",
      'nodes.c to must be an IP address with a port, as in 127.0.0.1:20000, got "127.0.0.1".',
    ],
    [
      "a VXLAN out of range",
      "nodes:\n  c: {type: cloud, vxlan: {vni: 16777216, listen: 10.0.0.1, to: 10.0.0.2}}",
      "nodes.c vni must be an integer from 0 to 16777215, got 16777216.",
    ],
    [
      "an interface whose name is an option of another program",
      "nodes:\n  c: {type: cloud, interface: 'eth0,exec=sh'}",
      "nodes.c must be the name of an interface",
    ],
    ["a router with a bad port", "nodes:\n  r: {type: router, ports: [10.0.0.1]}", "test.lab.yaml:2:"],
    [
      "a VLAN out of range",
      "nodes:\n  s: {type: switch, vlans: {0: 5000}}",
      "nodes.s.vlans.0 must be a VLAN from 1 to 4094, or trunk, got 5000.",
    ],
    [
      "a VLAN of a port that is not there",
      "nodes:\n  s: {type: switch, ports: 2, vlans: {4: 10}}",
      "is not a port of the switch, which has ports 0 to 1.",
    ],
    [
      "a link to an unknown node",
      "nodes: {pc1: pc}\nlinks:\n  - pc1 -- pc2",
      'test.lab.yaml:3:5: links[0] names no node: "pc2". Did you mean "pc1"?',
    ],
    ["a link that is no pair", "nodes: {a: pc}\nlinks: [a]", "must name two nodes"],
    ["a link with itself", "nodes: {s: switch}\nlinks: [s -- s]", "links[0] joins s with itself."],
    [
      "a port that is taken",
      "nodes: {s: switch, a: pc, b: pc}\nlinks: [a -- s:0, b -- s:0]",
      "links[1] takes port 0 of s a second time.",
    ],
    [
      "a port that does not exist",
      "nodes: {a: pc, b: pc}\nlinks: [a:eth7 -- b]",
      'links[0] names no port of a: "eth7".',
    ],
    [
      "a second link at a PC",
      "nodes: {a: pc, b: pc, c: pc}\nlinks: [a -- b, a -- c]",
      "links[1] finds no free port at a, which has 1.",
    ],
    [
      "two links of one name",
      "nodes: {s: switch, t: switch}\nlinks: [{link: s -- t, name: x}, {link: s -- t, name: x}]",
      'links[1].name is taken: "x".',
    ],
    [
      "a filter out of range",
      "nodes: {a: pc, b: pc}\nlinks:\n  - {link: a -- b, filters: {packet_loss: 101}}",
      "test.lab.yaml:3:30: links[0].filters.packet_loss Chance must be an integer from 0 to 100 (%), got 101",
    ],
    [
      "an event that does nothing",
      "nodes: {a: pc}\nrun: [{at: 1s}]",
      "run[0] does nothing; add one of: console",
    ],
    [
      "a time that is none",
      "nodes: {a: pc}\nrun: [{at: soon, stop: a}]",
      'run[0].at must be a lab time such as 1.5s, 20ms or 2m, got "soon".',
    ],
    [
      "a console of a switch",
      "nodes: {s: switch}\nrun: [{console: {s: show}}]",
      'run[0].console.s must be a PC, a router, a server or a Linux node; "s" is a switch.',
    ],
    [
      "an unknown link",
      "nodes: {a: pc, b: pc}\nlinks: [a -- b]\nrun: [{down: wan}]",
      'run[0].down names no link: "wan". Expected one of: a-b.',
    ],
    [
      "a link between nodes that have none",
      "nodes: {a: pc, b: pc}\nrun: [{down: a -- b}]",
      "there is none between a and b.",
    ],
    [
      "two events of one name",
      "nodes: {a: pc}\nrun: [{stop: a, name: x}, {start: a, name: x}]",
      'run[1].name is taken: "x".',
    ],
    [
      "a replay without files",
      "nodes: {a: pc, b: pc}\nlinks: [a -- b]\nrun: [{replay: {file: x.pcap, from: a}}]",
      "run[0].replay.file cannot be read",
    ],
    [
      "an unknown expectation",
      "nodes: {a: pc}\nexpect: [{reech: a -> b}]",
      'expect[0].reech is not an expectation. Did you mean "reach"?',
    ],
    [
      "an expectation that is text",
      "nodes: {a: pc}\nexpect: [reach]",
      "expect[0] must be a map that begins with a kind",
    ],
    [
      "an unknown field of an expectation",
      "nodes: {a: pc, b: pc}\nexpect:\n  - reach: a -> b\n    trys: 2",
      'test.lab.yaml:4:5: expect[0].trys is not a field here. Did you mean "tries"?',
    ],
    ["a pair that is none", "nodes: {a: pc, b: pc}\nexpect: [{reach: a b}]", "must be two nodes, pc1 -> pc2"],
    ["a node to itself", "nodes: {a: pc}\nexpect: [{reach: a -> a}]", "is from a to itself."],
    [
      "a ping from a switch",
      "nodes: {s: switch, a: pc}\nexpect: [{reach: s -> a}]",
      'must be a PC, a router, a server or a Linux node, which have a console; "s" is a switch.',
    ],
    [
      "an expression that does not compile",
      "nodes: {a: pc}\nexpect: [{seen: tcp prot 80}]",
      "expect[0].seen is not a pcap-filter expression",
    ],
    [
      "a direction without a link",
      "nodes: {a: pc}\nexpect: [{seen: icmp, from: a}]",
      "expect[0].from needs a link.",
    ],
    [
      "a direction from elsewhere",
      "nodes: {a: pc, b: pc, c: pc}\nlinks: [a -- b]\nexpect: [{seen: icmp, link: a-b, from: c}]",
      'is not at the link a-b: "c".',
    ],
    [
      "a comparison that is none",
      "nodes: {a: pc, b: pc}\nexpect: [{ping: a -> b, max: fast}]",
      "expect[0].max must be a number or a comparison",
    ],
    [
      "a time of the past",
      "nodes: {a: pc, b: pc}\nexpect: [{reach: a -> b, at: -1s}]",
      "expect[0].at must be a lab time",
    ],
    [
      "an event that does not exist",
      "nodes: {a: pc, b: pc}\nexpect: [{reach: a -> b, after: crash}]",
      'expect[0].after names no event of run: "crash".',
    ],
    [
      "at beside after",
      "nodes: {a: pc, b: pc}\nrun: [{stop: b, name: x}]\nexpect: [{reach: a -> b, after: x, at: 1s}]",
      "cannot stand beside `at`.",
    ],
    [
      "a time that a kind has no use for",
      "nodes: {a: pc, b: pc}\nlinks: [a -- b]\nexpect: [{ping: a -> b, lost: 0, within: 5s}]",
      "expect[0].within is not for ping: give the moment with `at`.",
    ],
    [
      "a path without a claim",
      "nodes: {a: pc, b: pc}\nexpect: [{path: a -> b}]",
      "needs via, through or hops.",
    ],
    [
      "via beside through",
      "nodes: {a: pc, b: pc}\nexpect: [{path: a -> b, via: [], through: []}]",
      "cannot stand beside `via`.",
    ],
    [
      "a console without a pattern",
      "nodes: {a: pc}\nexpect: [{console: a}]",
      "needs either contains or matches.",
    ],
    [
      "a regular expression that is none",
      "nodes: {a: pc}\nexpect: [{console: a, matches: '('}]",
      "is not a regular expression",
    ],
    [
      "a filter without a figure",
      "nodes: {a: pc, b: pc}\nlinks: [a -- b]\nexpect: [{filter: a-b, type: delay}]",
      "needs seen, dropped or corrupted.",
    ],
    [
      "a budget without a figure",
      "nodes: {a: pc}\nexpect: [{budget: lab}]",
      "needs events, packets or bytes.",
    ],
    [
      "events of a link",
      "nodes: {a: pc, b: pc}\nlinks: [a -- b]\nexpect: [{budget: a-b, events: 3}]",
      "are counted for the whole lab only.",
    ],
    [
      "a clock that is no time",
      "nodes: {a: pc}\nclock: noon",
      "clock must be a time such as 2026-01-01T00:00:00Z",
    ],
    [
      "a topology without a loader",
      "topology: x.clab.yml",
      "topology cannot be used: no files are available here",
    ],
    [
      "a number below its least",
      "nodes: {a: pc, b: pc}\nexpect: [{reach: a -> b, tries: 0}]",
      "expect[0].tries must be at least 1, got 0.",
    ],
    ["text for a list", "nodes: {a: pc}\nlinks: x", 'links must be a list, got "x".'],
  ])("with %s is refused", (_what, text, message) => {
    expect(problemsIn(text).join("\n")).toContain(message);
  });

  test("is reported whole", () => {
    expect(problemsIn("nodes: {a: swich, b: ruter}")).toHaveLength(2);
  });
});
