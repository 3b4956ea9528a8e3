/** Neighbours that configurations of real daemons promise: docs/linux-nodes.md. */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type LabReport, loadLabFile, runLab } from "../../packages/wirelab/index.ts";
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
