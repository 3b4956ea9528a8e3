/** Parsers of what routing daemons and iproute2 print, with outputs of FRR 8.4.4, BIRD 2.0.12 and iproute2 6.1 (test/fixtures). */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  parseBirdBfd,
  parseBirdBgp,
  parseBirdOspfNeighbours,
  parseBirdOspfPorts,
  parseBirdRouterId,
} from "../../../../packages/lab/guest-state/bird.ts";
import {
  parseFrrBfdPeers,
  parseFrrBgpNeighbours,
  parseFrrIsisNeighbours,
} from "../../../../packages/lab/guest-state/frr-bgp.ts";
import {
  parseFrrOspf6Neighbours,
  parseFrrOspf6Ports,
  parseFrrOspfNeighbours,
  parseFrrOspfPorts,
} from "../../../../packages/lab/guest-state/frr-ospf.ts";
import { parseIpNeighbours, parseIpPorts, parseIpRoutes } from "../../../../packages/lab/guest-state/ip.ts";

const recorded = (name: string): string =>
  readFileSync(new URL(`../../../fixtures/guest-state/${name}.txt`, import.meta.url), "utf8");

describe("FRR", () => {
  test("prints OSPF neighbours with their states and roles", () => {
    expect(parseFrrOspfNeighbours(recorded("frr-ospf-neighbors"))).toEqual([
      { port: "eth1", routerId: "10.255.0.2", address: "10.0.0.2", state: "2-Way", role: "DROther" },
      { port: "eth2", routerId: "10.255.0.2", address: "10.12.0.2", state: "Full", role: undefined },
      { port: "eth1", routerId: "10.255.0.3", address: "10.0.0.3", state: "Full", role: "Backup" },
      { port: "eth1", routerId: "10.255.0.4", address: "10.0.0.4", state: "Full", role: "DR" },
    ]);
  });

  test("prints the interfaces on which OSPF runs", () => {
    const common = { helloMs: 10_000, deadMs: 40_000, routerId: "10.255.0.1", isPassive: false };
    expect(parseFrrOspfPorts(recorded("frr-ospf-interfaces"))).toEqual([
      { ...common, port: "eth1", area: "0.0.0.0", network: "broadcast", address: "10.0.0.1/24" },
      { ...common, port: "eth2", area: "0.0.0.1", network: "point-to-point", address: "10.12.0.1/30" },
    ]);
  });

  test("prints OSPFv3 neighbours and interfaces; an interface without an area is none", () => {
    const states = parseFrrOspf6Neighbours(recorded("frr-ospf6-neighbors"))?.map(
      ({ port, routerId, state, role }) => `${port} ${routerId} ${state} ${role}`,
    );
    expect(states).toEqual([
      "eth1 10.255.0.2 2-Way DROther",
      "eth1 10.255.0.3 Full DR",
      "eth1 10.255.0.4 Full Backup",
    ]);
    expect(parseFrrOspf6Ports(recorded("frr-ospf6-interfaces"))).toMatchObject([
      { port: "eth1", area: "0.0.0.0", network: "broadcast", helloMs: 10_000, deadMs: 40_000 },
    ]);
  });

  test("prints BGP neighbours by address and by interface, with their last error", () => {
    const neighbours = parseFrrBgpNeighbours(recorded("frr-bgp-neighbors"));
    expect(neighbours?.find(({ name }) => name === "eth2")).toEqual({
      name: "eth2",
      address: "10.12.0.2",
      state: "Established",
      localAs: 65_001,
      remoteAs: 65_002,
      isShutDown: false,
      lastError: expect.stringMatching(/./),
    });
    expect(neighbours?.map(({ name, isShutDown }) => `${name} ${isShutDown}`)).toEqual([
      "eth2 false",
      "10.0.0.3 false",
      "10.0.0.4 false",
      "10.0.0.77 false",
      "10.0.0.78 true",
      "10.12.0.2 false",
      "2001:db8::2 false",
    ]);
    expect(neighbours?.find(({ name }) => name === "10.0.0.3")).toMatchObject({
      state: expect.stringMatching(/^(Idle|Connect|Active)$/),
      lastError: "Waiting for peer OPEN",
    });
  });

  test("prints each VRF by its name, or one JSON document behind the other", () => {
    const ports = (text: readonly { readonly port: string }[] | undefined) => text?.map(({ port }) => port);
    expect(parseFrrOspfNeighbours(recorded("frr-ospf-neighbors-vrfs"))).toMatchObject([
      { port: "eth2", routerId: "10.255.0.2", state: "Full", role: "DR" },
      { port: "eth1", routerId: "10.254.0.2", state: "Full", role: "DR" },
    ]);
    expect(ports(parseFrrOspfPorts(recorded("frr-ospf-interfaces-vrfs")))).toEqual(["eth2", "eth1"]);
    expect(parseFrrOspf6Neighbours(recorded("frr-ospf6-neighbors-vrfs"))).toMatchObject([
      { port: "eth2", routerId: "10.255.0.2", state: "Full" },
      { port: "eth1", routerId: "10.254.0.2", state: "Full" },
    ]);
    expect(ports(parseFrrOspf6Ports(recorded("frr-ospf6-interfaces-vrfs")))).toEqual(["eth2", "eth1"]);
    expect(parseFrrBfdPeers(recorded("frr-bfd-peers-vrfs"))).toMatchObject([
      { address: "10.1.0.2", vrf: undefined, port: "eth2", isUp: true },
      { address: "10.1.0.2", vrf: "red", port: "eth1", isUp: true },
    ]);
  });

  test("prints BFD peers and IS-IS neighbours", () => {
    expect(parseFrrBfdPeers(recorded("frr-bfd-peers"))).toEqual([
      { address: "10.12.0.2", port: "eth2", isUp: true, state: "up" },
    ]);
    expect(parseFrrIsisNeighbours(recorded("frr-isis-neighbors"))).toMatchObject([
      { port: "eth1", level: 2, state: "Up" },
    ]);
  });

  test.each([
    parseFrrOspfNeighbours,
    parseFrrOspfPorts,
    parseFrrOspf6Neighbours,
    parseFrrOspf6Ports,
    parseFrrBgpNeighbours,
    parseFrrBfdPeers,
    parseFrrIsisNeighbours,
  ])("%o returns nothing for a text that is no JSON, and no entries for an empty object", (parse) => {
    expect(parse("bfdd is not running\n")).toBeUndefined();
    expect(parse(parse === parseFrrBfdPeers ? "[]" : "{}")).toEqual([]);
    // What another version prints has no entries, and breaks nothing.
    expect(parse('{"neighbors": {"1.1.1.1": 5}, "areas": [7], "interfaces": null}') ?? []).toEqual([]);
  });
});

describe("BIRD", () => {
  test("prints OSPF neighbours of both versions", () => {
    expect(parseBirdOspfNeighbours(recorded("bird-ospf-neighbors"))).toEqual({
      ospf: [{ port: "eth0", routerId: "10.255.0.2", address: "10.12.0.2", state: "Full", role: undefined }],
      ospf6: [
        {
          port: "eth0",
          routerId: "10.255.0.2",
          address: expect.stringMatching(/^fe80::/),
          state: "Full",
          role: undefined,
        },
      ],
    });
  });

  test("prints the interfaces on which OSPF runs", () => {
    const common = { area: "0.0.0.0", network: "point-to-point", helloMs: 2_000, deadMs: 8_000 };
    expect(parseBirdOspfPorts(recorded("bird-ospf-interfaces"))).toMatchObject({
      ospf: [
        { ...common, port: "eth0" },
        { ...common, port: "eth1" },
      ],
      ospf6: [{ ...common, port: "eth0" }],
    });
  });

  test("prints BGP neighbours with the reason why there is no session", () => {
    expect(parseBirdBgp(recorded("bird-protocols"))).toEqual([
      bgp("10.12.0.2", "Established", 65_002),
      { ...bgp("10.13.0.2", "Idle", 65_033), lastError: "BGP Error: Bad peer AS" },
      bgp("10.13.0.3", "Idle", 65_033),
      { ...bgp("10.12.0.9", "Down", 65_033), isShutDown: true },
    ]);
  });

  const bgp = (address: string, state: string, remoteAs: number) => ({
    name: address,
    address,
    state,
    localAs: 65_001,
    remoteAs,
    isShutDown: false,
    lastError: undefined,
  });

  test("prints BFD sessions and the router ID", () => {
    expect(parseBirdBfd(recorded("bird-bfd"))).toEqual([
      { address: "10.12.0.2", port: "eth0", isUp: true, state: "Up" },
    ]);
    expect(parseBirdRouterId(recorded("bird-status"))).toBe("10.255.0.1");
  });

  test.each([parseBirdBgp, parseBirdOspfNeighbours, parseBirdOspfPorts, parseBirdBfd])(
    "%o returns nothing if BIRD does not run",
    (parse) => {
      expect(parse("Unable to connect to server control socket\n")).toBeUndefined();
    },
  );
});

describe("iproute2", () => {
  test("prints interfaces with their addresses", () => {
    const ports = parseIpPorts(recorded("ip-addresses"));
    expect(ports?.map(({ name }) => name)).toEqual(["lo", "eth1", "eth2"]);
    expect(ports?.[1]).toMatchObject({ isOn: true, hasCarrier: true, mtu: 1_500, master: undefined });
    expect(ports?.[1]?.addresses).toEqual([
      "10.0.0.1/24",
      "2001:db8::1/64",
      expect.stringMatching(/^fe80::.*\/64$/),
    ]);
  });

  test("prints routes and neighbours", () => {
    const routes = parseIpRoutes(recorded("ip-routes"));
    expect(routes).toContainEqual({
      to: "10.0.0.0/24",
      protocol: "kernel",
      hops: [{ via: undefined, port: "eth1" }],
    });
    expect(
      parseIpRoutes(
        '[{"dst":"default","protocol":"ospf","nexthops":[{"gateway":"10.0.0.2","dev":"eth1"},{"via":{"family":"inet6","host":"fe80::1"},"dev":"eth2"}]},{"type":"blackhole","dst":"10.9.0.0/16"}]',
      ),
    ).toEqual([
      {
        to: "default",
        protocol: "ospf",
        hops: [
          { via: "10.0.0.2", port: "eth1" },
          { via: "fe80::1", port: "eth2" },
        ],
      },
      { to: "10.9.0.0/16", protocol: undefined, hops: [] },
    ]);
    const neighbours = parseIpNeighbours(recorded("ip-neighbours"));
    expect(neighbours).toContainEqual({
      address: "10.0.0.77",
      port: "eth1",
      mac: undefined,
      states: [expect.stringMatching(/^(FAILED|INCOMPLETE)$/)],
    });
    expect(neighbours?.find(({ address }) => address === "10.0.0.4")?.mac).toMatch(/^[0-9a-f:]{17}$/);
  });

  test("other texts are nothing", () => {
    for (const parse of [parseIpPorts, parseIpRoutes, parseIpNeighbours])
      expect(parse('Object "x" is unknown')).toBeUndefined();
  });
});
