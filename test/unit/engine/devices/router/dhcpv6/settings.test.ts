/** The settings of the DHCPv6 server as properties, as commands, and as the lines that show them. */
import { formatRouterProperties, parseRouterProperties } from "@wirelab/engine/devices/router/index";
import { describe, expect, it } from "vitest";
import { makeBed, say } from "../probe.ts";

const PORTS = [{ ipv6: "2001:db8:1::1/64" }, { ipv6: "2001:db8:2::1/64" }, {}];
const ALL = {
  Ethernet0: {
    first: "2001:db8:1::100",
    last: "2001:db8:1::1ff",
    lease_seconds: 600,
    dns: ["2001:db8::53", "2001:db8::54"],
    domain: "home.example",
    reservations: [
      { mac: "02:00:00:00:00:77", address: "2001:db8:1::77" },
      { mac: "02:00:00:00:00:78", address: "2001:db8:1::180" },
    ],
  },
  Ethernet1: { lease_seconds: 3_600, dns: ["2001:db8::53"], reservations: [] },
};

function problems(dhcpv6: unknown): string[] {
  const parsed = parseRouterProperties({ ports: PORTS, dhcpv6 });
  if (parsed.ok) throw new Error("expected problems");
  return parsed.problems.map(({ path, message }) => `${path.join(".")}: ${message}`);
}
const { first, last, reservations } = ALL.Ethernet0;

describe("the property dhcpv6", () => {
  it("is formatted as it was given, with the names of ports as they are configured", () => {
    const { Ethernet0, Ethernet1 } = ALL;
    const parsed = parseRouterProperties({ ports: PORTS, dhcpv6: { ethernet1: Ethernet1, Ethernet0 } });
    expect(parsed.ok && JSON.stringify(formatRouterProperties(parsed.config).dhcpv6)).toBe(
      JSON.stringify(ALL),
    );
  });

  it.each<[unknown, string]>([
    [[], "dhcpv6: must be an object"],
    [null, "dhcpv6: must be an object"],
    [{ eth9: {} }, 'dhcpv6.eth9: "eth9" is not the name of a port'],
    [{ Ethernet2: {} }, "dhcpv6.Ethernet2: DHCPv6 needs an IPv6 address on the same port"],
    [{ Ethernet0: {}, ethernet0: {} }, "dhcpv6.ethernet0: Ethernet0 is there already"],
    [{ Ethernet0: 1 }, "dhcpv6.Ethernet0: must be an object"],
    [
      { Ethernet0: { lease: 1 } },
      expect.stringContaining("dhcpv6.Ethernet0.lease: is not a known property") as never,
    ],
    [{ Ethernet0: { first: "x", last } }, 'dhcpv6.Ethernet0.first: "x" is not an IPv6 address'],
    [
      { Ethernet0: { first } },
      "dhcpv6.Ethernet0: first and last need each other: without both, the server leases no addresses",
    ],
    [{ Ethernet0: { reservations } }, "dhcpv6.Ethernet0.reservations: reservations need first and last"],
    [
      { Ethernet0: { first: last, last: first } },
      "dhcpv6.Ethernet0.last: the pool ends at 2001:db8:1::100, before 2001:db8:1::1ff",
    ],
    [
      { Ethernet0: { first, last: "2001:db8:2::1" } },
      "dhcpv6.Ethernet0.last: 2001:db8:2::1 is not in the port's subnet 2001:db8:1::1/64",
    ],
    [
      { Ethernet0: { first: "2001:db8:1::", last } },
      "dhcpv6.Ethernet0: the pool contains the port's own address 2001:db8:1::1",
    ],
    [{ Ethernet0: { lease_seconds: 9 } }, "dhcpv6.Ethernet0.lease_seconds: must be 10 to 31536000, not 9"],
    [{ Ethernet0: { dns: ["10.0.0.1"] } }, 'dhcpv6.Ethernet0.dns.0: "10.0.0.1" is not an IPv6 address'],
    [{ Ethernet0: { domain: "-" } }, 'dhcpv6.Ethernet0.domain: "-" is not a domain name'],
    [{ Ethernet0: { first, last, reservations: [1] } }, "dhcpv6.Ethernet0.reservations.0: must be an object"],
    [
      { Ethernet0: { first, last, reservations: [{ ...reservations[0], mac: "x" }] } },
      'dhcpv6.Ethernet0.reservations.0.mac: "x" is not the MAC address of a station',
    ],
    [
      { Ethernet0: { first, last, reservations: [{ ...reservations[0], address: "2001:db8:2::1" }] } },
      "dhcpv6.Ethernet0.reservations.0.address: 2001:db8:2::1 is not in the port's subnet 2001:db8:1::1/64",
    ],
    [
      {
        Ethernet0: {
          first,
          last,
          reservations: [reservations[0], { ...reservations[0], address: "2001:db8:1::79" }],
        },
      },
      "dhcpv6.Ethernet0.reservations.1.mac: 02:00:00:00:00:77 has a reservation already",
    ],
    [
      {
        Ethernet0: {
          first,
          last,
          reservations: [reservations[0], { ...reservations[0], mac: "02:00:00:00:00:79" }],
        },
      },
      "dhcpv6.Ethernet0.reservations.1.address: 2001:db8:1::77 is reserved already",
    ],
  ])("is rejected if it is %j", (dhcpv6, problem) => {
    expect(problems(dhcpv6)).toEqual([problem]);
  });
});

describe("the commands of DHCPv6", () => {
  it("are shown, and give the same configuration when they are pasted", () => {
    const given = makeBed({ ports: PORTS, dhcpv6: ALL });
    const shown = say(given, "show running-config").filter((line) => line.startsWith("dhcpv6"));
    expect(shown).toEqual([
      "dhcpv6 Ethernet0 2001:db8:1::100 2001:db8:1::1ff lease 600 dns 2001:db8::53 2001:db8::54" +
        " domain home.example reserve 02:00:00:00:00:77 2001:db8:1::77 reserve 02:00:00:00:00:78 2001:db8:1::180",
      "dhcpv6 Ethernet1 dns 2001:db8::53",
    ]);
    const pasted = makeBed({ ports: PORTS });
    for (const line of shown) expect(say(pasted, line)).toEqual([]);
    expect(pasted.router.saveState().running).toEqual(given.router.saveState().running);
    expect(say(given, "show dhcpv6").slice(0, 2)).toEqual([
      "Ethernet0: 2001:db8:1::100 to 2001:db8:1::1ff, lease 600 s",
      "Ethernet0: 2001:db8:1::77 is reserved for 02:00:00:00:00:77",
    ]);
    for (const line of ["no dhcpv6 Ethernet0", "no dhcpv6 ethernet1"]) expect(say(pasted, line)).toEqual([]);
    expect(pasted.router.saveState().running).not.toHaveProperty("dhcpv6");
  });

  it.each([
    ["dhcpv6", /^Usage: dhcpv6 PORT/],
    ["dhcpv6 eth9", /^There is no port eth9/],
    ["dhcpv6 Ethernet0 2001:db8:1::100", /^Usage/],
    ["dhcpv6 Ethernet0 nosuch", /^Usage/],
    ["dhcpv6 Ethernet2", /^DHCPv6 needs an IPv6 address/],
    ["no dhcpv6", /^DHCPv6 is not configured/],
    ["no dhcpv6 a b", /^Usage: no dhcpv6/],
    ["show dhcpv6", /^DHCPv6 is not configured/],
  ])("%s is an error", (line, wanted) => {
    const bed = makeBed({ ports: PORTS });
    expect(say(bed, line).join("\n")).toMatch(wanted);
    expect(bed.router.saveState().running).not.toHaveProperty("dhcpv6");
  });

  it("no dhcpv6 of a port without a server is an error", () => {
    const bed = makeBed({ ports: PORTS, dhcpv6: ALL });
    expect(say(bed, "no dhcpv6 Ethernet2")).toEqual(["Ethernet2 has no DHCPv6 server"]);
  });
});
