/** The simulated router beside real daemons of OSPF in one lab: BIRD and FRR become full neighbours, and all have the same routes. */
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
  const file = join(mkdtempSync(join(tmpdir(), "wirelab-ospf-")), "lab.yaml");
  writeFileSync(file, text);
  return runLab(loadLabFile(file));
}

const FRR_WITH_SHORT_HELLOS = `
nodes:
  r1:
    type: router
    ports: [{ ipv4: 10.0.1.1/24 }]
    ospf: { router_id: 1.1.1.1, networks: { 10.0.0.0/8: 0 } }
  frr:
    type: linux
    image: frr
    ports: [10.0.1.2/24]
    files:
      etc/frr/frr.conf: |
        interface eth0
         ip ospf hello-interval 5
         ip ospf network point-to-point
        router ospf
         ospf router-id 2.2.2.2
         network 10.0.1.0/24 area 1
links: [r1:0 -- frr:eth0]
duration: 60s
expect: [{ adjacency: r1 -- frr }, { rib: frr, protocol: ospf, routes: { 10.0.1.0/24: 10.0.1.1 } }]
`;

const passes = (report: LabReport): void => {
  expect(report.verdicts.map(({ status, got }) => `${status}: ${got}`)).toEqual(
    report.verdicts.map(({ got }) => `passed: ${got}`),
  );
  expect(report.status).toBe("passed");
};

describe.skipIf(!hasImage("bird"))(
  "the router and BIRD (skipped without the image: wirelab image build bird)",
  () => {
    test("are full at a point-to-point link and at a network, with MD5, and have the same routes", () => {
      passes(
        playText(`
nodes:
  r1:
    type: router
    ports:
      - { ipv4: 10.0.1.1/24, ospf: { network: point-to-point, cost: 10, hello_seconds: 1, dead_seconds: 4 } }
      - { ipv4: 10.1.0.1/24, ospf: { passive: true } }
    ospf: { router_id: 1.1.1.1, networks: { 10.0.0.0/8: 0 } }
  bird:
    type: linux
    image: bird
    ports: [10.0.1.2/24, 10.0.2.2/24]
    files:
      etc/bird/bird.conf: |
        router id 2.2.2.2;
        protocol device { }
        protocol kernel { ipv4 { export all; }; }
        protocol static { ipv4; route 172.16.0.0/16 blackhole; }
        protocol ospf v2 {
          ipv4 { import all; export where source = RTS_STATIC; };
          area 0 {
            interface "eth0" { hello 1; dead 4; cost 10; type ptp; };
            interface "eth1" { hello 1; dead 4; cost 10; type bcast; authentication cryptographic; password "secret" { id 5; algorithm keyed md5; }; };
          };
        }
  r2:
    type: router
    ports:
      - { ipv4: 10.0.2.3/24, ospf: { cost: 10, hello_seconds: 1, dead_seconds: 4, authentication: message-digest, message_digest_keys: { "5": secret } } }
      - { ipv4: 10.3.0.1/24 }
    ospf: { router_id: 3.3.3.3, networks: { 10.0.0.0/8: 0 }, redistribute: { static: { metric: 33, metric_type: "1" } } }
    routes: [{ to: 192.168.9.0/24, via: blackhole }]
  pc1: { ip: 10.1.0.2/24, gateway: 10.1.0.1 }
  pc3: { ip: 10.3.0.2/24, gateway: 10.3.0.1 }
links:
  - { link: r1:0 -- bird:eth0, name: one }
  - { link: bird:eth1 -- r2:0, name: two }
  - pc1 -- r1:1
  - pc3 -- r2:1
run:
  - at: 30s
    console:
      bird: [birdc show ospf neighbors, birdc show ospf state, ip route]
      r1: [show ip ospf neighbor, show ip ospf route, show ip route]
      r2: [show ip ospf neighbor, show ip ospf database, show ip ospf route]
duration: 40s
expect:
  - { console: bird, matches: "1\\\\.1\\\\.1\\\\.1\\\\s+\\\\d+\\\\s+Full/PtP" }
  - { console: bird, matches: "3\\\\.3\\\\.3\\\\.3\\\\s+\\\\d+\\\\s+Full/(DR|BDR)" }
  - { console: bird, contains: 10.1.0.0/24 via 10.0.1.1 dev eth0 }
  - { console: bird, contains: 10.3.0.0/24 via 10.0.2.3 dev eth1 }
  - { console: bird, contains: 192.168.9.0/24 via 10.0.2.3 dev eth1 }
  - { console: r1, matches: "2\\\\.2\\\\.2\\\\.2 +\\\\d+ +Full/-" }
  - { console: r2, matches: "2\\\\.2\\\\.2\\\\.2 +\\\\d+ +Full/(DR|Backup)" }
  - { console: r1, matches: "N +10\\\\.3\\\\.0\\\\.0/24 +\\\\[30\\\\]" }
  - { console: r1, matches: "N E2 +172\\\\.16\\\\.0\\\\.0/16" }
  - { console: r1, matches: "N E1 +192\\\\.168\\\\.9\\\\.0/24 +\\\\[53\\\\]" }
  - { path: pc1 -> pc3, via: [r1, bird, r2] }
  - { adjacency: r1 -- bird }
  - { adjacency: "bird:eth1 -- r2", state: full }
`),
      );
    });
  },
);

describe.skipIf(!hasImage("frr"))(
  "the router and FRR (skipped without the image: wirelab image build frr)",
  () => {
    test("are full with the defaults of both, in two areas, and have the same routes", () => {
      passes(
        playText(`
nodes:
  r1:
    type: router
    ports: [{ ipv4: 10.0.1.1/24, ospf: { cost: 10 } }, { ipv4: 10.1.0.1/24 }]
    ospf: { router_id: 1.1.1.1, networks: { 10.0.0.0/8: 1 }, areas: { "1": stub } }
  frr:
    type: linux
    image: frr
    ports: [10.0.1.2/24, 10.0.2.2/24]
    files:
      etc/frr/frr.conf: |
        interface eth0
         ip ospf cost 10
        interface eth1
         ip ospf cost 10
        router ospf
         ospf router-id 2.2.2.2
         network 10.0.1.0/24 area 1
         network 10.0.2.0/24 area 0
         area 1 stub
  r2:
    type: router
    ports: [{ ipv4: 10.0.2.3/24, ospf: { cost: 10 } }, { ipv4: 10.3.0.1/24 }]
    ospf: { router_id: 3.3.3.3, networks: { 10.0.0.0/8: 0 }, default_route: { always: true } }
links: [r1:0 -- frr:eth0, frr:eth1 -- r2:0]
run:
  - at: 100s
    console:
      frr: ["vtysh -c 'show ip ospf neighbor'", "vtysh -c 'show ip route ospf'"]
      r1: [show ip ospf neighbor, show ip ospf route]
      r2: [show ip ospf neighbor, show ip ospf route]
duration: 110s
expect:
  - { console: frr, matches: "1\\\\.1\\\\.1\\\\.1 +1 +Full" }
  - { console: frr, matches: "3\\\\.3\\\\.3\\\\.3 +1 +Full" }
  - { console: frr, matches: "10\\\\.1\\\\.0\\\\.0/24 \\\\[110/20\\\\] via 10\\\\.0\\\\.1\\\\.1" }
  - { console: frr, matches: "10\\\\.3\\\\.0\\\\.0/24 \\\\[110/20\\\\] via 10\\\\.0\\\\.2\\\\.3" }
  - { console: frr, matches: "0\\\\.0\\\\.0\\\\.0/0 \\\\[110/1\\\\] via 10\\\\.0\\\\.2\\\\.3" }
  - { console: r1, matches: "2\\\\.2\\\\.2\\\\.2 +1 +Full" }
  - { console: r1, matches: "N IA +0\\\\.0\\\\.0\\\\.0/0 +\\\\[11\\\\]" }
  - { console: r1, matches: "N IA +10\\\\.3\\\\.0\\\\.0/24 +\\\\[30\\\\]" }
  - { console: r2, matches: "N IA +10\\\\.1\\\\.0\\\\.0/24 +\\\\[30\\\\]" }
  - { adjacency: r1 -- frr }
  - { adjacency: frr -- r2, state: full }
  - { rib: r1, routes: { 0.0.0.0/0: { via: 10.0.1.2, metric: 11 }, 10.3.0.0/24: { via: 10.0.1.2, metric: 30 } } }
  - rib: frr
    routes:
      0.0.0.0/0: { via: 10.0.2.3, protocol: ospf, distance: 110, metric: 1 }
      10.1.0.0/24: { via: 10.0.1.1, metric: 20 }
      10.3.0.0/24: { via: 10.0.2.3, metric: 20 }
      10.0.1.0/24: connected
`),
      );
    });

    test("explain by both ends why they are not neighbours", () => {
      const [adjacency, rib] = playText(FRR_WITH_SHORT_HELLOS).verdicts;
      expect(adjacency!.status).toBe("failed");
      expect(adjacency!.got.split("\n")).toEqual([
        "r1 Ethernet0 shows no neighbour frr; frr eth0 shows no neighbour r1",
        "area 0.0.0.0 on r1 Ethernet0, 0.0.0.1 on frr eth0 (/etc/frr/frr.conf:6)",
        "hello interval 10 s on r1 Ethernet0, 5 s on frr eth0",
        "dead interval 40 s on r1 Ethernet0, 20 s on frr eth0",
        "network type broadcast on r1 Ethernet0, point-to-point on frr eth0",
        expect.stringMatching(/^r1 Ethernet0 has refused packets: area [1-9]\d*$/),
      ]);
      expect(rib).toMatchObject({ status: "failed", got: expect.stringContaining("10.0.1.0/24") });
    });
  },
);
