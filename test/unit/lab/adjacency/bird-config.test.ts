import { expect, test } from "vitest";
import { readBirdConfig } from "../../../../packages/lab/adjacency/bird-config.ts";
import type { IpPort } from "../../../../packages/lab/guest-state/ip.ts";
import { yaml } from "../helpers.ts";

const read = (text: string) => readBirdConfig(yaml(text), "/etc/bird/bird.conf");
const port = (name: string): IpPort => ({
  name,
  isOn: true,
  hasCarrier: true,
  mtu: 1_500,
  master: undefined,
  mac: undefined,
  addresses: [],
});
const unreadIn = (text: string) => read(text).unread.map(({ at, why }) => `${at.line}: ${at.text}: ${why}`);

function ospfOn(text: string, name: string, version: 2 | 3 = 2): string {
  const rule = read(text).ospf.find((each) => each.version === version && each.matches(port(name)));
  if (rule === undefined) return "none";
  return `${rule.area}${rule.isPassive(name) ? " passive" : ""} line ${rule.at.line} ${rule.authentication(name)}`;
}

const OSPF = `
  # protocol ospf { area 9 { interface "*"; }; }
  filter out { if net ~ [10.0.0.0/8+] then { accept; } else reject; }
  protocol ospf v2 inner {
    ipv4 { export filter out; };
    area 0 {
      interface "lo*" { stub; };
      interface "eth0", "eth1" { type ptp; authentication cryptographic; password "x" { id 1; }; };
    };
    area 1 { interface -"eth9", "eth*"; };
  }
  protocol ospf v3 { area 0.0.0.5 { interface "eth0"; }; }
`;

test("OSPF runs on the interfaces of the first pattern that matches", () => {
  expect(ospfOn(OSPF, "lo")).toBe("0.0.0.0 passive line 6 none");
  expect(ospfOn(OSPF, "eth1")).toBe("0.0.0.0 line 7 message digest");
  expect(ospfOn(OSPF, "eth2")).toBe("0.0.0.1 line 9 none");
  expect(ospfOn(OSPF, "eth9")).toBe("none");
  expect(ospfOn(OSPF, "eth0", 3)).toBe("0.0.0.5 line 11 none");
  expect(unreadIn(OSPF)).toEqual([]);
});

test.each([
  [
    `protocol ospf { area 0 { interface 10.0.0.0/8; }; }`,
    "the reader does not know which interfaces and neighbours it has",
  ],
  [
    `protocol ospf { area 0 { interface "eth0" { type nbma; }; }; }`,
    "the reader does not know which interfaces and neighbours it has",
  ],
  [`protocol ospf { disabled; area 0 { interface "eth0"; }; }`, "it is disabled"],
  [`protocol ospf { vrf "red"; area 0 { interface "eth0"; }; }`, "it belongs to a VRF"],
  [`protocol ospf x from y { area 0 { interface "eth0"; }; }`, "it has a template"],
  [`include "more.conf";`, "the lab has no such file"],
  [`protocol rip { interface "eth0"; }`, "its neighbours are not read"],
])("%s promises nothing", (text, why) => {
  expect(["none", "0.0.0.0 passive line 1 none"]).toContain(ospfOn(text, "eth0"));
  expect(unreadIn(text)).toEqual([`1: ${text}: ${why}`]);
});

test("included files stand in the place of their lines, and have lines of their own", () => {
  const files = new Map([
    [
      "/etc/bird/bgp.mod.conf",
      'protocol bgp {\n neighbor PEER as 2;\n local as 1;\n}\ninclude "/etc/ospf.conf";',
    ],
    ["/etc/ospf.conf", '\nprotocol ospf { area 0 { interface "eth1"; }; }'],
    ["/etc/bird/loop.conf", 'include "bird.conf"; include "loop.conf";'],
  ]);
  const text = 'define PEER = 10.0.0.2;\ninclude "bgp.mod.conf";\ninclude "loop.conf";\ninclude "*.conf";';
  const { bgp, ospf, unread } = readBirdConfig(text, "/etc/bird/bird.conf", files);
  expect(bgp).toMatchObject([
    { name: "10.0.0.2", remoteAs: 2, localAs: 1, at: { file: "/etc/bird/bgp.mod.conf", line: 1 } },
  ]);
  expect(ospf).toMatchObject([{ area: "0.0.0.0", at: { file: "/etc/ospf.conf", line: 2 } }]);
  expect(unread.map(({ at, why }) => `${at.file}:${at.line}: ${why}`)).toEqual([
    "/etc/bird/loop.conf:1: the file includes itself",
    "/etc/bird/loop.conf:1: the file includes itself",
    "/etc/bird/bird.conf:4: the lab has no such file",
  ]);
});

test("neighbours of BGP are read with their templates and constants", () => {
  const text = `
    define PEER = 10.0.0.2;
    template bgp peers { local as 65001; bfd; password "secret"; }
    protocol bgp one from peers { neighbor PEER as 65002; }
    protocol bgp { local 10.0.0.1 as 65001; neighbor fd00::2 external; passive; }
    protocol bgp { local as 65001; neighbor range 10.0.0.0/24 as 65002; }
    protocol bgp { local as 65001; neighbor 10.0.0.7 as 65002; disabled yes; }
    protocol bgp from nowhere { neighbor 10.0.0.8 as 65002; }
  `;
  const rules = read(text).bgp.map(({ name, localAs, remoteAs, hasBfd, isPassive, password }) =>
    [name, localAs, remoteAs, hasBfd, isPassive, password].join(" "),
  );
  expect(rules).toEqual(["10.0.0.2 65001 65002 true false secret", "fd00::2 65001 external false true "]);
  expect(read(text).unread.map(({ at, why }) => `${at.line}: ${why}`)).toEqual([
    "5: the reader does not know its neighbour",
    "6: it is disabled",
    "7: its template is not in this file",
  ]);
});
