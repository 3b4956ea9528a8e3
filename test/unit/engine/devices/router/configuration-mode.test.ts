/** Configuration mode: what FRR's vtysh 8.4.4 has, measured in a terminal, and what is the router's own. */
import type { RouterState } from "@wirelab/engine/devices/router/index";
import { describe, expect, it } from "vitest";
import { type Bed, makeBed, say, shownLines, TWO_SUBNETS } from "./probe.ts";

/** Types lines, which must print nothing. */
function configured(lines: readonly string[], properties: unknown = TWO_SUBNETS): Bed {
  const bed = makeBed(properties);
  for (const line of lines) expect([line, say(bed, line)]).toEqual([line, []]);
  return bed;
}

const promptAfter = (...lines: readonly string[]): string => promptOf(configured(lines));
const promptOf = (bed: Bed): string => bed.router.console.prompt;
const words = (lines: readonly string[]): string[] => lines.map((line) => line.trim().split(/\s+/)[0]!);

describe("the prompt of a router", () => {
  it.each([
    [[], "R1> "],
    [["configure terminal"], "R1(config)# "],
    [["conf t"], "R1(config)# "],
    [["configure"], "R1(config)# "],
    [["conf t", "interface Ethernet1"], "R1(config-if)# "],
    [["conf t", "int 1"], "R1(config-if)# "],
    [["conf t", "router rip"], "R1(config-router)# "],
    [["conf t", "int 1", "router rip"], "R1(config-router)# "],
    [["conf t", "router rip", "int 1"], "R1(config-if)# "],
    [["conf t", "int 1", "exit"], "R1(config)# "],
    [["conf t", "int 1", "quit", "quit"], "R1> "],
    [["conf t", "int 1", "end"], "R1> "],
    [["conf t", "router rip", "no router rip"], "R1(config)# "],
    [["conf t", "interface lo0 loopback", "interface lo0", "no interface lo0"], "R1(config)# "],
  ])("after %j is %s", (lines, prompt) => expect(promptAfter(...lines)).toBe(prompt));

  it("is kept from run to run, and lost with the power", () => {
    const state = JSON.parse(
      JSON.stringify(configured(["conf t", "int 1"]).router.saveState()),
    ) as RouterState;
    expect(promptOf(makeBed(TWO_SUBNETS, state))).toBe("R1(config-if)# ");
    expect(promptOf(makeBed(TWO_SUBNETS))).toBe("R1> ");
  });

  it("adds nothing to the state of a router at the first prompt", () => {
    expect(configured(["conf t", "end"]).router.saveState()).toEqual(makeBed().router.saveState());
  });
});

describe("configuration mode", () => {
  it.each([
    ["ip route 10.9.0.0/16 10.0.1.9", "ip route 10.9.0.0/16 10.0.1.9"],
    ["ip route 10.9.0.0/16 10.0.1.9 7", "ip route 10.9.0.0/16 10.0.1.9 7"],
    ["ip route 10.9.0.0/16 blackhole", "ip route 10.9.0.0/16 blackhole"],
    ["ip route 10.9.0.0/16 null0", "ip route 10.9.0.0/16 blackhole"],
    ["ip route 10.9.0.0/16 reject 9", "ip route 10.9.0.0/16 reject 9"],
    ["ip ro 10.9.0.0/16 10.0.1.9 track 10.0.2.7", "ip route 10.9.0.0/16 10.0.1.9 track 10.0.2.7"],
    ["ipv6 route 2001:db8:9::/48 2001:db8:1::9", "ipv6 route 2001:db8:9::/48 2001:db8:1::9"],
  ])("`%s` is `%s`", (line, shown) => {
    const bed = configured(["conf t", line, line]);
    expect(say(bed, "do show run").filter((each) => /^ip(v6)? route/.test(each))).toEqual([shown]);
    expect(say(bed, `no ${line}`)).toEqual([]);
    expect(say(bed, "do show run").filter((each) => /^ip(v6)? route/.test(each))).toEqual([]);
  });

  it("removes a route of any distance, and of a VRF, if none is given", () => {
    const bed = configured(["conf t", "ip route 10.9.0.0/16 10.0.1.9 7", "no ip route 10.9.0.0/16 10.0.1.9"]);
    expect(say(bed, "do show run").join()).not.toContain("ip route");
  });

  it.each([
    ["ip route", "% Command incomplete: ip route"],
    ["ip route 10.9.0.0/16", "% Command incomplete: ip route 10.9.0.0/16"],
    ["ip route x 10.0.1.9", "% Unknown command: ip route x 10.0.1.9"],
    ["ip route 10.9.0.0/16 10.0.1.9 x", "% Unknown command: ip route 10.9.0.0/16 10.0.1.9 x"],
    ["ip route 2001:db8::/32 2001:db8:1::9", "2001:db8::/32 is not an IPv4 prefix, like 10.9.0.0/16"],
    ["ipv6 route 10.9.0.0/16 10.0.1.9", "10.9.0.0/16 is not an IPv6 prefix, like 2001:db8::/32"],
    ["ip route 10.9.0.0/16 10.7.1.2", "the gateway 10.7.1.2 is not on the subnet of any port"],
    ["no ip route 10.9.0.0/16 10.0.1.9", "% Refusing to remove a non-existent route"],
    ["interface Ethernet9", "There is no port Ethernet9: show ip lists the ports"],
    ["show ip route", "% Unknown command: show ip route"],
    ["configure terminal", "% Unknown command: configure terminal"],
    ["do", "% Unknown command: do"],
    ["do frobnicate", "% Unknown command: do frobnicate"],
    ["do show", "% Command incomplete: do show"],
  ])("rejects `%s`: %s", (line, complaint) => {
    const bed = configured(["conf t"]);
    expect(say(bed, line)).toEqual([complaint]);
    expect(promptOf(bed)).toBe("R1(config)# ");
  });

  it("takes the commands of the first prompt that configure", () => {
    const bed = configured(["conf t", "ip 0 10.0.7.1/24", "mtu 0 1400"]);
    expect(say(bed, "do show run")).toEqual(expect.arrayContaining([" mtu 1400"]));
  });

  it("saves, as vtysh does in it", () => {
    const bed = configured(["conf t", "ip route 10.9.0.0/16 blackhole"]);
    expect(say(bed, "write")).toEqual(["Saved: the router starts with this configuration"]);
    expect(say(bed, "do show startup")).toContain("ip route 10.9.0.0/16 blackhole");
    expect(say(bed, "do wr t")).toEqual(say(bed, "do show run"));
  });

  it("is not needed at the first prompt, which has none of FRR's forms", () => {
    expect(say(makeBed(), "interface Ethernet0")[0]).toMatch(/^Usage: interface /);
    expect(say(makeBed(), "end")).toEqual(["% Unknown command: end"]);
  });

  it("lists its own words for a question mark, and those of the first prompt after do", () => {
    const bed = configured(["conf t"]);
    expect(words(say(bed, "?"))).toEqual(expect.arrayContaining(["end", "exit", "interface", "ip", "no"]));
    expect(words(say(bed, "?"))).not.toContain("show");
    expect(words(say(bed, "do show ip r?"))).toEqual(["rip", "route"]);
    expect(words(say(bed, "interface ?"))).toEqual(["NAME", "PORT", "Ethernet0", "PORT.N"]);
    expect(words(say(bed, "ip route 10.0.0.0/8 ?"))).toEqual(["GW", "Null0", "blackhole", "reject"]);
  });
});

describe("the mode of an interface", () => {
  const inside = (...lines: readonly string[]): Bed =>
    configured(["conf t", "interface Ethernet0", ...lines], { ports: [{}, {}] });
  const shown = (bed: Bed): readonly string[] => {
    say(bed, "end");
    const lines = shownLines(bed);
    for (const line of ["conf t", "int 0"]) say(bed, line);
    return lines;
  };

  it.each([
    ["ip address 10.0.1.1/24", ["Ethernet0: ip address 10.0.1.1/24"]],
    ["ip addr 10.0.1.1/24", ["Ethernet0: ip address 10.0.1.1/24"]],
    [
      "ipv6 address 2001:db8::1/64",
      ["Ethernet0: ipv6 address 2001:db8::1/64", "Ethernet0: no ipv6 nd suppress-ra"],
    ],
    ["ipv6 nd suppress-ra", ["Ethernet0: ipv6 nd suppress-ra"]],
    ["shutdown", ["Ethernet0: shutdown"]],
    ["mtu 1400", ["Ethernet0: mtu 1400"]],
    ["vrf red", ["interface Ethernet0 vrf red"]],
    ["ra off", ["Ethernet0: ipv6 nd suppress-ra"]],
    ["mtu Ethernet1 1400", ["Ethernet1: mtu 1400"]],
    ["ip Ethernet1 10.0.2.1/24", ["Ethernet1: ip address 10.0.2.1/24"]],
    ["ip route 10.0.0.0/8 blackhole", ["ip route 10.0.0.0/8 blackhole"]],
  ])("takes `%s`", (line, lines) => expect(shown(inside(line))).toEqual(lines));

  it.each([
    ["ip address 10.0.1.1/24", "no ip address"],
    ["ip address 10.0.1.1/24", "no ip address 10.0.1.1/24"],
    ["ipv6 address 2001:db8::1/64", "no ipv6 address"],
    ["ipv6 address 2001:db8::1/64", "no ipv6 address 2001:DB8:0:0::1/64"],
    ["ipv6 nd suppress-ra", "no ipv6 nd suppress-ra"],
    ["shutdown", "no shutdown"],
    ["mtu 1400", "no mtu"],
    ["vrf red", "no vrf"],
  ])("takes `%s` back by `%s`", (line, back) => expect(shown(inside(line, back))).toEqual([]));

  it("serves addresses, and is in virtual routers", () => {
    const bed = inside(
      "ip address 10.0.1.1/24",
      "dhcp 10.0.1.100 10.0.1.199 lease 60",
      "vrrp 7 ip 10.0.1.254",
    );
    expect(shown(bed)).toEqual([
      "Ethernet0: ip address 10.0.1.1/24",
      "Ethernet0: dhcp 10.0.1.100 10.0.1.199 lease 60",
      "Ethernet0: vrrp 7 ip 10.0.1.254",
    ]);
    for (const line of ["no vrrp 7", "dhcp off"]) expect(say(bed, line)).toEqual([]);
    expect(shown(bed)).toEqual(["Ethernet0: ip address 10.0.1.1/24"]);
  });

  it("ends the relay of its interface alone", () => {
    const relay = [
      "ip address 10.0.1.1/24",
      "ip 1 10.0.2.1/24",
      "dhcp-relay 10.0.2.9",
      "dhcp-relay 1 10.0.1.9",
    ];
    expect(shown(inside(...relay, "no dhcp-relay"))).toContain("dhcp-relay Ethernet1 10.0.1.9");
  });

  it.each([
    ["no ip address", "% Can't find address"],
    ["no ip address 10.9.9.9/24", "% Can't find address"],
    ["ip address", "% Command incomplete: ip address"],
    ["ip address 2001:db8::1/64", "2001:db8::1/64 is not an IPv4 address with prefix length"],
    ["ipv6 address 10.0.1.1/24", "10.0.1.1/24 is not an IPv6 address with prefix length"],
    ["ip address 10.0.1.0/24", "10.0.1.0 is the network address of 10.0.1.0/24"],
    ["mtu 1", "mtu must be 68 to 9216, not 1"],
  ])("rejects `%s`: %s", (line, complaint) => {
    expect(say(configured(["conf t", "int 0"], { ports: [{}] }), line)).toEqual([complaint]);
  });

  it("lists only its own words for a question mark", () => {
    const listed = words(say(inside(), "?"));
    expect(listed).toEqual(expect.arrayContaining(["dhcp", "exit", "ip", "ipv6", "mtu", "no", "shutdown"]));
    expect(listed).not.toContain("interface");
    expect(words(say(inside(), "ip ?"))).toContain("address");
  });
});

describe("the mode of RIP", () => {
  const LINES = [
    "network 10.0.1.0/24",
    "neighbor 10.0.1.9",
    "passive-interface Ethernet0",
    "redistribute static metric 3",
    "default-information originate",
    "timers basic 10 60 40",
    "split-horizon simple",
  ];

  it.each(LINES)("takes `%s`", (line) => {
    const bed = configured(["conf t", "router rip", line]);
    expect(say(bed, "do show run")).toContain(` ${line}`);
  });

  it("takes all back with no before the line, and knows version 2 alone", () => {
    const bed = configured(["conf t", "router rip", "version 2", ...LINES]);
    for (const line of [...LINES.slice(0, 3), "redistribute static", "default-information originate"])
      expect([line, say(bed, `no ${line}`)]).toEqual([line, []]);
    expect(say(bed, "no timers basic")).toEqual([]);
    expect(say(bed, "no split-horizon")).toEqual([]);
    expect(say(bed, "do show run").filter((line) => line.startsWith("router"))).toEqual(["router rip"]);
    expect(say(bed, "version 1")).toEqual(["% Unknown command: version 1"]);
  });

  it("takes whole lines and those of configuration mode", () => {
    const bed = configured([
      "conf t",
      "router rip",
      "router rip network 10.0.1.0/24",
      "ip route 10.9.0.0/16 blackhole",
    ]);
    expect(say(bed, "do show run")).toContain(" network 10.0.1.0/24");
  });
});
