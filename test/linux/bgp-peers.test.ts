/** The simulated router beside FRR's bgpd in one lab: sessions of both kinds, and the same routes at both ends. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheFolder, imagesFolder, readFacts } from "@wirelab/linux/image/image";
import { describe, expect, test } from "vitest";
import { type LabReport, loadLabFile, runLab } from "../../packages/wirelab/index.ts";

const hasImage = (name: string) => readFacts(imagesFolder(cacheFolder(process.env)), name) !== undefined;

function playText(text: string): LabReport {
  const file = join(mkdtempSync(join(tmpdir(), "wirelab-bgp-")), "lab.yaml");
  writeFileSync(file, text);
  return runLab(loadLabFile(file));
}

const passes = (report: LabReport): void => {
  expect(report.verdicts.map(({ status, got }) => `${status}: ${got}`)).toEqual(
    report.verdicts.map(({ got }) => `passed: ${got}`),
  );
  expect(report.status).toBe("passed");
};

/** r1 and the guest are AS 65000, each with an external neighbour: r1 reflects the routes of the guest, its client, to r3. */
const SYSTEM = `
nodes:
  r1:
    type: router
    config: |
      interface eth0
       ip address 10.0.1.1/24
      interface eth1
       ip address 10.0.3.1/24
      interface eth2
       ip address 10.1.0.1/24
      router bgp 65000
       bgp router-id 1.1.1.1
       no bgp ebgp-requires-policy
       neighbor 10.0.1.2 remote-as internal
       neighbor 10.0.3.3 remote-as internal
       address-family ipv4 unicast
        network 10.1.0.0/24
        neighbor 10.0.1.2 route-reflector-client
       exit-address-family
  frr:
    type: linux
    image: frr
    ports: [10.0.1.2/24, 10.0.2.2/24]
    files:
      etc/frr/frr.conf: |
        ip route 10.0.3.0/24 10.0.1.1
        ip route 10.7.0.0/16 blackhole
        router bgp 65000
         bgp router-id 2.2.2.2
         no bgp ebgp-requires-policy
         neighbor 10.0.1.1 remote-as 65000
         neighbor 10.0.2.4 remote-as 65004
         address-family ipv4 unicast
          redistribute static metric 7
          neighbor 10.0.1.1 next-hop-self
         exit-address-family
  r3:
    type: router
    config: |
      interface eth0
       ip address 10.0.3.3/24
      ip route 10.0.1.0/24 10.0.3.1
      router bgp 65000
       bgp router-id 3.3.3.3
       neighbor 10.0.3.1 remote-as 65000
  r4:
    type: router
    config: |
      interface eth0
       ip address 10.0.2.4/24
      interface eth1
       ip address 10.4.0.1/24
      router bgp 65004
       bgp router-id 4.4.4.4
       no bgp ebgp-requires-policy
       neighbor 10.0.2.2 remote-as external
       network 10.4.0.0/24
links: [r1:0 -- frr:eth0, r1:1 -- r3:0, frr:eth1 -- r4:0]
run:
  - at: 40s
    console:
      frr:
        - vtysh -c 'show bgp ipv4 unicast'
        - vtysh -c 'show bgp ipv4 unicast summary'
        - vtysh -c 'show bgp ipv4 unicast 10.4.0.0/24'
      r1: [show ip bgp summary, show ip bgp]
      r3: [show ip bgp]
      r4: [show ip bgp summary, show ip bgp]
duration: 50s
expect:
  - { rib: frr, protocol: bgp, only: true, routes: { 10.1.0.0/24: 10.0.1.1, 10.4.0.0/24: 10.0.2.4 } }
  - { rib: r1, protocol: bgp, routes: { 10.4.0.0/24: 10.0.1.2, 10.7.0.0/16: { via: 10.0.1.2, distance: 200, metric: 7 } } }
  - { rib: r3, protocol: bgp, routes: { 10.4.0.0/24: 10.0.3.1, 10.1.0.0/24: 10.0.3.1, 10.7.0.0/16: 10.0.3.1 } }
  - { rib: r4, protocol: bgp, routes: { 10.1.0.0/24: { via: 10.0.2.2, distance: 20 }, 10.7.0.0/16: 10.0.2.2 } }
  - { console: r4, matches: "10\\\\.1\\\\.0\\\\.0/24 +10\\\\.0\\\\.2\\\\.2 .* 65000 i" }
  - { console: r4, matches: "10\\\\.7\\\\.0\\\\.0/16 +10\\\\.0\\\\.2\\\\.2 .* 65000 \\\\?" }
  - { console: frr, matches: "\\\\*> *10\\\\.4\\\\.0\\\\.0/24 +10\\\\.0\\\\.2\\\\.4 +0 +0 65004 i" }
  - { console: frr, matches: "\\\\*>i10\\\\.1\\\\.0\\\\.0/24 +10\\\\.0\\\\.1\\\\.1 +0 +100 +0 i" }
`;

describe.skipIf(!hasImage("frr"))(
  "the router and FRR (skipped without the image: wirelab image build frr)",
  () => {
    test("exchange internal and external routes, with a reflector between them", () => {
      passes(playText(SYSTEM));
    });

    test("give up a session at which the numbers of the systems differ, and say it", () => {
      const report = playText(
        SYSTEM.replace("neighbor 10.0.2.4 remote-as 65004", "neighbor 10.0.2.4 remote-as 65005").replace(
          /expect:[\s\S]*/,
          `expect:
  - { rib: r4, protocol: bgp, only: true, routes: {} }
  - { console: frr, contains: "10.0.2.4" }
  - { console: r4, matches: "10\\\\.0\\\\.2\\\\.2 .*(Idle|Active|Connect|OpenSent)" }
`,
        ),
      );
      passes(report);
    });
  },
);
