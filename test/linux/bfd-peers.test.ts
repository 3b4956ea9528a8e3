/** The simulated router beside FRR's bfdd in one lab: sessions of OSPF, configured ones, and what both do when the path fails. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheFolder, imagesFolder, readFacts } from "@wirelab/linux/image/image";
import { describe, expect, test } from "vitest";
import { type LabReport, loadLabFile, runLab } from "../../packages/wirelab/index.ts";

const hasImage = readFacts(imagesFolder(cacheFolder(process.env)), "frr") !== undefined;

function playText(text: string): LabReport {
  const file = join(mkdtempSync(join(tmpdir(), "wirelab-bfd-")), "lab.yaml");
  writeFileSync(file, text);
  return runLab(loadLabFile(file));
}

/** r1 and frr share 10.0.1.0/24 by way of a switch: OSPF with BFD, and a session over IPv6 of the configuration. */
const LAB = `
nodes:
  r1:
    type: router
    ports: [{ ipv4: 10.0.1.1/24, ipv6: "2001:db8::1/64", ospf: { network: point-to-point, bfd_profile: fast } }]
    ospf: { router_id: 1.1.1.1, networks: { 10.0.0.0/8: 0 } }
    bgp: { as: 65001, ebgp_requires_policy: false, neighbors: { 10.0.1.2: { remote_as: 65002, bfd_profile: fast } } }
    bfd:
      profiles: { fast: { transmit_interval_ms: 100, receive_interval_ms: 200 } }
      peers: [{ address: "2001:db8::2", detect_multiplier: 5 }]
  sw: switch
  frr:
    type: linux
    image: frr
    ports: [10.0.1.2/24]
    files:
      etc/frr/daemons: |
        zebra=yes
        ospfd=yes
        bgpd=yes
        bfdd=yes
      etc/frr/frr.conf: |
        interface eth0
         ipv6 address 2001:db8::2/64
         ip ospf network point-to-point
         ip ospf bfd
        router ospf
         ospf router-id 2.2.2.2
         network 10.0.1.0/24 area 0
        router bgp 65002
         no bgp ebgp-requires-policy
         neighbor 10.0.1.1 remote-as 65001
         neighbor 10.0.1.1 bfd
        bfd
         peer 2001:db8::1
         exit
links: [r1:0 -- sw:0, { link: sw:1 -- frr:eth0, name: path }]
run:
  - at: 60s
    console:
      r1: [show bfd peers, show ip ospf neighbor]
      frr: ["vtysh -c 'show bfd peers'"]
  - { at: 70s, filters: { path: { packet_loss: 100 } } }
  - { at: 72s, console: { r1: [show bfd peers brief, show ip ospf neighbor, show ip bgp neighbors], frr: ["vtysh -c 'show ip ospf neighbor'", "vtysh -c 'show ip bgp neighbors'"] } }
duration: 80s
expect:
  - { adjacency: r1 -- frr, at: 69s }
  - { not adjacency: r1 -- frr, at: 73s }
  - { console: frr, matches: "peer 2001:db8::1 vrf default\\\\s[^]*Status: up[^]*peer 10\\\\.0\\\\.1\\\\.1 " }
  - { console: frr, matches: "peer 10\\\\.0\\\\.1\\\\.1 vrf[^]*Status: up[^]*Remote timers:\\\\s+Detect-multiplier: 3\\\\s+Receive interval: 200ms\\\\s+Transmission interval: 100ms" }
  - { console: r1, matches: "peer 2001:db8::2 [^]*Status: up[^]*peer 10\\\\.0\\\\.1\\\\.2 " }
  - { console: r1, matches: "peer 10\\\\.0\\\\.1\\\\.2 [^]*Status: up[^]*Remote timers:\\\\s+Detect-multiplier: 3\\\\s+Receive interval: 300ms" }
  - { console: r1, matches: "2001:db8::2 +down" }
  - { console: r1, contains: No neighbours }
  - { adjacency: r1 -- frr, protocol: bgp, at: 69s }
  - { not adjacency: r1 -- frr, protocol: bgp, at: 73s }
  - { console: r1, contains: Last reset due to Notification sent (Cease/BFD Down) }
  - { console: frr, contains: "Notification sent (Cease/BFD Down)" }
`;

describe.skipIf(!hasImage)(
  "the router and FRR's bfdd (skipped without the image: wirelab image build frr)",
  () => {
    test("are up over IPv4 and IPv6, agree on their intervals, and lose the neighbour with the path", () => {
      const report = playText(LAB);
      expect(report.verdicts.filter(({ status }) => status !== "passed").map(({ got }) => got)).toEqual([]);
      expect(report.verdicts).toHaveLength(12);
    });
  },
);
