import { formatRouterProperties, parseRouterProperties } from "@wirelab/engine/devices/router/index";
import { describe, expect, it } from "vitest";
import { makeBed, say, shownLines } from "../probe.ts";

const LINES = [
  "ip Ethernet0 10.0.1.1/24",
  "ip Ethernet1 10.0.2.1/24",
  "ip nat source Ethernet1 10.0.1.0/24 interface overload",
  "ip nat source Ethernet1 10.0.3.0/24 10.0.2.100-10.0.2.109",
  "ip nat source Ethernet1 10.0.4.0/24 10.0.2.110 overload",
  "ip nat static Ethernet1 10.0.1.9 10.0.2.9",
  "ip nat forward Ethernet1 tcp 80 10.0.1.10",
  "ip nat forward Ethernet1 tcp 10.0.2.50 8000-8009 10.0.1.10 9000",
  "ip nat hairpin",
];

describe("the translation of a configuration", () => {
  it("is shown as the commands that make it", () => {
    const bed = makeBed({ ports: [{}, {}] });
    for (const line of LINES) expect([line, ...say(bed, line)]).toEqual([line]);
    expect(shownLines(bed)).toEqual([
      "Ethernet0: ip address 10.0.1.1/24",
      "Ethernet1: ip address 10.0.2.1/24",
      ...LINES.slice(2),
    ]);
    const { running } = bed.router.saveState();
    expect(parseRouterProperties(formatRouterProperties(running))).toEqual({ ok: true, config: running });
    expect(running.nat).toEqual({
      source: [
        { out: "Ethernet1", from: "10.0.1.0/24", to: "interface", overload: true },
        { out: "Ethernet1", from: "10.0.3.0/24", to: "10.0.2.100-10.0.2.109", overload: false },
        { out: "Ethernet1", from: "10.0.4.0/24", to: "10.0.2.110", overload: true },
      ],
      static: [{ out: "Ethernet1", inside: "10.0.1.9", outside: "10.0.2.9" }],
      forward: [
        { out: "Ethernet1", protocol: "tcp", port: 80, to: "10.0.1.10" },
        {
          out: "Ethernet1",
          protocol: "tcp",
          address: "10.0.2.50",
          port: 8_000,
          last_port: 8_009,
          to: "10.0.1.10",
          to_port: 9_000,
        },
      ],
      hairpin: true,
    });
  });

  it("is gone when its lines are taken back", () => {
    const bed = makeBed();
    const before = bed.router.saveState();
    const lines = LINES.filter((line) => line.startsWith("ip nat"));
    for (const line of lines) expect(say(bed, line)).toEqual([]);
    for (const line of lines) expect(say(bed, `no ${line}`)).toEqual([]);
    expect(bed.router.saveState()).toEqual(before);
  });

  it("knows ports by their names in any case", () => {
    const bed = makeBed();
    expect(say(bed, "ip nat source ethernet1 10.0.1.0/24 INTERFACE")).toEqual([]);
    expect(say(bed, "show run")).toContain("ip nat source Ethernet1 10.0.1.0/24 interface overload");
    expect(say(bed, "no ip nat source ethernet1 10.0.1.0/24 interface overload")).toEqual([]);
  });

  it.each([
    ["ip nat", /^Usage: \[no\] ip nat source/],
    ["ip nat inside", /^Usage: \[no\] ip nat source/],
    ["ip nat source Ethernet1 10.0.1.0/24", /^Usage:/],
    ["ip nat source Ethernet1 10.0.1.0/24 interface alone", /^Usage:/],
    ["ip nat source Ethernet7 10.0.1.0/24 interface", /^there is no port Ethernet7$/],
    ["ip nat static Ethernet1 10.0.1.9", /^Usage:/],
    ["ip nat forward Ethernet1 tcp 80", /^Usage:/],
    ["ip nat forward Ethernet1 tcp http 10.0.1.10", /^Usage:/],
    ["ip nat forward Ethernet1 icmp 80 10.0.1.10", /^"icmp" is not tcp or udp$/],
    ["ip nat forward Ethernet1 tcp 80-79 10.0.1.10", /^last_port must be 80 to 65535, not 79$/],
    ["ip nat hairpin on", /^Usage:/],
    ["no ip nat", /^Usage:/],
    ["no ip nat hairpin off", /^Usage:/],
    ["no ip nat static Ethernet1 10.0.1.9 10.0.2.9", /^There is no such rule/],
    ["no ip 0", /^Usage: no /],
  ])("rejects `%s`", (line, complaint) => {
    const bed = makeBed();
    expect(say(bed, line).join("\n")).toMatch(complaint);
    expect(bed.router.saveState()).toEqual(makeBed().router.saveState());
  });

  it("is nothing to show for a router without it", () => {
    expect(say(makeBed(), "show ip nat translations")).toEqual(["No translations"]);
  });
});

describe("the properties of translation", () => {
  const problems = (nat: unknown): string[] => {
    const parsed = parseRouterProperties({ ports: [{ ipv4: "10.0.1.1/24" }, {}], nat });
    return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path.join(".")}: ${message}`);
  };
  const out = "Ethernet1";
  const source = (more: object) => ({ source: [{ out, from: "10.0.0.0/8", ...more }] });
  const forward = (more: object) => ({
    forward: [{ out, protocol: "tcp", port: 80, to: "10.0.1.9", ...more }],
  });
  const two = [{ out, inside: "10.0.1.9", outside: "10.0.2.9" }];

  it.each([
    [[], "nat: must be an object"],
    [{ rules: [] }, "nat.rules: is not a known property; known are source, static, forward, hairpin"],
    [{ hairpin: 1 }, "nat.hairpin: must be true or false"],
    [{ source: {} }, "nat.source: must be an array"],
    [{ source: new Array(17).fill({}) }, "nat.source: must have 0 to 16 items, not 17"],
    [{ source: [1] }, "nat.source.0: must be an object"],
    [{ source: [{ from: "10.0.0.0/8" }] }, "nat.source.0.out: must be a string"],
    [source({ out: "Ethernet2" }), "nat.source.0.out: there is no port Ethernet2"],
    [source({ from: "10.0.0.1/8" }), "nat.source.0.from: 10.0.0.1/8 has bits set after its prefix"],
    [source({ from: "any" }), 'nat.source.0.from: "any" is not an IPv4 prefix (10.0.0.0/8)'],
    [
      source({ to: "10.0.0.9-10.0.0.1" }),
      'nat.source.0.to: "10.0.0.9-10.0.0.1" is not interface, an address or a pool (203.0.113.5-203.0.113.9)',
    ],
    [source({ to: "10.0.0.0-10.0.1.0" }), "nat.source.0.to: the pool has 257 addresses; 256 are allowed"],
    [source({ to: "224.0.0.1" }), "nat.source.0.to: 224.0.0.1 has addresses that no host can have"],
    [
      source({ overload: false }),
      "nat.source.0.overload: hosts share the address of a port: overload must be true",
    ],
    [source({ overload: "yes" }), "nat.source.0.overload: must be true or false"],
    [{ static: [{ out, inside: "10.0.1.9" }] }, "nat.static.0.outside: must be a string"],
    [
      { static: [{ out, inside: "10.0.1.9", outside: "10.0.1.1" }] },
      "nat.static.0.outside: 10.0.1.1 is the router's own address",
    ],
    [
      { static: [{ out, inside: "255.255.255.255", outside: "10.0.1.2" }] },
      "nat.static.0.inside: 255.255.255.255 is not the address of a host",
    ],
    [
      { static: [...two, { ...two[0], outside: "10.0.2.8" }] },
      "nat.static.1.inside: 10.0.1.9 has a translation already",
    ],
    [
      { static: [...two, { ...two[0], inside: "10.0.1.8" }] },
      "nat.static.1.outside: 10.0.2.9 has a translation already",
    ],
    [forward({ protocol: "icmp" }), 'nat.forward.0.protocol: "icmp" is not tcp or udp'],
    [forward({ port: 0 }), "nat.forward.0.port: must be 1 to 65535, not 0"],
    [forward({ last_port: 79 }), "nat.forward.0.last_port: must be 80 to 65535, not 79"],
    [forward({ last_port: 90, to_port: 65_526 }), "nat.forward.0.to_port: must be 1 to 65525, not 65526"],
    [forward({ address: "10.0.1.1" }), "nat.forward.0.address: 10.0.1.1 is the router's own address"],
    [
      { forward: [forward({ last_port: 90 }).forward[0], forward({ port: 90 }).forward[0]] },
      "nat.forward.1.port: forward 0 has the same port",
    ],
  ])("are rejected if they are %j", (nat, problem) => {
    expect(problems(nat)).toEqual([problem]);
  });

  it("are absent if they say nothing", () => {
    const parsed = parseRouterProperties({ nat: { source: [], hairpin: false } });
    expect(parsed.ok && "nat" in parsed.config).toBe(false);
  });
});
