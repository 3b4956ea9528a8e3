import { formatRouterProperties, parseRouterProperties } from "@wirelab/engine/devices/router/index";
import { describe, expect, it } from "vitest";
import { makeBed } from "../probe.ts";

/** `path: message` of each problem. */
const problems = (interfaces: unknown, ports: unknown = [{}, {}], routes: unknown = []): string[] => {
  const parsed = parseRouterProperties({ ports, interfaces, routes });
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path.join(".")}: ${message}`);
};

const vlan = (name: string, id: number, more: object = {}): object => ({ name, vlan: id, ...more });

describe("the interfaces of a router's properties", () => {
  it("become a configuration with defaults, which formats as it was", () => {
    const parsed = parseRouterProperties({
      ports: [{}],
      interfaces: [vlan("Ethernet0.7", 7, { outer_vlan: 8 })],
    });
    expect(parsed).toMatchObject({
      config: {
        interfaces: [{ type: "vlan", name: "Ethernet0.7", vlan: 7, outerVlan: 8, mtuBytes: 1_500, ra: true }],
      },
    });
    if (!parsed.ok) throw new Error("not parsed");
    const properties = formatRouterProperties(parsed.config);
    expect(properties.interfaces).toEqual([
      { type: "vlan", name: "Ethernet0.7", vlan: 7, outer_vlan: 8, mtu: 1_500, ra: true },
    ]);
    expect(parseRouterProperties(properties)).toEqual(parsed);
  });

  it("leave no trace in the state of a router without them", () => {
    const state = makeBed({ ports: [{}, {}], interfaces: [] }).router.saveState();
    expect(Object.keys(state.running)).toEqual(["ports", "routes"]);
    expect(Object.keys(state.counters.drops)).not.toContain("unknownVlan");
    expect(state.counters.ports).toHaveLength(2);
  });

  it("may hold the gateway of a route", () => {
    const routes = [{ to: "0.0.0.0/0", via: "10.0.10.2" }];
    expect(problems([vlan("Ethernet0.10", 10, { ipv4: "10.0.10.1/24" })], [{}], routes)).toEqual([]);
  });

  it.each([
    [{}, "interfaces: must be an array"],
    [
      Array.from({ length: 257 }, (_, index) => vlan(`Ethernet0.${index + 1}`, index + 1)),
      "interfaces: must have 0 to 256 items, not 257",
    ],
    [
      [vlan("Ethernet0.1", 1, { type: "bridge" })],
      "interfaces.0.type: must be vlan, loopback, gre, svi, vxlan",
    ],
    [
      [vlan("Ethernet0.1", 1, { vlan_id: 1 })],
      "interfaces.0.vlan_id: is not a known property; known are name, ipv4, ipv6, mtu, dhcp, ra, vrrp, vrf, shutdown, acl_in, acl_out, acl6_in, acl6_out, pbr_policy, ospf, type, vlan, outer_vlan",
    ],
    [[{ vlan: 1 }], "interfaces.0.name: must be a string"],
    [[{ name: "Ethernet0.1" }], "interfaces.0.vlan: must be an integer"],
    [[vlan("Ethernet0.1", 4095)], "interfaces.0.vlan: must be 1 to 4094, not 4095"],
    [[vlan("Ethernet0.1", 1, { outer_vlan: 0 })], "interfaces.0.outer_vlan: must be 1 to 4094, not 0"],
    [
      [vlan("lan.1", 1)],
      "interfaces.0.name: lan.1 is of no port: a subinterface is named for its port, as Ethernet0.10",
    ],
    [
      [vlan("Ethernet0.1", 1), vlan("ethernet0.1", 2)],
      "interfaces.1.name: ethernet0.1 is also the name of interface Ethernet0.1",
    ],
    [
      [vlan("Ethernet0.1", 1), vlan("Ethernet0.2", 1)],
      "interfaces.1.vlan: VLAN 1 of Ethernet0 is that of Ethernet0.1",
    ],
    [
      [vlan("Ethernet0.1", 1, { outer_vlan: 2 }), vlan("Ethernet0.2", 1, { outer_vlan: 2 })],
      "interfaces.1.vlan: VLAN 1 in 2 of Ethernet0 is that of Ethernet0.1",
    ],
    [
      [vlan("Ethernet0.1", 1, { ipv4: "10.0.0.1/24" }), vlan("Ethernet1.1", 1, { ipv4: "10.0.0.2/24" })],
      "interfaces.1.ipv4: the subnet of 10.0.0.2/24 overlaps that of interface Ethernet0.1, 10.0.0.1/24",
    ],
    [
      [vlan("Ethernet0.1", 1, { ipv4: "10.0.0.0/24" })],
      "interfaces.0.ipv4: 10.0.0.0 is the network address of 10.0.0.0/24",
    ],
  ])("are rejected if they are %j", (interfaces, problem) => {
    expect(problems(interfaces)).toEqual([problem]);
  });

  it("are rejected if a port's MTU is too small for their IPv6", () => {
    expect(problems([vlan("Ethernet0.1", 1, { ipv6: "2001:db8::1/64" })], [{ mtu: 1_000 }])).toEqual([
      "interfaces.0.ipv6: the MTU of Ethernet0, 1000, is too small for IPv6: 1280 or more",
    ]);
  });

  it("are of the port with the longest name", () => {
    const ports = [{ name: "e" }, { name: "e.1", mtu: 1_000 }];
    expect(problems([vlan("e.1.2", 2, { ipv6: "2001:db8::1/64" })], ports)).toHaveLength(1);
    expect(problems([vlan("e.2", 2, { ipv6: "2001:db8::1/64" })], ports)).toEqual([]);
  });
});
