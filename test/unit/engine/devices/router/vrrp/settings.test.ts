import { formatRouterProperties, parseRouterProperties } from "@wirelab/engine/devices/router/index";
import { describe, expect, it } from "vitest";
import { makeBed, say, shownLines } from "../probe.ts";

const PORT = { ipv4: "10.0.1.1/24", ipv6: "2001:db8:1::1/64" };

/** `path: message` of each problem. */
const problems = (vrrp: unknown, port: object = PORT): string[] => {
  const parsed = parseRouterProperties({ ports: [{ ...port, vrrp }, {}] });
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path.join(".")}: ${message}`);
};
const one = (more: object): object[] => [{ id: 1, ipv4: ["10.0.1.254"], ...more }];

const USAGE =
  "Usage: vrrp PORT ID [ip ADDR...] [ipv6 ADDR...] [priority N] [advertisement-interval MS] [preempt on|off] [accept on|off] [track PORT N|off]";

describe("the properties of virtual routers", () => {
  it("have defaults, and format as they were", () => {
    const parsed = parseRouterProperties({ ports: [{ ...PORT, vrrp: one({ ipv6: ["FE80::1"] }) }] });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    expect(parsed.config.ports[0]!.vrrp).toEqual([
      {
        id: 1,
        ipv4: ["10.0.1.254"],
        ipv6: ["fe80::1"],
        priority: 100,
        intervalCs: 100,
        preempt: true,
        accept: true,
      },
    ]);
    expect(parseRouterProperties(formatRouterProperties(parsed.config))).toEqual(parsed);
  });

  it.each([
    [{}, "ports.0.vrrp: must be an array"],
    [Array.from({ length: 17 }, () => ({})), "ports.0.vrrp: must have 0 to 16 items, not 17"],
    [[7], "ports.0.vrrp.0: must be an object"],
    [
      one({ vip: 1 }),
      "ports.0.vrrp.0.vip: is not a known property; known are id, ipv4, ipv6, priority, advertisement_interval_cs, preempt, accept, track",
    ],
    [one({ id: 0 }), "ports.0.vrrp.0.id: must be 1 to 255, not 0"],
    [one({ id: 256 }), "ports.0.vrrp.0.id: must be 1 to 255, not 256"],
    [one({ priority: 255 }), "ports.0.vrrp.0.priority: must be 1 to 254, not 255"],
    [
      one({ advertisement_interval_cs: 4096 }),
      "ports.0.vrrp.0.advertisement_interval_cs: must be 1 to 4095, not 4096",
    ],
    [one({ preempt: 1 }), "ports.0.vrrp.0.preempt: must be true or false"],
    [one({ accept: "no" }), "ports.0.vrrp.0.accept: must be true or false"],
    [[{ id: 1 }], "ports.0.vrrp.0: a virtual router needs addresses: ipv4, ipv6 or both"],
    [one({ ipv4: [] }), "ports.0.vrrp.0.ipv4: must have 1 to 16 items, not 0"],
    [one({ ipv4: ["x"] }), 'ports.0.vrrp.0.ipv4.0: "x" is not an IPv4 address'],
    [
      one({ ipv4: ["10.0.2.1"] }),
      "ports.0.vrrp.0.ipv4.0: 10.0.2.1 is not in the interface's subnet 10.0.1.1/24",
    ],
    [one({ ipv4: ["10.0.1.9", "10.0.1.9"] }), "ports.0.vrrp.0.ipv4.1: 10.0.1.9 is in the list already"],
    [
      one({ ipv4: ["10.0.1.9", "10.0.1.1"] }),
      "ports.0.vrrp.0.ipv4: 10.0.1.1 is the interface's own: its owner has no other virtual address",
    ],
    [
      [{ id: 1, ipv6: ["2001:db8:1::9"] }],
      "ports.0.vrrp.0.ipv6.0: the first virtual address is link-local, unlike 2001:db8:1::9",
    ],
    [
      [{ id: 1, ipv6: ["fe80::1", "2001:db8:2::9"] }],
      "ports.0.vrrp.0.ipv6.1: 2001:db8:2::9 is not in the interface's subnet 2001:db8:1::1/64",
    ],
    [[{ id: 1, ipv6: ["fe80::1", "ff02::1"] }], "ports.0.vrrp.0.ipv6.1: ff02::1 is a multicast address"],
    [[...one({}), ...one({})], "ports.0.vrrp.1.id: virtual router 1 is configured already"],
    [one({ track: {} }), "ports.0.vrrp.0.track.interface: must be a string"],
    [
      one({ track: { interface: "Ethernet7", decrement: 1 } }),
      "ports.0.vrrp.0.track.interface: there is no interface Ethernet7",
    ],
    [
      one({ track: { interface: "Ethernet1", decrement: 255 } }),
      "ports.0.vrrp.0.track.decrement: must be 1 to 254, not 255",
    ],
  ])("are rejected if they are %j", (vrrp, problem) => {
    expect(problems(vrrp)).toContain(problem);
  });

  it("are rejected on an interface without an address of the family", () => {
    expect(problems(one({}), { ipv6: "2001:db8:1::1/64" })).toEqual([
      "ports.0.vrrp.0.ipv4: the interface has no address of this family, and VRRP needs one",
    ]);
  });
});

describe("`vrrp` at the console", () => {
  it("makes, changes and removes virtual routers", () => {
    const bed = makeBed();
    for (const line of [
      "vrrp 0 7 ip 10.0.1.254",
      "vrrp 0 7 priority 120 advertisement-interval 250 preempt off accept off track ethernet1 30",
      "vrrp 0 8 ipv6 fe80::8 2001:db8:1::8",
    ])
      expect(say(bed, line)).toEqual([]);
    expect(shownLines(bed).filter((line) => line.includes(": vrrp"))).toEqual([
      "Ethernet0: vrrp 7 ip 10.0.1.254 priority 120 advertisement-interval 250 preempt off accept off track ethernet1 30",
      "Ethernet0: vrrp 8 ipv6 fe80::8 2001:db8:1::8",
    ]);
    expect(say(bed, "vrrp 0 7 track off priority 100 preempt on accept on")).toEqual([]);
    expect(say(bed, "no vrrp 0 8")).toEqual([]);
    expect(shownLines(bed).filter((line) => line.includes(": vrrp"))).toEqual([
      "Ethernet0: vrrp 7 ip 10.0.1.254 advertisement-interval 250",
    ]);
  });

  it.each([
    ["vrrp", "Usage: vrrp PORT ID"],
    ["vrrp 0", USAGE],
    ["vrrp 0 x", USAGE],
    ["vrrp 0 7 ip", USAGE],
    ["vrrp 0 7 ipv6", USAGE],
    ["vrrp 0 7 mode 3", USAGE],
    ["vrrp 0 7 priority", USAGE],
    ["vrrp 0 7 priority 1 2", USAGE],
    ["vrrp 0 7 priority x", USAGE],
    ["vrrp 0 7 advertisement-interval x", USAGE],
    ["vrrp 0 7 preempt maybe", USAGE],
    ["vrrp 0 7 accept 1", USAGE],
    ["vrrp 0 7 track Ethernet1", USAGE],
    ["vrrp 0 7 ip 10.0.1.254 advertisement-interval 15", "advertisement_interval_cs must be an integer"],
    ["vrrp 0 7", "a virtual router needs addresses: ipv4, ipv6 or both"],
    ["vrrp 9 7 ip 10.0.1.254", "There is no port 9: show ip lists the ports"],
    ["no vrrp 0", "Usage: no vrrp PORT ID"],
    ["no vrrp 0 7 8", "Usage: no vrrp PORT ID"],
    ["no vrrp 0 7", "Ethernet0 is not in virtual router 7: show vrrp lists them"],
    ["show vrrp", "No virtual routers"],
  ])("answers `%s` with the reason", (line, complaint) => {
    expect(say(makeBed(), line)[0]).toContain(complaint);
  });
});
