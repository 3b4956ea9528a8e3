import { formatRouterProperties, parseRouterProperties } from "@wirelab/engine/devices/router/index";
import { describe, expect, it } from "vitest";
import {
  PBR_RULE_USAGE,
  parsePbrRule,
} from "../../../../../../packages/engine/devices/router/services/policy/parse-pbr-rule.ts";
import {
  formatPbrRule,
  type PbrRule,
} from "../../../../../../packages/engine/devices/router/services/policy/pbr-rule.ts";
import { makeBed } from "../probe.ts";

const format = (text: string): string => {
  const rule = parsePbrRule(text, 10);
  return typeof rule === "string" ? `error: ${rule}` : formatPbrRule(rule);
};

describe("a rule of policy routing", () => {
  it.each([
    ["set drop", "seq 10 set drop"],
    [
      "SEQ 5 match src-ip 10.0.1.5 match dst-ip 10.0.0.0/8 match ip-protocol TCP match src-port 80 set nexthop 10.0.2.2",
      "seq 5 match src-ip 10.0.1.5/32 dst-ip 10.0.0.0/8 ip-protocol tcp src-port 80 set nexthop 10.0.2.2",
    ],
    ["dst-port 80-90 ip-protocol 17 set vrf Red", "seq 10 match ip-protocol udp dst-port 80-90 set vrf Red"],
    ["match dscp ef set dscp af21", "seq 10 match dscp 46 set dscp 18"],
    ["dscp cs7 set drop", "seq 10 match dscp 56 set drop"],
    [
      "src-ip 2001:DB8::/32 ip-protocol icmpv6 set nexthop 2001:db8:1::2 track 2001:db8:9::1 nexthop 2001:db8:2::2 set dscp 0",
      "seq 10 match src-ip 2001:db8::/32 ip-protocol icmpv6 set dscp 0 nexthop 2001:db8:1::2 track 2001:db8:9::1 nexthop 2001:db8:2::2",
    ],
    ["ip-protocol 58 set drop", "seq 10 match ip-protocol icmpv6 set drop"],
    ["ip-protocol icmp set dscp 0 drop", "error: a packet that is dropped gets no code point"],
    ["src-ip 0.0.0.0/0 set drop", "seq 10 match src-ip 0.0.0.0/0 set drop"],
  ])("`%s` has the form `%s`", (text, formatted) => {
    expect(format(text)).toBe(formatted);
    if (!formatted.startsWith("error")) expect(format(formatted)).toBe(formatted);
  });

  it.each([
    ["", "the rule ends before set"],
    ["match src-ip", "the rule ends before the prefix of src-ip"],
    ["match src-ip 10.0.0.0/33 set drop", "10.0.0.0/33 is not an address or a prefix"],
    [
      "match src-ip 10.0.0.1/8 set drop",
      "10.0.0.1/8 has bits set after its prefix; the network is 10.0.0.0/8",
    ],
    ["match src-ip 10.0.0.1 src-ip 10.0.0.2 set drop", "src-ip is there twice"],
    ["match source 10.0.0.1 set drop", `source is not expected here: ${PBR_RULE_USAGE}`],
    ["match __proto__ 1 set drop", `__proto__ is not expected here: ${PBR_RULE_USAGE}`],
    ["match ip-protocol 0x11 set drop", "0x11 is not tcp, udp, icmp, icmpv6 or a number up to 255"],
    ["match ip-protocol 256 set drop", "256 is not tcp, udp, icmp, icmpv6 or a number up to 255"],
    [
      "match ip-protocol constructor set drop",
      "constructor is not tcp, udp, icmp, icmpv6 or a number up to 255",
    ],
    ["match ip-protocol tcp dst-port 65536 set drop", "65536 is not a port, 0 to 65535, or a range (80-90)"],
    ["match ip-protocol tcp dst-port 90-80 set drop", "the range ends at 80, before 90"],
    ["match ip-protocol tcp dst-port http set drop", "http is not a port, 0 to 65535, or a range (80-90)"],
    ["match dst-port 80 set drop", "dst-port needs ip-protocol tcp or udp"],
    ["match ip-protocol icmp src-port 80 set drop", "src-port needs ip-protocol tcp or udp"],
    ["match dscp 64 set drop", "64 is not a code point: 0 to 63, cs1, af11, ef"],
    ["match dscp af44 set drop", "af44 is not a code point: 0 to 63, cs1, af11, ef"],
    ["match dscp constructor set drop", "constructor is not a code point: 0 to 63, cs1, af11, ef"],
    ["match src-ip 10.0.0.1 set", "the rule ends before what it sets"],
    ["match src-ip 10.0.0.1", "the rule ends before set"],
    ["set mark 1", `mark is not expected here: ${PBR_RULE_USAGE}`],
    ["set dscp 1 dscp 2", `dscp is not expected here: ${PBR_RULE_USAGE}`],
    ["set nexthop gw", "gw is not an IPv4 or IPv6 address"],
    ["set nexthop 10.0.2.2 track", "the rule ends before what it tracks"],
    ["set nexthop 10.0.2.2 vrf red", "vrf is not expected after nexthop"],
    ["set vrf", "the rule ends before the name of a VRF"],
    ["set vrf red drop", "drop is not expected after vrf"],
    ["set drop nexthop 10.0.2.2", "nexthop is not expected after drop"],
    ["match src-ip 10.0.0.1 dst-ip 2001:db8::1 set drop", "its addresses are of different families"],
    ["match src-ip 10.0.0.1 set nexthop 2001:db8::1", "its addresses are of different families"],
    ["set nexthop 10.0.2.2 track 2001:db8::1", "its addresses are of different families"],
    [
      `set ${Array.from({ length: 9 }, (_, index) => `nexthop 10.0.2.${index + 2}`).join(" ")}`,
      "a rule has 8 next hops at most, not 9",
    ],
    ["seq 0 set drop", "the number of the rule must be 1 to 65535, not 0"],
    ["seq 65536 set drop", "the number of the rule must be 1 to 65535, not 65536"],
  ])("`%s` is wrong", (text, message) => {
    expect(parsePbrRule(text, 10)).toBe(message);
  });

  it("is of the family of its addresses", () => {
    const family = (text: string): string | undefined => (parsePbrRule(text, 1) as PbrRule).family;
    expect(family("src-ip 10.0.0.1 set drop")).toBe("ipv4");
    expect(family("set nexthop 2001:db8::1")).toBe("ipv6");
    expect(family("ip-protocol tcp set drop")).toBeUndefined();
  });
});

const PORTS = [{ ipv4: "10.0.1.1/24", ipv6: "2001:db8:1::1/64" }, { ipv4: "10.0.2.1/24" }];
const problems = (properties: object): string[] => {
  const parsed = parseRouterProperties({ ports: PORTS, ...properties });
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path.join(".")}: ${message}`);
};
const map = (...rules: unknown[]): object => ({ pbr_maps: [{ name: "P", rules }] });

describe("the maps of a router's properties", () => {
  it("become a configuration with numbers, which formats as it was", () => {
    const parsed = parseRouterProperties({
      ports: [{ ...PORTS[0], pbr_policy: "P" }, PORTS[1]],
      ...map("match src-ip 10.0.1.10 set nexthop 10.0.2.2", "seq 15 set drop", "set dscp 8"),
    });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    const properties = formatRouterProperties(parsed.config);
    expect(properties.pbr_maps).toEqual([
      {
        name: "P",
        rules: [
          "seq 10 match src-ip 10.0.1.10/32 set nexthop 10.0.2.2",
          "seq 15 set drop",
          "seq 25 set dscp 8",
        ],
      },
    ]);
    expect(properties.ports?.map((port) => port.pbr_policy)).toEqual(["P", undefined]);
    expect(parseRouterProperties(properties)).toEqual(parsed);
  });

  it("leave no trace in the state of a router without them", () => {
    expect(JSON.stringify(makeBed({ ...{ ports: PORTS }, pbr_maps: [] }).router.saveState())).not.toMatch(
      /pbr|polic/i,
    );
  });

  it.each<[object, string]>([
    [{ pbr_maps: {} }, "pbr_maps: must be an array"],
    [{ pbr_maps: [1] }, "pbr_maps.0: must be an object"],
    [
      { pbr_maps: [{ name: "P", rules: ["set drop"], family: 4 }] },
      "pbr_maps.0.family: is not a known property; known are name, rules",
    ],
    [
      { pbr_maps: [{ name: "P P", rules: ["set drop"] }] },
      'pbr_maps.0.name: "P P" is not a name of a map (letters, digits, . _ -)',
    ],
    [{ pbr_maps: [{ name: "P", rules: [] }] }, "pbr_maps.0.rules: must have 1 to 512 items, not 0"],
    [map("set drop", 7), "pbr_maps.0.rules.1: must be a string"],
    [map("set"), "pbr_maps.0.rules.0: the rule ends before what it sets"],
    [map("seq 20 set drop", "seq 20 set drop"), "pbr_maps.0.rules.1: rule 20 comes after rule 20"],
    [map("seq 65530 set drop", "set drop"), "pbr_maps.0.rules.1: the rule needs a number up to 65535"],
    [
      map("set nexthop 10.0.3.2"),
      "pbr_maps.0.rules.0: the gateway 10.0.3.2 is not on the subnet of any port",
    ],
    [map("set nexthop 10.0.2.1"), "pbr_maps.0.rules.0: the gateway 10.0.2.1 is the router's own address"],
    [
      map("set nexthop fe80::1"),
      "pbr_maps.0.rules.0: fe80::1 is a link-local address: name a gateway by its global one",
    ],
    [map("set vrf red"), "pbr_maps.0.rules.0: no interface is in the VRF red"],
    [
      {
        pbr_maps: [
          { name: "P", rules: ["set drop"] },
          { name: "P", rules: ["set drop"] },
        ],
      },
      "pbr_maps.1.name: P is also the name of map 0",
    ],
    [
      {
        pbr_maps: ["A", "B"].map((name) => ({ name, rules: Array.from({ length: 257 }, () => "set drop") })),
      },
      "pbr_maps: the maps have 514 rules; 512 are allowed",
    ],
    [
      { pbr_maps: Array.from({ length: 65 }, (_, index) => ({ name: `P${index}`, rules: ["set drop"] })) },
      "pbr_maps: must have 0 to 64 items, not 65",
    ],
    [{ ports: [{ pbr_policy: "Q" }], ...map("set drop") }, "ports.0.pbr_policy: there is no PBR map Q"],
    [{ ports: [{ pbr_policy: "Q" }] }, "ports.0.pbr_policy: there is no PBR map Q"],
    // Only the map is wrong: the port's name of it may be right.
    [
      { ports: [{ pbr_policy: "P" }], pbr_maps: [{ name: "P", rules: [] }] },
      "pbr_maps.0.rules: must have 1 to 512 items, not 0",
    ],
    [{ ports: {}, ...map("set vrf red", "set nexthop 10.0.9.9") }, "ports: must be an array"],
    [{ ports: [{ pbr_policy: 1 }], ...map("set drop") }, "ports.0.pbr_policy: must be a string"],
    [
      { interfaces: [{ type: "loopback", name: "lo", pbr_policy: "Q" }], ...map("set drop") },
      "interfaces.0.pbr_policy: there is no PBR map Q",
    ],
  ])("are rejected if they are %j", (properties, problem) => {
    expect(problems(properties)).toEqual([problem]);
  });
});
