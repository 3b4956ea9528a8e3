import { formatRouterProperties, parseRouterProperties } from "@wirelab/engine/devices/router/index";
import { describe, expect, it } from "vitest";
import { formatVlans, parseVlans } from "../../../../../../packages/engine/net/plane/vlan-list.ts";
import { makeBed } from "../probe.ts";

/** `path: message` of each problem. */
const problems = (port: object, interfaces: readonly object[] = [], more: object = {}): string[] => {
  const parsed = parseRouterProperties({ ports: [{}, port], interfaces, ...more });
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path.join(".")}: ${message}`);
};
const ACCESS = { switchport: { vlan: 10 } };
const svi = (name: string, more: object = {}): object => ({ type: "svi", name, ...more });

describe("a list of VLANs", () => {
  it.each([
    ["1", [1]],
    ["10,20,30-33", [10, 20, 30, 31, 32, 33]],
    ["4094,1-2,2", [1, 2, 4094]],
  ])("%s is %j", (text, vlans) => {
    expect(parseVlans(text)).toEqual(vlans);
    expect(parseVlans(formatVlans(vlans))).toEqual(vlans);
  });

  it("has one form", () => {
    expect(formatVlans(parseVlans("5,3,1,2,7-8")!)).toBe("1-3,5,7-8");
  });

  it.each(["", "0", "4095", "1-4095", "3-2", "a", "1,", "1-", "-1", "1 2", "1-2-3", "00001"])(
    "is not %j",
    (text) => {
      expect(parseVlans(text)).toBeNull();
    },
  );
});

describe("switched ports in a router's properties", () => {
  it("become a configuration with defaults, which formats as it was", () => {
    const parsed = parseRouterProperties({
      ports: [{ switchport: {} }, { switchport: { mode: "trunk", vlan: 9, allowed: "3,1-2,9" } }],
      interfaces: [svi("vlan1", { ipv4: "10.0.1.1/24" })],
    });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    const properties = formatRouterProperties(parsed.config);
    expect(properties.ports?.map(({ switchport }) => switchport)).toEqual([
      { mode: "access", vlan: 1 },
      { mode: "trunk", vlan: 9, allowed: "1-3,9" },
    ]);
    expect(properties.interfaces).toEqual([
      { type: "svi", name: "vlan1", ipv4: "10.0.1.1/24", mtu: 1_500, ra: true },
    ]);
    expect(parseRouterProperties(properties)).toEqual(parsed);
  });

  it("have interfaces of VLANs up to the last", () => {
    expect(problems(ACCESS, [svi("vlan1"), svi("vlan4094")])).toEqual([]);
  });

  it("leave no trace in the state of a router without them", () => {
    const state = JSON.parse(JSON.stringify(makeBed().router.saveState()));
    expect(state.services).toBeUndefined();
    expect(JSON.stringify(state)).not.toMatch(/switchport|bridge|vlan/i);
  });

  it.each<[object, object[], string]>([
    [{ switchport: 10 }, [], "ports.1.switchport: must be an object"],
    [{ switchport: { mode: "hybrid" } }, [], "ports.1.switchport.mode: must be access or trunk"],
    [{ switchport: { vlan: 0 } }, [], "ports.1.switchport.vlan: must be 1 to 4094, not 0"],
    [{ switchport: { vlan: "10" } }, [], "ports.1.switchport.vlan: must be an integer"],
    [
      { switchport: { mode: "trunk", allowed: "10-" } },
      [],
      'ports.1.switchport.allowed: "10-" is not a list of VLANs (10,20,30-39)',
    ],
    [{ switchport: { mode: "trunk", allowed: [10] } }, [], "ports.1.switchport.allowed: must be a string"],
    [
      { switchport: { allowed: "10" } },
      [],
      "ports.1.switchport.allowed: an access port carries its own VLAN only: set mode to trunk",
    ],
    [
      { switchport: { native: 1 } },
      [],
      "ports.1.switchport.native: is not a known property; known are mode, vlan, allowed",
    ],
    ...(
      [
        ["ipv4", "10.0.1.1/24"],
        ["ipv6", "2001:db8::1/64"],
        ["vrf", "red"],
      ] as const
    ).map(([key, value]): [object, object[], string] => [
      { ...ACCESS, [key]: value },
      [],
      `ports.1.${key}: Ethernet1 is a switched port: the interface vlan10 can have this for its VLAN`,
    ]),
    [
      ACCESS,
      [{ name: "Ethernet1.20", vlan: 20 }],
      "interfaces.0.name: Ethernet1 is a switched port: the interface of its VLAN 20 is vlan20, of type svi",
    ],
    [
      ACCESS,
      [svi("lan10")],
      "interfaces.0.name: lan10 names no VLAN: a switched virtual interface is vlan1 to vlan4094",
    ],
    [
      ACCESS,
      [svi("vlan4095")],
      "interfaces.0.name: vlan4095 names no VLAN: a switched virtual interface is vlan1 to vlan4094",
    ],
    [
      ACCESS,
      [svi("vlan10"), svi("Vlan10")],
      "interfaces.1.name: Vlan10 is also the name of interface vlan10",
    ],
    [
      ACCESS,
      [svi("vlan10", { vlan: 10 })],
      "interfaces.0.vlan: is not a known property; known are name, ipv4, ipv6, mtu, dhcp, ra, vrrp, vrf, shutdown, acl_in, acl_out, acl6_in, acl6_out, pbr_policy, ospf, type",
    ],
    [
      ACCESS,
      [svi("vlan10", { switchport: {} })],
      "interfaces.0.switchport: is not a known property; known are name, ipv4, ipv6, mtu, dhcp, ra, vrrp, vrf, shutdown, acl_in, acl_out, acl6_in, acl6_out, pbr_policy, ospf, type",
    ],
  ])("are rejected if they are %j with %j", (port, interfaces, problem) => {
    expect(problems(port, interfaces)).toEqual([problem]);
  });

  it.each([
    ["dhcp", { dhcp: { first: "10.0.1.10", last: "10.0.1.20" } }],
    ["vrrp", { vrrp: [{ id: 1, ipv4: ["10.0.1.254"] }] }],
    ["acl_in", { acl_in: "A" }],
    ["pbr_policy", { pbr_policy: "P" }],
  ])("are rejected with %s", (key, more) => {
    const acls = [{ name: "A", rules: ["permit ip any any"] }];
    const found = problems({ ...ACCESS, ...more }, [], { acls });
    expect(found).toContain(
      `ports.1.${key}: Ethernet1 is a switched port: the interface vlan10 can have this for its VLAN`,
    );
  });
});
