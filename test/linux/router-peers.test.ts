/** The simulated router beside real programs on the same link: VLANs and tunnels of Linux, keepalived. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheFolder, imagesFolder, readFacts } from "@wirelab/linux/image/image";
import { describe, expect } from "vitest";
import { type LabReport, loadLabFile, runLab } from "../../packages/wirelab/index.ts";
import { drawnTest } from "../helpers/cases/drawn-test.ts";

const test = drawnTest(3);
const hasImage = (name: string) => readFacts(imagesFolder(cacheFolder(process.env)), name) !== undefined;

function playText(text: string): LabReport {
  const file = join(mkdtempSync(join(tmpdir(), "wirelab-peers-")), "lab.yaml");
  writeFileSync(file, text);
  return runLab(loadLabFile(file));
}

const passes = (report: LabReport): void => {
  expect(report.verdicts.map(({ status, got }) => `${status}: ${got}`)).toEqual(
    report.verdicts.map(({ got }) => `passed: ${got}`),
  );
  expect(report.status).toBe("passed");
};

const KEEPALIVED = `
    files:
      etc/keepalived/keepalived.conf: |
        global_defs { vrrp_version 3 }
        vrrp_instance four {
          state BACKUP
          interface eth0
          virtual_router_id 7
          priority 100
          advert_int 1
          virtual_ipaddress { 10.0.0.254/24 }
        }
        vrrp_instance six {
          state BACKUP
          interface eth0
          virtual_router_id 7
          priority 100
          advert_int 1
          virtual_ipaddress { fe80::7
            2001:db8::254/64 }
        }
    commands: keepalived`;

describe.skipIf(!hasImage("debian"))(
  "the router and Linux (skipped without the image: wirelab image build debian)",
  () => {
    test("subinterfaces with one tag and with two exchange packets with Linux's", () => {
      passes(
        playText(`
nodes:
  r:
    type: router
    ports: [{}]
    interfaces:
      - { name: Ethernet0.10, vlan: 10, ipv4: 10.0.10.1/24, ipv6: "2001:db8:10::1/64" }
      - { name: Ethernet0.20, vlan: 20, ipv4: 10.0.20.1/24 }
      - { name: Ethernet0.100.30, vlan: 30, outer_vlan: 100, ipv4: 10.0.30.1/24 }
  h:
    type: linux
    ports: [[]]
    commands:
      - ip link add link eth0 name v10 type vlan id 10
      - ip link add link eth0 name v20 type vlan id 20
      - ip link add link eth0 name o100 type vlan proto 802.1ad id 100
      - ip link add link o100 name v30 type vlan id 30
      - ip link set eth0 up; ip link set v10 up; ip link set v20 up; ip link set o100 up; ip link set v30 up
      - ip addr add 10.0.10.2/24 dev v10; ip addr add 10.0.20.2/24 dev v20; ip addr add 10.0.30.2/24 dev v30
      - ip -6 addr add 2001:db8:10::2/64 dev v10 nodad
links: [{ link: h -- r:0, name: trunk }]
run:
  - at: 2s
    console:
      r: [ping 10.0.10.2 -c 1, ping 10.0.20.2 -c 1 -s 1400 -D, ping 10.0.30.2 -c 1 -s 1400 -D, "ping 2001:db8:10::2 -c 1"]
      h: [ping -c 1 10.0.30.1, ping -c 1 -s 1400 10.0.10.1, ip neigh show dev v30]
duration: 15s
expect:
  - { console: r, contains: 64 bytes from 10.0.10.2 }
  - { console: r, contains: 1408 bytes from 10.0.20.2 }
  - { console: r, contains: 1408 bytes from 10.0.30.2 }
  - { console: r, contains: "bytes from 2001:db8:10::2" }
  - { console: h, contains: 64 bytes from 10.0.30.1 }
  - { console: h, contains: 1408 bytes from 10.0.10.1 }
  - { console: h, contains: "10.0.30.1 lladdr 02:57:4c" }
  - { never: not ip6 and not vlan, link: trunk }
`),
      );
    });

    test("a router with more priority is the master, keepalived takes over when it is gone, and gives back", () => {
      passes(
        playText(`
nodes:
  r:
    type: router
    ports:
      - ipv4: 10.0.0.1/24
        ipv6: "2001:db8::1/64"
        vrrp: [{ id: 7, ipv4: [10.0.0.254], ipv6: ["fe80::7", "2001:db8::254"], priority: 150 }]
  k:
    type: linux
    image: debian
    ports: [[10.0.0.2/24, "2001:db8::2/64"]]${KEEPALIVED}
  pc: { ip: [10.0.0.10/24, "2001:db8::10/64"], gateway: 10.0.0.254 }
  sw: switch
links: [r:0 -- sw, { link: k -- sw, name: peer }, pc -- sw]
run:
  - { at: 8s, console: { k: echo first $(ip -o addr show eth0 | grep -c 254/), r: show vrrp } }
  - { at: 10s, stop: r }
  - { at: 18s, console: { k: echo second $(ip -o addr show eth0 | grep -c 254/), pc: ping 10.0.0.254 -c 1 } }
  - { at: 20s, start: r }
  - { at: 28s, console: { k: echo third $(ip -o addr show eth0 | grep -c 254/), r: [show counters, show vrrp], pc: "ping 2001:db8::254 -c 1" } }
duration: 32s
expect:
  - { console: k, contains: first 0 }
  - { console: k, contains: second 2 }
  - { console: k, contains: third 0 }
  - { console: r, at: 9s, matches: "IPv4 +master +150[^\\n]*\\n[^\\n]*IPv6 +master +150" }
  - { console: r, at: 30s, matches: "IPv4 +master +150[^\\n]*\\n[^\\n]*IPv6 +master +150" }
  - { not console: r, contains: malformed }
  - { console: pc, contains: 84 bytes from 10.0.0.254 }
  - { console: pc, contains: "2001:db8::254 icmp6_seq=1" }
  - { seen: "ip proto 112 and src host 10.0.0.2", link: peer }
  - { seen: "ip6 proto 112 and src host fe80::57:4cff:fe80:40", link: peer }
`),
      );
    });
  },
);

describe.skipIf(!hasImage("tunnels"))(
  "the router and Linux's tunnels (skipped without the image: wirelab image build test/linux/tunnels.yaml)",
  () => {
    test("a GRE tunnel with a key carries IPv4 and IPv6, fragments, and packets with checksums", () => {
      passes(
        playText(`
nodes:
  r:
    type: router
    ports: [192.0.2.1/24, 10.1.0.1/24]
    interfaces:
      - { type: gre, name: tun0, local: 192.0.2.1, remote: 192.0.2.2, key: 7, ipv4: 172.16.0.1/30, ipv6: "fd00::1/64" }
    routes: { 10.2.0.0/24: 172.16.0.2 }
  h:
    type: linux
    image: tunnels
    ports: [192.0.2.2/24]
    commands:
      - ip link add tun0 type gre local 192.0.2.2 remote 192.0.2.1 key 7 ocsum ttl 64
      - ip addr add 172.16.0.2/30 dev tun0
      - ip -6 addr add fd00::2/64 dev tun0 nodad
      - ip link set tun0 up
      - ip addr add 10.2.0.1/24 dev lo
      - ip route add 10.1.0.0/24 via 172.16.0.1
  pc: { ip: 10.1.0.10/24, gateway: 10.1.0.1 }
links: [{ link: h -- r:0, name: under }, r:1 -- pc]
run:
  - at: 2s
    console:
      r: [ping 172.16.0.2 -c 1, "ping fd00::2 -c 1", ping 10.2.0.1 -c 1 -s 4000, ping 172.16.0.2 -c 1 -s 1445 -D, show counters]
      h: [ping -c 1 172.16.0.1, "ping -c 1 fd00::1", ping -c 1 -s 3000 10.1.0.10, ip link show tun0]
      pc: ping 10.2.0.1 -c 1
duration: 15s
expect:
  - { console: r, contains: 64 bytes from 172.16.0.2 }
  - { console: r, contains: "bytes from fd00::2" }
  - { console: r, contains: 4008 bytes from 10.2.0.1 }
  - { console: r, contains: "too big for tun0, MTU 1472" }
  - { not console: r, contains: malformed }
  - { console: h, contains: 64 bytes from 172.16.0.1 }
  - { console: h, contains: "64 bytes from fd00::1" }
  - { console: h, contains: 3008 bytes from 10.1.0.10 }
  - { console: h, contains: mtu 1468 }
  - { console: pc, contains: 84 bytes from 10.2.0.1 }
  - { seen: "ip proto 47 and src host 192.0.2.1", link: under }
  - { never: "ip and not ip proto 47", link: under }
`),
      );
    });
  },
);
