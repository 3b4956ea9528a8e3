import { expect, test } from "vitest";
import { readFrrConfig } from "../../../../packages/lab/adjacency/frr-config.ts";
import type { IpPort } from "../../../../packages/lab/guest-state/ip.ts";
import { yaml } from "../helpers.ts";

const read = (text: string) => readFrrConfig(yaml(text), "/etc/frr/frr.conf");
const port = (name: string, ...addresses: string[]): IpPort => ({
  name,
  isOn: true,
  hasCarrier: true,
  mtu: 1_500,
  master: undefined,
  mac: undefined,
  addresses,
});
const unreadIn = (text: string) => read(text).unread.map(({ at, why }) => `${at.line}: ${at.text}: ${why}`);

/** The area, and whether the port looks for neighbours. */
function ospfOn(text: string, on: IpPort, version: 2 | 3 = 2): string {
  const rule = read(text).ospf.find((each) => each.version === version && each.matches(on));
  return rule === undefined
    ? "none"
    : `${rule.area}${rule.isPassive(on.name) ? " passive" : ""} line ${rule.at.line}`;
}

const OSPF = `
  hostname r1
  !
  interface eth1
   ip address 10.0.1.1/24
   ip ospf area 0
   ip ospf hello-interval 1
  exit
  !
  interface eth2
   ip ospf area 0.0.0.1
   ip ospf passive
  interface eth4
   no ip ospf passive
   ipv6 ospf6 area 7
  router ospf
   ospf router-id 1.1.1.1
   network 10.3.0.0/16 area 3
   passive-interface default
   no passive-interface eth1
   log-adjacency-changes detail
  router ospf6
   ospf6 router-id 1.1.1.1
  ip route 10.9.0.0/16 10.0.1.2
`;

test("OSPF runs on interfaces with an area, and on those whose networks are in a `network`", () => {
  expect(ospfOn(OSPF, port("eth1"))).toBe("0.0.0.0 line 5");
  expect(ospfOn(OSPF, port("eth2"))).toBe("0.0.0.1 passive line 10");
  expect(ospfOn(OSPF, port("eth3", "10.3.9.1/24"))).toBe("0.0.0.3 passive line 17");
  expect(ospfOn(OSPF, port("eth4", "10.3.9.1/24"))).toBe("0.0.0.3 line 17");
  // The network of the interface is larger than the one of the line.
  expect(ospfOn(OSPF, port("eth3", "10.3.9.1/8"))).toBe("none");
  expect(ospfOn(OSPF, port("eth4"), 3)).toBe("0.0.0.7 line 14");
  expect(unreadIn(OSPF)).toEqual([]);
});

test.each([
  ["a line that is not known", "router ospf\n network 10.0.0.0/8 area 0\n frobnicate", "2"],
  ["an instance", "router ospf 5\n network 10.0.0.0/8 area 0", "1"],
])("OSPF with %s promises nothing, and the line is listed", (_, text) => {
  expect(readFrrConfig(text, "f").ospf).toEqual([]);
  expect(readFrrConfig(text, "f").unread).toHaveLength(1);
});

test("OSPF of a VRF runs on the interfaces of the VRF, and the default process on the others", () => {
  const text = `
    interface eth1
     ip ospf area 1
     ipv6 ospf6 area 6
    interface eth2 vrf red
     ip ospf area 2
    interface eth3
     ip ospf area 3
    router ospf
     network 10.0.0.0/8 area 0
    router ospf vrf red
     network 10.0.0.0/8 area 9
     passive-interface eth2
    router ospf6 vrf red
    router ospf vrf blue
     frobnicate
  `;
  const inVrf = (name: string, master: string | undefined, ...addresses: string[]): IpPort => ({
    ...port(name, ...addresses),
    master,
  });
  const rules = read(text).ospf;
  const found = (on: IpPort, version: 2 | 3 = 2) => {
    const rule = rules.find((each) => each.version === version && each.matches(on));
    return rule && `${rule.vrf} ${rule.area}${rule.isPassive(on.name) ? " passive" : ""}`;
  };
  expect(found(inVrf("eth1", undefined))).toBe("undefined 0.0.0.1");
  expect(found(inVrf("eth1", "red"))).toBe("red 0.0.0.1");
  expect(found(inVrf("eth1", undefined), 3)).toBeUndefined();
  expect(found(inVrf("eth1", "red"), 3)).toBe("red 0.0.0.6");
  expect(found(inVrf("eth2", "red"))).toBe("red 0.0.0.2 passive");
  expect(found(inVrf("eth4", "red", "10.1.0.1/24"))).toBe("red 0.0.0.9");
  expect(found(inVrf("eth4", undefined, "10.1.0.1/24"))).toBe("undefined 0.0.0.0");
  // A VRF whose process is not understood promises nothing: the port is none of the default table.
  expect(found(inVrf("eth3", "blue"))).toBe("undefined 0.0.0.3");
  expect(unreadIn(text)).toEqual(["15: frobnicate: the reader does not know what it does to neighbours"]);
});

test("an interface with a line that is not known promises nothing, and others do", () => {
  const text = `
    interface eth1
     ip ospf area 0
     ip ospf network non-broadcast
    interface eth2
     ip ospf area 0
    interface eth3
     ip ospf area 0
     shutdown
    router ospf
  `;
  expect(["eth1", "eth2", "eth3"].map((name) => ospfOn(text, port(name)))).toEqual([
    "none",
    "0.0.0.0 line 5",
    "none",
  ]);
  expect(unreadIn(text)).toEqual([
    "3: ip ospf network non-broadcast: the reader does not know what it does to neighbours",
  ]);
});

test("an area without a process, and lines outside of their blocks, are listed", () => {
  expect(unreadIn("interface eth1\n ip ospf area 0\nexit\nneighbor 10.0.0.2 remote-as 1")).toEqual([
    "2: ip ospf area 0: there is no `router ospf`",
    "4: neighbor 10.0.0.2 remote-as 1: it belongs to no block that is read",
  ]);
});

test("the authentication of an interface comes before the one of its area", () => {
  const text = `
    interface eth1
     ip ospf area 0
     ip ospf message-digest-key 1 md5 secret
    interface eth2
     ip ospf area 0
     ip ospf authentication null
    interface eth3
     ip ospf area 1
    router ospf
     area 0 authentication message-digest
     area 1 stub
  `;
  const rules = read(text).ospf;
  expect(rules.map((rule, index) => rule.authentication(`eth${index + 1}`))).toEqual([
    "message digest, message-digest-key 1 md5 secret",
    "none",
    "none",
  ]);
  expect(rules.map(({ areaKind }) => areaKind)).toEqual(["ordinary", "ordinary", "stub"]);
});

const BGP = `
  router bgp 65001
   bgp router-id 1.1.1.1
   no bgp ebgp-requires-policy
   neighbor OUT peer-group
   neighbor OUT remote-as external
   neighbor OUT bfd
   neighbor OUT password secret
   neighbor 10.0.0.2 remote-as 65002
   neighbor 10.0.0.2 local-as 65099 no-prepend
   neighbor 10.0.0.3 peer-group OUT
   neighbor 10.0.0.4 remote-as 65004
   neighbor 10.0.0.4 shutdown
   neighbor 10.0.0.5 remote-as 65005
   neighbor 10.0.0.5 frobnicate
   neighbor eth2 interface remote-as internal
   neighbor eth3 interface peer-group OUT
   bgp listen range 10.7.0.0/16 peer-group OUT
   address-family ipv4 unicast
    network 10.0.0.0/8
    neighbor 10.0.0.2 activate
    no neighbor 10.0.0.3 activate
   exit-address-family
  router bgp 65002 view red
   neighbor 10.8.0.1 remote-as 1
`;

test("neighbours of BGP are read with their groups; what is shut down or not known promises nothing", () => {
  const rules = read(BGP).bgp.map(({ name, isByPort, localAs, remoteAs, hasBfd, password }) =>
    [name, isByPort, localAs, remoteAs, hasBfd, password].join(" "),
  );
  expect(rules).toEqual([
    "10.0.0.2 false 65099 65002 false ",
    "10.0.0.3 false 65001 external true secret",
    "eth2 true 65001 internal false ",
    "eth3 true 65001 external true secret",
  ]);
  expect(unreadIn(BGP)).toEqual([
    "14: neighbor 10.0.0.5 frobnicate: the reader does not know what it does to 10.0.0.5",
    "17: bgp listen range 10.7.0.0/16 peer-group OUT: it names no neighbour",
    "11: neighbor 10.0.0.4 remote-as 65004: 10.0.0.4 is shut down",
    "23: router bgp 65002 view red: an instance of a view, or without a number",
  ]);
});

test("IS-IS runs on interfaces that name its process, with the levels of both", () => {
  const text = `
    interface eth1
     ip router isis core
    interface eth2
     ip router isis core
     isis circuit-type level-2-only
    interface eth3
     ip router isis core
     isis passive
    interface eth4
     ip router isis other
    router isis core
     net 49.0001.0000.0000.0001.00
     is-type level-1-2
    router rip
     network eth1
  `;
  const { isis } = read(text);
  expect(isis.map(({ port: name, levels, area }) => `${name} ${levels} ${area}`)).toEqual([
    "eth1 1,2 49.0001",
    "eth2 2 49.0001",
  ]);
  expect(unreadIn(text)).toEqual([
    "10: ip router isis other: there is no `router isis` of this name",
    "14: router rip: its neighbours are not read",
  ]);
});
