/** Ports of real Linux guests: the frames that they take, and their carriers. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheFolder, imagesFolder, readFacts } from "@wirelab/linux/image/image";
import { describe, expect, test } from "vitest";
import { makeGuests } from "../../packages/wirelab/guests.ts";
import { type LabReport, runLab } from "../../packages/wirelab/index.ts";
import { loadLabFile } from "../../packages/wirelab/load-lab-file.ts";

const hasImage = (name: string) => readFacts(imagesFolder(cacheFolder(process.env)), name) !== undefined;

function play(text: string, isParallel = true): LabReport {
  const file = join(mkdtempSync(join(tmpdir(), "wirelab-ports-")), "lab.yaml");
  writeFileSync(file, text);
  return runLab(loadLabFile(file, makeGuests(isParallel)));
}

const outputOf = (report: LabReport, node: string, at: number): string =>
  report.transcripts.find((each) => each.node === node && each.at === at)!.output;

describe.skipIf(!hasImage("debian"))(
  "ports of guests (skipped without the image: wirelab image build debian)",
  () => {
    test("take frames of full size with a tag of the guest, and packets of 9,000 bytes", () => {
      const report = play(`
nodes:
  h1:
    type: linux
    ports: [10.0.0.1/24]
    commands: &tagged
      - ip link add link eth0 name eth0.5 type vlan id 5
      - ip address add 10.5.0.$(hostname | tail -c 2)/24 dev eth0.5; ip link set eth0.5 up
  h2: { type: linux, ports: [10.0.0.2/24], commands: *tagged }
links: [h1 -- h2]
run:
  - { at: 1s, console: { h1: ["ping -c 1 -s 1472 10.0.0.2", "ping -c 1 -s 1472 10.5.0.2", ip link set eth0 mtu 9000], h2: [ip link set eth0 mtu 9000] } }
  - { at: 4s, console: { h1: ["ping -c 1 -s 8972 10.0.0.2"] } }
duration: 6s
`);
      const received = [1, 4].flatMap((at) => outputOf(report, "h1", at).match(/\d+ packets received/g));
      expect(received).toEqual(Array.from({ length: 3 }, () => "1 packets received"));
    });

    test("lose their carrier with the link, and have none without a cable, in the same bytes for each number of processors", () => {
      const lab = `
nodes:
  h1: { type: linux, ports: [10.0.0.1/24, 10.1.0.1/24] }
  pc1: 10.0.0.2/24
links: [{ link: h1:0 -- pc1, name: l }]
run:
  - { at: 1s, console: { h1: [cat /sys/class/net/eth0/carrier /sys/class/net/eth1/carrier, ip monitor link > /tmp/seen &] } }
  - { at: 3s, down: l }
  - { at: 4s, up: l }
  - { at: 5s, impairments: { l: { carrier: down } } }
  - { at: 6s, console: { h1: [cat /tmp/seen, cat /sys/class/net/eth0/carrier] } }
duration: 8s
`;
      const report = play(lab);
      expect(outputOf(report, "h1", 1)).toContain("\n1\n0\n");
      const seen = outputOf(report, "h1", 6);
      expect(
        seen.match(/^\d+: eth0.*(?:NO-CARRIER|LOWER_UP)/gm)!.map((line) => line.includes("NO-CARRIER")),
      ).toEqual([true, false, true]);
      expect(seen).toMatch(/\n0\n\S*# $/);
      expect(play(lab, false).digest).toBe(report.digest);
    });
  },
);

describe.skipIf(!hasImage("bird"))(
  "guests with BIRD (skipped without the image: wirelab image build bird)",
  () => {
    test("lose a neighbour at once when its link goes down", () => {
      const example = readFileSync(
        new URL("../../examples/linux/ospf-bird.lab.yaml", import.meta.url),
        "utf8",
      );
      const report = play(
        `${example.replace(/\nrun:[\s\S]*/, "")}
run:
  - { at: 10s, console: { r1: [birdc show ospf neighbors] } }
  - { at: 12s, down: r1:eth0 -- r2:eth0 }
  - { at: 12.1s, console: { r1: [birdc show ospf neighbors] } }
duration: 13s
`,
      );
      expect(outputOf(report, "r1", 10)).toContain("Full");
      expect(outputOf(report, "r1", 12.1)).not.toContain("Full");
    });
  },
);
