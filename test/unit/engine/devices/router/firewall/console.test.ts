import { stateWhenOff } from "@wirelab/engine/devices/make-device";
import {
  formatRouterProperties,
  parseRouterProperties,
  type RouterState,
} from "@wirelab/engine/devices/router/index";
import { describe, expect, it } from "vitest";
import { ip, makeBed, paste, ROUTER_MAC, say, shownLines, specOf, TWO_SUBNETS } from "../probe.ts";

const LINES = [
  "access-list WEB 10 permit tcp any host 10.0.2.10 eq 80",
  "access-list WEB 20 deny ip any any log",
  "ipv6 access-list SIX 10 permit icmpv6 any any type 128",
  "ipv6 access-list SIX 20 permit ipv6 2001:db8:1::/64 any state established,related",
  "connections limit 100",
  "connections udp_seconds 200",
  "ip Ethernet0 10.0.1.1/24",
  "ip Ethernet0 2001:db8:1::1/64",
  "access-group Ethernet0 WEB in",
  "access-group Ethernet0 WEB out",
  "access-group Ethernet0 SIX in",
  "ip Ethernet1 10.0.2.1/24",
  "ip Ethernet1 2001:db8:2::1/64",
  "access-group Ethernet1 SIX out",
];

describe("the filtering part of a configuration", () => {
  it("is shown as the commands that make it", () => {
    const bed = makeBed({ ports: [{}, {}] });
    for (const line of LINES) expect([line, ...say(bed, line)]).toEqual([line]);
    const { running } = bed.router.saveState();
    const pasted = makeBed({ ports: [{}, {}] });
    paste(pasted, say(bed, "show running-config"));
    expect(pasted.router.saveState().running).toEqual(running);
    expect(shownLines(bed)).toEqual([
      ...LINES.slice(0, 6),
      "Ethernet0: ip address 10.0.1.1/24",
      "Ethernet0: ipv6 address 2001:db8:1::1/64",
      "Ethernet0: no ipv6 nd suppress-ra",
      "Ethernet0: access-group WEB in",
      "Ethernet0: access-group WEB out",
      "Ethernet0: access-group SIX in",
      "Ethernet1: ip address 10.0.2.1/24",
      "Ethernet1: ipv6 address 2001:db8:2::1/64",
      "Ethernet1: no ipv6 nd suppress-ra",
      "Ethernet1: access-group SIX out",
    ]);
  });

  it("is the same as properties", () => {
    const bed = makeBed({ ports: [{}, {}] });
    for (const line of LINES) say(bed, line);
    const { running } = bed.router.saveState();
    expect(running.acls).toEqual([
      {
        name: "WEB",
        family: "ipv4",
        rules: ["10 permit tcp any host 10.0.2.10 eq 80", "20 deny ip any any log"],
      },
      {
        name: "SIX",
        family: "ipv6",
        rules: [
          "10 permit icmpv6 any any type 128",
          "20 permit ipv6 2001:db8:1::/64 any state established,related",
        ],
      },
    ]);
    expect(parseRouterProperties(formatRouterProperties(running))).toEqual({ ok: true, config: running });
  });

  it("survives a stop if it is saved", () => {
    const bed = makeBed();
    for (const line of LINES.slice(0, 9)) say(bed, line);
    say(bed, "write");
    const stored = JSON.parse(JSON.stringify(bed.router.saveState()));
    const state = stateWhenOff(specOf(TWO_SUBNETS), stored) as RouterState;
    expect(say(makeBed(TWO_SUBNETS, state), "show run")).toEqual(say(bed, "show run"));
  });

  it.each([
    [
      ["access-list L permit tcp any any", "access-list L 5 deny udp any any"],
      ["5 deny udp any any", "10 permit tcp any any"],
    ],
    [["access-list L permit tcp any any", "access-list L 10 deny udp any any"], ["10 deny udp any any"]],
    [
      ["access-list L permit tcp any any", "access-list L deny udp any any", "no access-list L 10"],
      ["20 deny udp any any"],
    ],
  ])("is edited by rule numbers: %j", (lines, rules) => {
    const bed = makeBed();
    for (const line of lines) expect(say(bed, line)).toEqual([]);
    expect(bed.router.saveState().running.acls).toEqual([{ name: "L", family: "ipv4", rules }]);
  });

  it.each([
    [["access-list L permit ip any any", "no access-list L"]],
    [["access-list L permit ip any any", "no access-list L 10"]],
    [["ipv6 access-list L permit ipv6 any any", "no ipv6 access-list L"]],
    [["connections limit 10", "no connections limit"]],
    [
      [
        "access-list L permit ip any any",
        "access-group 0 L in",
        "no access-group 0 L in",
        "no access-list L",
      ],
    ],
  ])("leaves nothing behind when it is taken away: %j", (lines) => {
    const bed = makeBed();
    const before = bed.router.saveState();
    for (const line of lines) expect(say(bed, line)).toEqual([]);
    expect(bed.router.saveState()).toEqual(before);
  });

  it.each([
    ["access-list", /^Usage: \[ipv6\] access-list NAME/],
    ["access-list L", /^Usage: \[ipv6\] access-list NAME/],
    ["access-list L permit", /^a protocol is not ip/],
    ["access-list -L permit ip any any", /is not a name of a list/],
    ["access-list L 65536 permit ip any any", /must be 1 to 65535/],
    ["ipv6 address", /^Usage: \[no\] ipv6 access-list/],
    ["no access-list", /^Usage: no \[ipv6\] access-list/],
    ["no access-list M", /^There is no IPv4 access list M$/],
    ["no ipv6 access-list HELD", /^There is no IPv6 access list HELD$/],
    ["no access-list HELD 11", /^The list HELD has no rule 11$/],
    ["no access-list HELD", /^there is no IPv4 access list HELD$/],
    ["ipv6 access-list HELD permit ipv6 any any", /^HELD is an IPv4 list$/],
    ["access-group 0 HELD", /^Usage: access-group/],
    ["access-group 0 HELD up", /^Usage: access-group/],
    ["access-group 0 M in", /^There is no access list M$/],
    ["access-group 7 HELD in", /^There is no port 7/],
    ["no access-group 0 HELD out", /^HELD is not the list of packets that go out there$/],
    ["connections", /^Usage: connections limit\|/],
    ["connections limit many", /^Usage: connections limit\|/],
    ["connections limit 1025", /^limit must be 1 to 1024, not 1025$/],
    ["connections udp_seconds 119", /^udp_seconds must be 120 to 86400, not 119$/],
    ["no connections", /^Usage: no connections/],
  ])("rejects `%s`", (line, complaint) => {
    const bed = makeBed();
    say(bed, "access-list HELD permit ip any any");
    say(bed, "access-group 0 HELD in");
    const before = bed.router.saveState();
    expect(say(bed, line).join("\n")).toMatch(complaint);
    expect(bed.router.saveState()).toEqual(before);
  });

  it("says that nothing is there", () => {
    const bed = makeBed();
    expect(say(bed, "show access-lists")).toEqual(["No access lists"]);
    expect(say(bed, "show connections")).toEqual([
      "Connections are not tracked: no rule has `state`, and no address is translated",
    ]);
  });
});

describe("the filtering properties", () => {
  const problems = (input: object): string[] => {
    const parsed = parseRouterProperties(input);
    return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path.join(".")}: ${message}`);
  };
  const rules = ["permit ip any any"];

  it.each([
    [{ acls: 1 }, "acls: must be an array"],
    [{ acls: [1] }, "acls.0: must be an object"],
    [{ acls: [{ name: "L" }] }, "acls.0.rules: must be an array"],
    [{ acls: [{ name: "L", rules: [] }] }, "acls.0.rules: must have 1 to 512 items, not 0"],
    [{ acls: [{ name: "L", rules: [1] }] }, "acls.0.rules.0: must be a string"],
    [
      { acls: [{ name: "L", rules: ["permit"] }] },
      "acls.0.rules.0: a protocol is not ip, tcp, udp, icmp or a number",
    ],
    [
      { acls: [{ name: "L", rules: ["9 permit ip any any", "9 deny ip any any"] }] },
      "acls.0.rules.1: rule 9 comes after rule 9",
    ],
    [
      { acls: [{ name: "L", rules: ["65535 permit ip any any", "deny ip any any"] }] },
      "acls.0.rules.1: the rule needs a number up to 65535",
    ],
    [{ acls: [{ name: "L", family: "ipx", rules }] }, 'acls.0.family: "ipx" is not ipv4 or ipv6'],
    [
      { acls: [{ name: "a b", rules }] },
      'acls.0.name: "a b" is not a name of a list (letters, digits, . _ -)',
    ],
    [
      { acls: [{ name: "L", rules, log: 1 }] },
      "acls.0.log: is not a known property; known are name, family, rules",
    ],
    [
      {
        acls: [
          { name: "L", rules },
          { name: "L", rules },
        ],
      },
      "acls.1.name: L is also the name of list 0",
    ],
    [{ acls: Array.from({ length: 65 }, () => ({})) }, "acls: must have 0 to 64 items, not 65"],
    [
      { acls: [0, 1].map((n) => ({ name: `L${n}`, rules: new Array(300).fill("permit ip any any") })) },
      "acls: the lists have 600 rules; 512 are allowed",
    ],
    [{ ports: [{ acl_in: "M" }] }, "ports.0.acl_in: there is no IPv4 access list M"],
    [{ ports: [{ acl6_out: 1 }] }, "ports.0.acl6_out: must be a string"],
    [
      { acls: [{ name: "L", rules }], ports: [{ acl6_in: "L" }] },
      "ports.0.acl6_in: there is no IPv6 access list L",
    ],
    [
      { interfaces: [{ name: "Ethernet0.5", vlan: 5, acl_out: "M" }] },
      "interfaces.0.acl_out: there is no IPv4 access list M",
    ],
    [{ connections: [] }, "connections: must be an object"],
    [{ connections: { limit: 0 } }, "connections.limit: must be 1 to 1024, not 0"],
    [
      { connections: { tcp_established_seconds: 7_439 } },
      "connections.tcp_established_seconds: must be 7440 to 604800, not 7439",
    ],
    [{ connections: { icmp_seconds: "60" } }, "connections.icmp_seconds: must be an integer"],
  ])("are rejected if they are %j", (input, problem) => {
    expect(problems(input)).toEqual([problem]);
  });

  it("are absent from the state of a router that does not filter", () => {
    const bed = makeBed({ ...TWO_SUBNETS, acls: [], connections: { limit: 1_024 } });
    expect(bed.router.saveState()).toEqual(makeBed().router.saveState());
  });

  it("of a rule that did not change keep its counter, others begin anew", () => {
    const bed = makeBed({
      acls: [{ name: "L", rules: ["permit 253 any any", "permit 254 any any"] }],
      ports: [{ ipv4: "10.0.1.1/24", acl_in: "L" }, { ipv4: "10.0.2.1/24" }],
    });
    for (const protocol of [253, 254, 254, 255])
      bed.a.send4(ROUTER_MAC, { target: ip("10.0.2.10"), protocol }, new Uint8Array(8));
    bed.bench.run();
    say(bed, "access-list L 10 deny 1 any any");
    say(bed, "access-list L 15 deny 2 any any");
    expect(bed.router.saveState().firewall?.acls?.hits).toEqual({ L: [0, 0, 2, 1] });
    say(bed, "mtu 0 1400");
    const state = JSON.parse(JSON.stringify(bed.router.saveState()));
    expect(state.firewall.acls.hits).toEqual({ L: [0, 0, 2, 1] });
    expect(makeBed(undefined, state).router.saveState()).toEqual(state);
  });
});
