/** The settings of the DHCP relay, of pools behind relays and of reservations: as properties and as commands. */
import { formatRouterProperties, parseRouterProperties } from "@wirelab/engine/devices/router/index";
import { describe, expect, it } from "vitest";
import { type Bed, makeBed, paste, say, shownLines } from "../probe.ts";

const PORTS = [{ ipv4: "10.0.1.1/24" }, { ipv4: "10.0.2.1/24" }, {}];
const RELAY = {
  ports: { Ethernet0: ["10.0.2.9"], Ethernet1: ["10.0.1.9", "10.0.1.10"] },
  max_hops: 8,
  agent_option: true,
};
const POOL = {
  subnet: "10.7.0.0/24",
  gateway: "10.7.0.1",
  first: "10.7.0.100",
  last: "10.7.0.199",
  lease_seconds: 600,
  dns: ["10.0.1.53", "10.0.1.54"],
  domain: "home.example",
  reservations: [
    { mac: "00:50:79:66:68:00", address: "10.7.0.9" },
    { mac: "00:50:79:66:68:01", address: "10.7.0.150" },
  ],
};
const SERVED = {
  ipv4: "10.0.3.1/24",
  dhcp: {
    first: "10.0.3.10",
    last: "10.0.3.20",
    reservations: [{ mac: "00:50:79:66:68:02", address: "10.0.3.5" }],
  },
};

function problems(properties: object, ports: readonly object[] = PORTS): string[] {
  const parsed = parseRouterProperties({ ports, ...properties });
  if (parsed.ok) throw new Error("expected problems");
  return parsed.problems.map(({ path, message }) => `${path.join(".")}: ${message}`);
}
const relayProblems = (relay: unknown, ports?: readonly object[]): string[] =>
  problems({ dhcp_relay: relay }, ports);
const poolProblems = (changes: object): string[] => problems({ dhcp_pools: [{ ...POOL, ...changes }] });

describe("the property dhcp_relay", () => {
  it("has defaults, and is formatted as it was given", () => {
    const parsed = parseRouterProperties({ ports: PORTS, dhcp_relay: { ports: { ethernet0: "10.0.2.9" } } });
    expect(parsed.ok && formatRouterProperties(parsed.config).dhcp_relay).toEqual({
      ports: { Ethernet0: ["10.0.2.9"] },
      max_hops: 4,
      agent_option: false,
    });
    const all = parseRouterProperties({ ports: PORTS, dhcp_relay: RELAY });
    expect(all.ok && formatRouterProperties(all.config).dhcp_relay).toEqual(RELAY);
  });

  it.each<[unknown, string]>([
    [[], "dhcp_relay: must be an object"],
    [{ hops: 1 }, "dhcp_relay.hops: is not a known property; known are ports, max_hops, agent_option"],
    [{ ports: [] }, "dhcp_relay.ports: must be an object"],
    [
      { ports: { Ethernet0: "10.0.2.9", ethernet0: "10.0.2.8" } },
      "dhcp_relay.ports.ethernet0: Ethernet0 is there already",
    ],
    [{ ports: { eth9: "10.0.2.9" } }, 'dhcp_relay.ports.eth9: "eth9" is not the name of a port'],
    [
      { ports: { Ethernet2: "10.0.2.9" } },
      "dhcp_relay.ports.Ethernet2: a relay needs an IPv4 address on the same port",
    ],
    [{ ports: { Ethernet0: "x" } }, 'dhcp_relay.ports.Ethernet0: "x" is not an IPv4 address'],
    [{ ports: { Ethernet0: [] } }, "dhcp_relay.ports.Ethernet0: must have 1 to 4 items, not 0"],
    [
      { ports: { Ethernet0: ["10.0.2.1"] } },
      "dhcp_relay.ports.Ethernet0.0: 10.0.2.1 is the router's own address",
    ],
    [{ max_hops: 17 }, "dhcp_relay.max_hops: must be 1 to 16, not 17"],
    [{ agent_option: "on" }, "dhcp_relay.agent_option: must be true or false"],
  ])("is rejected if it is %j", (relay, problem) => {
    expect(relayProblems(relay)).toEqual([problem]);
  });

  it("is rejected for a port that serves addresses", () => {
    expect(relayProblems({ ports: { Ethernet0: "10.0.2.9" } }, [SERVED])).toEqual([
      "dhcp_relay.ports.Ethernet0: Ethernet0 serves addresses itself",
    ]);
  });
});

describe("the property dhcp_pools", () => {
  it("is formatted as it was given", () => {
    const parsed = parseRouterProperties({ ports: PORTS, dhcp_pools: [POOL] });
    expect(parsed.ok && formatRouterProperties(parsed.config).dhcp_pools).toEqual([POOL]);
  });

  it.each<[object, string]>([
    [{ size: 1 }, expect.stringContaining("dhcp_pools.0.size: is not a known property") as never],
    [{ subnet: "10.7.0.1" }, 'dhcp_pools.0.subnet: "10.7.0.1" is not a prefix (10.1.0.0/24)'],
    [
      { subnet: "10.7.0.1/24" },
      "dhcp_pools.0.subnet: 10.7.0.1/24 has bits set after its prefix; the network is 10.7.0.0/24",
    ],
    [{ gateway: "x" }, 'dhcp_pools.0.gateway: "x" is not an IPv4 address'],
    [{ gateway: "10.8.0.1" }, "dhcp_pools.0.gateway: 10.8.0.1 is not in the subnet 10.7.0.0/24"],
    [
      { first: "10.7.0.0", gateway: "10.7.0.254" },
      "dhcp_pools.0.first: 10.7.0.0 is the network address of 10.7.0.0/24",
    ],
    [{ last: "10.7.0.255" }, "dhcp_pools.0.last: 10.7.0.255 is the broadcast address of 10.7.0.0/24"],
    [{ last: "10.7.0.99" }, "dhcp_pools.0.last: the pool ends at 10.7.0.99, before 10.7.0.100"],
    [{ gateway: "10.7.0.120" }, "dhcp_pools.0: the pool contains the gateway's address 10.7.0.120"],
    [{ lease_seconds: 9 }, "dhcp_pools.0.lease_seconds: must be 10 to 31536000, not 9"],
    [{ dns: ["x"] }, 'dhcp_pools.0.dns.0: "x" is not an IPv4 address'],
    [{ domain: "-" }, 'dhcp_pools.0.domain: "-" is not a domain name'],
    [{ reservations: {} }, "dhcp_pools.0.reservations: must be an array"],
    [{ reservations: [1] }, "dhcp_pools.0.reservations.0: must be an object"],
    [
      { reservations: [{ mac: "01:00:5e:00:00:09", address: "10.7.0.9" }] },
      'dhcp_pools.0.reservations.0.mac: "01:00:5e:00:00:09" is not the MAC address of a station',
    ],
    [
      { reservations: [{ mac: "00:50:79:66:68:00", address: "10.8.0.9" }] },
      "dhcp_pools.0.reservations.0.address: 10.8.0.9 is not in the subnet 10.7.0.0/24",
    ],
    [
      { reservations: [POOL.reservations[0], { ...POOL.reservations[0], address: "10.7.0.8" }] },
      "dhcp_pools.0.reservations.1.mac: 00:50:79:66:68:00 has a reservation already",
    ],
    [
      { reservations: [POOL.reservations[0], { ...POOL.reservations[0], mac: "00:50:79:66:68:09" }] },
      "dhcp_pools.0.reservations.1.address: 10.7.0.9 is reserved already",
    ],
  ])("is rejected with %j", (changes, problem) => {
    expect(poolProblems(changes)).toEqual([problem]);
  });

  it.each([
    [{}, "dhcp_pools: must be an array"],
    [new Array(65).fill(POOL), "dhcp_pools: must have 0 to 64 items, not 65"],
    [[1], "dhcp_pools.0: must be an object"],
    [
      [POOL, { ...POOL, subnet: "10.7.0.0/16" }],
      "dhcp_pools.1.subnet: 10.7.0.0/16 overlaps the subnet of a port or of another pool",
    ],
    [
      [
        {
          ...POOL,
          subnet: "10.0.1.0/24",
          gateway: "10.0.1.9",
          first: "10.0.1.20",
          last: "10.0.1.30",
          reservations: [],
        },
      ],
      "dhcp_pools.0.subnet: 10.0.1.0/24 overlaps the subnet of a port or of another pool",
    ],
  ])("is rejected if it is a wrong list", (pools, problem) => {
    expect(problems({ dhcp_pools: pools })).toEqual([problem]);
  });
});

describe("reservations of a port", () => {
  it.each([
    ["10.0.3.1", "ports.0.dhcp.reservations.0.address: 10.0.3.1 is the port's own address"],
    ["10.0.4.1", "ports.0.dhcp.reservations.0.address: 10.0.4.1 is not in the port's subnet 10.0.3.0/24"],
    ["10.0.3.255", expect.stringContaining("is the broadcast address") as never],
  ])("of %s are rejected", (address, problem) => {
    const dhcp = { ...SERVED.dhcp, reservations: [{ mac: "00:50:79:66:68:02", address }] };
    const [got] = problems({}, [{ ...SERVED, dhcp }]);
    expect(got!.replace("10.0.3.1/24", "10.0.3.0/24")).toEqual(problem);
  });

  it("are leased to their stations only", () => {
    const bed = makeBed({ ports: [SERVED] });
    expect(say(bed, "show dhcp").slice(0, 2)).toEqual([
      "Ethernet0: 10.0.3.10 to 10.0.3.20, lease 3600 s",
      "Ethernet0: 10.0.3.5 is reserved for 00:50:79:66:68:02",
    ]);
  });
});

describe("the commands of the relay, of pools and of reservations", () => {
  const lines = (bed: Bed): string[] =>
    shownLines(bed).flatMap((line) => /(?:^|: )(dhcp.*)$/.exec(line)?.[1] ?? []);

  it("are shown, and give the same configuration when they are pasted", () => {
    const ports = [...PORTS, SERVED];
    const given = makeBed({ ports, dhcp_relay: RELAY, dhcp_pools: [POOL] });
    const shown = lines(given);
    expect(shown).toEqual([
      "dhcp 10.0.3.10 10.0.3.20 lease 3600 reserve 00:50:79:66:68:02 10.0.3.5",
      "dhcp-relay max-hops 8",
      "dhcp-relay agent-option on",
      "dhcp-relay Ethernet0 10.0.2.9",
      "dhcp-relay Ethernet1 10.0.1.9 10.0.1.10",
      "dhcp-pool 10.7.0.0/24 gateway 10.7.0.1 10.7.0.100 10.7.0.199 lease 600 dns 10.0.1.53 10.0.1.54" +
        " domain home.example reserve 00:50:79:66:68:00 10.7.0.9 reserve 00:50:79:66:68:01 10.7.0.150",
    ]);
    const pasted = makeBed({ ports: [...PORTS, { ipv4: SERVED.ipv4 }] });
    paste(pasted, ["interface Ethernet3", ...shown]);
    expect(pasted.router.saveState().running).toEqual(given.router.saveState().running);
    expect(say(given, "show dhcp-relay")).toMatchInlineSnapshot(`
      [
        "Hops: 8 at most; option 82: on",
        "Port       Servers",
        "Ethernet0  10.0.2.9",
        "Ethernet1  10.0.1.9 10.0.1.10",
      ]
    `);
    for (const line of ["no dhcp-relay Ethernet0", "no dhcp-relay ethernet1", "no dhcp-pool 10.7.0.0/24"])
      expect(say(pasted, line)).toEqual([]);
    expect(lines(pasted)).toEqual([shown[0]]);
  });

  it("of a relay without ports are shown, too", () => {
    const bed = makeBed({ ports: PORTS, dhcp_relay: {} });
    expect(lines(bed)).toEqual(["dhcp-relay max-hops 4"]);
    expect(say(bed, "show dhcp-relay").at(-1)).toBe("No port passes requests on");
    expect(say(bed, "no dhcp-relay Ethernet0")).toEqual(["There is no such line: dhcp-relay Ethernet0"]);
    expect(say(bed, "no dhcp-relay")).toEqual([]);
    expect(lines(bed)).toEqual([]);
  });

  it.each([
    ["dhcp-relay", /^Usage: dhcp-relay PORT SERVER/],
    ["dhcp-relay Ethernet0", /^Usage/],
    ["dhcp-relay eth9 10.0.2.9", /^There is no port eth9/],
    ["dhcp-relay Ethernet0 x", /^"x" is not an IPv4 address/],
    ["dhcp-relay max-hops x", /^Usage/],
    ["dhcp-relay max-hops 99", /^max_hops must be 1 to 16, not 99/],
    ["dhcp-relay agent-option maybe", /^Usage/],
    ["no dhcp-relay", /^The DHCP relay is not configured/],
    ["no dhcp-relay a b", /^The DHCP relay is not configured$/],
    ["show dhcp-relay", /^The DHCP relay is not configured/],
    ["dhcp-pool 10.7.0.0/24 10.7.0.1", /^Usage: dhcp-pool SUBNET gateway/],
    ["dhcp-pool 10.7.0.0/24 gateway 10.7.0.1 10.7.0.9 10.7.0.10 reserve x", /^Usage/],
    ["dhcp-pool 10.7.0.0/24 gateway 10.8.0.1 10.7.0.9 10.7.0.10", /^10\.8\.0\.1 is not in the subnet/],
    ["no dhcp-pool", /^Usage: no dhcp-pool SUBNET/],
    ["no dhcp-pool 10.7.0.0/24", /^There is no pool for 10\.7\.0\.0\/24/],
  ])("%s is an error", (line, wanted) => {
    const bed = makeBed({ ports: PORTS });
    expect(say(bed, line).join("\n")).toMatch(wanted);
    expect(lines(bed)).toEqual([]);
  });
});
