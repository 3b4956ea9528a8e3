/** Labs with real Linux guests: Debian's kernel and daemons in virtual time, beside simulated devices. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheFolder, imagesFolder, readFacts } from "@wirelab/linux/image/image";
import { describe, expect, test } from "vitest";
import { type LabReport, loadLabFile, runLab } from "../../packages/wirelab/index.ts";

const EXAMPLES = new URL("../../examples/linux/", import.meta.url).pathname;
const hasImage = (name: string) => readFacts(imagesFolder(cacheFolder(process.env)), name) !== undefined;

const play = (file: string): LabReport => runLab(loadLabFile(file));

function playText(text: string): LabReport {
  const file = join(mkdtempSync(join(tmpdir(), "wirelab-linux-")), "lab.yaml");
  writeFileSync(file, text);
  return play(file);
}

const passes = (report: LabReport): void => {
  expect(report.verdicts.map(({ status, got }) => `${status}: ${got}`)).toEqual(
    report.verdicts.map(({ got }) => `passed: ${got}`),
  );
  expect(report.status).toBe("passed");
};

describe.skipIf(!hasImage("bird"))(
  "guests with BIRD (skipped without the image: wirelab image build bird)",
  () => {
    test("two routers find a way by OSPF, and each run has the same bytes", () => {
      const first = play(join(EXAMPLES, "ospf-bird.lab.yaml"));
      passes(first);
      expect(play(join(EXAMPLES, "ospf-bird.lab.yaml")).digest).toBe(first.digest);
    });

    test("a guest and the simulated devices answer each other", () => {
      const report = playText(`
nodes:
  h1: { type: linux, image: bird, ports: [[10.0.0.1/24, "fd00::1/64"]], commands: [ip route add default via 10.0.0.254] }
  pc1: { ip: [10.0.0.2/24, "fd00::2/64"], gateway: 10.0.0.254 }
  far: { ip: 10.9.0.2/24, gateway: 10.9.0.254 }
  sw1: switch
  gw: { type: router, ports: [10.0.0.254/24, 10.9.0.254/24] }
links: [h1 -- sw1, pc1 -- sw1, gw:0 -- sw1, gw:1 -- far]
run:
  - { at: 1s, console: { h1: ["ping -c 2 10.9.0.2", "ping -c 1 fd00::2", "traceroute -n -q 1 10.9.0.2", "ip neigh show 10.0.0.254"] } }
duration: 20s
expect:
  - { ping: pc1 -> h1, lost: 0 }
  - { ping: h1 -> far, lost: 0 }
  - { path: h1 -> far, via: [gw] }
  - { console: h1, contains: "2 packets transmitted, 2 packets received" }
  - { console: h1, contains: "1 packets transmitted, 1 packets received" }
  - { console: h1, contains: " 1  10.0.0.254" }
  - { console: h1, contains: " 2  10.9.0.2" }
  - { console: h1, contains: "lladdr 02:57:4c" }
`);
      passes(report);
    });

    test("a power cycle gives a fresh guest", () => {
      const report = playText(`
nodes:
  h1: { type: linux, image: bird, ports: [10.0.0.1/24] }
  pc1: 10.0.0.2/24
links: [h1 -- pc1]
run:
  - { at: 1s, console: { h1: [echo before > /root/file, cat /root/file] } }
  - { at: 2s, stop: h1 }
  - { at: 3s, start: h1 }
  - { at: 8s, console: { h1: [ls /root] } }
duration: 10s
expect:
  - { ping: pc1 -> h1, lost: 0 }
`);
      passes(report);
      expect(report.transcripts.map(({ output }) => output).join("")).toContain("before");
      expect(report.transcripts.at(-1)!.output).not.toContain("file");
    });
  },
);

describe.skipIf(!hasImage("frr"))(
  "guests with FRR (skipped without the image: wirelab image build frr)",
  () => {
    test("three routers in a row converge by OSPF", () => {
      passes(play(join(EXAMPLES, "ospf-frr.lab.yaml")));
    });

    test("a containerlab topology with FRR runs as it is", () => {
      const report = play(join(EXAMPLES, "triangle/triangle.clab.yml"));
      passes(report);
      expect(report.verdicts.map(({ kind }) => kind)).toContain("reach");
    });
  },
);
