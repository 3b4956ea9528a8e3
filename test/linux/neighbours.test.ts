/** Neighbours that configurations of real daemons promise: docs/linux-nodes.md. */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { type LabReport, loadLabFile, runLab } from "../../packages/wirelab/index.ts";
import { drawnTest } from "../helpers/cases/drawn-test.ts";
import { hasImage } from "../helpers/play-linux.ts";

const EXAMPLE = new URL("../../examples/linux/triangle/", import.meta.url).pathname;

const newFolder = (): string => mkdtempSync(join(tmpdir(), "wirelab-neighbours-"));
const linesOf = ({ verdicts }: LabReport): string[] =>
  verdicts.map(({ status, name, got }) => `${status}: ${name}: ${got}`);

/** @param change of east/frr.conf. */
function playTriangle(change: (text: string) => string): LabReport {
  const folder = newFolder();
  cpSync(EXAMPLE, folder, { recursive: true });
  const file = join(folder, "east/frr.conf");
  const text = readFileSync(file, "utf8");
  const changed = change(text);
  writeFileSync(file, changed);
  return runLab(loadLabFile(join(folder, "triangle.clab.yml")));
}

const UP = [
  "passed: reach: all: a reply",
  "passed: neighbours: OSPF north eth1 -- east eth1: up at both ends",
  "passed: neighbours: OSPF north eth2 -- west eth1: up at both ends",
  "passed: neighbours: OSPF east eth2 -- west eth2: up at both ends",
];

/** FRR and BIRD, which are neighbours in BGP. */
function playPair(remoteAs: number): LabReport {
  const folder = newFolder();
  const file = join(folder, "pair.clab.yml");
  writeFileSync(
    join(folder, "frr.conf"),
    `interface eth1\n ip address 10.0.0.1/24\nrouter bgp 65001\n neighbor 10.0.0.2 remote-as ${remoteAs}\n`,
  );
  writeFileSync(
    join(folder, "bird.conf"),
    "router id 10.0.0.2;\nprotocol device {}\nprotocol bgp { local as 65002; neighbor 10.0.0.1 as 65001; ipv4 { import all; export none; }; }\n",
  );
  writeFileSync(
    file,
    `name: pair
topology:
  nodes:
    f: {kind: linux, image: frrouting/frr, binds: ["frr.conf:/etc/frr/frr.conf"]}
    b: {kind: linux, image: bird, binds: ["bird.conf:/etc/bird/bird.conf"], exec: [ip addr add 10.0.0.2/24 dev eth1]}
  links:
    - endpoints: [f:eth1, b:eth1]
`,
  );
  return runLab(loadLabFile(file));
}

const vrfConfig = (own: number): string => {
  const peer = 3 - own;
  const port = (name: string) =>
    `interface ${name}\n ip address 10.1.0.${own}/24\n ip ospf area 0\n ipv6 ospf6 area 0\n`;
  const processes = (vrf: string, id: number) =>
    `router ospf${vrf}\n ospf router-id 10.${id}.0.${own}\nrouter ospf6${vrf}\n ospf6 router-id 10.${id}.0.${own}\n` +
    `router bgp 6500${own}${vrf}\n bgp router-id 10.${id}.0.${own}\n neighbor 10.1.0.${peer} remote-as 6500${peer}\n neighbor 10.1.0.${peer} bfd\n`;
  return `${port("eth1")}${port("eth2")} ip router isis CORE
router isis CORE
 net 49.0001.0000.0000.000${own}.00
 is-type level-2-only
${processes("", 255)}${processes(" vrf red", 254)}`;
};

/** Two routers with two cables, of which one is in a VRF; both have the same addresses. A lab file names the topology. */
function playVrfs(): LabReport {
  const folder = newFolder();
  const daemons = ["zebra", "ospfd", "ospf6d", "isisd", "bgpd", "bfdd"].map((name) => `${name}=yes\n`);
  writeFileSync(join(folder, "daemons"), daemons.join(""));
  const node = (own: number) => {
    writeFileSync(join(folder, `r${own}.conf`), vrfConfig(own));
    return `    r${own}:
      binds: ["r${own}.conf:/etc/frr/frr.conf", "daemons:/etc/frr/daemons"]
      exec: [ip link add red type vrf table 100, ip link set red up, ip link set eth1 master red]
`;
  };
  writeFileSync(
    join(folder, "vrf.clab.yml"),
    `name: vrf
topology:
  defaults: {kind: linux, image: "quay.io/frrouting/frr:10.5.1"}
  nodes:
${node(1)}${node(2)}  links:
    - endpoints: [r1:eth1, r2:eth1]
    - endpoints: [r1:eth2, r2:eth2]
`,
  );
  const file = join(folder, "vrf.lab.yaml");
  writeFileSync(file, "topology: vrf.clab.yml\nduration: 5s\n");
  return runLab(loadLabFile(file));
}

const test = drawnTest(4);

describe.skipIf(!hasImage("frr"))(
  "neighbours of FRR (skipped without the image: wirelab image build frr)",
  () => {
    test("a topology whose neighbours are up passes", () => {
      expect(linesOf(playTriangle((text) => text))).toEqual(UP);
    });

    test("another area at one end fails, although all PCs reach each other, and names both ends", () => {
      const report = playTriangle((text) => text.replace("ip ospf area 0", "ip ospf area 1"));
      expect(linesOf(report)).toEqual(
        UP.with(
          1,
          [
            "failed: neighbours: OSPF north eth1 -- east eth1: north shows no neighbour east; east shows no neighbour north (150 s after the end of the lab)",
            "area 0.0.0.0 on north eth1 (/etc/frr/frr.conf:4), 0.0.0.1 on east eth1 (/etc/frr/frr.conf:4)",
          ].join("\n"),
        ),
      );
      expect(report.status).toBe("failed");
    });

    test("a lab file's topology with VRFs, OSPFv3, IS-IS and BFD has all neighbours in their tables of routes", () => {
      const report = playVrfs();
      expect(linesOf(report)).toEqual(
        [
          "OSPF r1 eth1 -- r2 eth1",
          "OSPFv3 r1 eth1 -- r2 eth1",
          "OSPF r1 eth2 -- r2 eth2",
          "OSPFv3 r1 eth2 -- r2 eth2",
          "IS-IS r1 eth2 -- r2 eth2",
          "BGP r1 10.1.0.1 -- r2 10.1.0.2",
          "BFD r1 10.1.0.1 -- r2 10.1.0.2",
          "BGP r1 10.1.0.1 (VRF red) -- r2 10.1.0.2 (VRF red)",
          "BFD r1 10.1.0.1 (VRF red) -- r2 10.1.0.2 (VRF red)",
        ].map((name) => `passed: neighbours: ${name}: up at both ends`),
      );
      expect(report.unchecked ?? []).toEqual([]);
    });
  },
);

describe.skipIf(!hasImage("frr") || !hasImage("bird"))(
  "neighbours of FRR and BIRD (skipped without their images)",
  () => {
    test("a session of BGP is up, and a wrong AS at one end fails and names both", () => {
      expect(linesOf(playPair(65_002))).toEqual([
        "passed: neighbours: BGP f 10.0.0.1 -- b 10.0.0.2: up at both ends",
      ]);
      const [line] = linesOf(playPair(65_022));
      expect(line).toMatch(/^failed: neighbours: BGP f 10\.0\.0\.1 -- b 10\.0\.0\.2: f shows .*; b shows /);
      expect(line).toContain("f expects AS 65022 (/etc/frr/frr.conf:4), and b has AS 65002");
    });
  },
);
