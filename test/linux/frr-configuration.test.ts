/** One configuration for the simulated router and for FRR: what the one prints, the other takes, and both have the same routes. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseRouterProperties } from "@wirelab/engine/devices/router/index";
import { cacheFolder, imagesFolder, readFacts } from "@wirelab/linux/image/image";
import { describe, expect, test } from "vitest";
import { type LabReport, loadLabFile, runLab } from "../../packages/wirelab/index.ts";

const hasImage = readFacts(imagesFolder(cacheFolder(process.env)), "frr") !== undefined;

const CONFIGURATION = `interface eth0
 ip address 10.0.1.1/24
 ip ospf cost 5
 ip ospf network point-to-point
exit
interface eth1
 ip address 10.1.0.1/24
 ip ospf passive
exit
interface lo
 ip address 10.255.0.1/32
exit
ip route 10.7.0.0/16 10.0.1.9 200
ip route 10.8.0.0/16 blackhole
ip route 10.9.0.0/16 10.0.1.2
router ospf
 ospf router-id 1.1.1.1
 redistribute static metric 33 metric-type 1
 network 10.0.0.0/8 area 0
exit
`;

const indented = (text: string, by: string): string => text.replaceAll(/^(?=.)/gm, by);

/** @param node the middle of the lab, whose configuration is tested. */
function play(node: string, command: string): LabReport {
  const file = join(mkdtempSync(join(tmpdir(), "wirelab-frr-")), "lab.yaml");
  writeFileSync(
    file,
    `
nodes:
  r1:
${indented(node, "    ")}
  r2:
    type: router
    config: |
      interface eth0
       ip address 10.0.1.2/24
       ip ospf network point-to-point
      exit
      interface eth1
       ip address 10.2.0.1/24
      exit
      router ospf
       ospf router-id 2.2.2.2
       network 10.0.0.0/8 area 0
  pc1: { ip: 10.1.0.2/24, gateway: 10.1.0.1 }
links: [r1:eth0 -- r2:eth0, pc1 -- r1:eth1]
run: [{ at: 60s, console: { r1: ["${command}"] } }]
duration: 70s
expect:
  - { adjacency: r1 -- r2 }
  - rib: r1
    routes:
      10.2.0.0/24: { via: 10.0.1.2, protocol: ospf, distance: 110, metric: 15 }
      10.9.0.0/16: { via: 10.0.1.2, protocol: static, distance: 1 }
      10.7.0.0/16: { via: 10.0.1.9, protocol: static, distance: 200 }
  - rib: r2
    routes:
      10.255.0.1/32: { via: 10.0.1.1, protocol: ospf, metric: 10 }
      10.1.0.0/24: { via: 10.0.1.1, protocol: ospf, metric: 20 }
      10.8.0.0/16: { via: 10.0.1.1, protocol: ospf, metric: 43 }
`,
  );
  return runLab(loadLabFile(file));
}

const passes = ({ verdicts }: LabReport): void =>
  expect(verdicts.map(({ status, got }) => `${status}: ${got}`)).toEqual(
    verdicts.map(({ got }) => `passed: ${got}`),
  );

/** What the command printed, without the line and the prompts. */
const printed = ({ transcripts }: LabReport): string =>
  transcripts
    .map(({ output }) => output)
    .join("\n")
    .split(/\r?\n/)
    .filter((line) => !/^(R1|r1|root@)\S*[>#] ?/.test(line))
    .join("\n");

const guest = (configuration: string): string =>
  `type: linux\nimage: frr\nports: 2\nfiles:\n  etc/frr/frr.conf: |\n${indented(configuration, "    ")}`;

describe.skipIf(!hasImage)("one configuration (skipped without the image: wirelab image build frr)", () => {
  test("gives the router and FRR the same routes, and each takes what the other prints", () => {
    const ofRouter = play(`type: router\nconfig: |\n${indented(CONFIGURATION, "  ")}`, "show running-config");
    passes(ofRouter);
    const ofFrr = play(guest(printed(ofRouter)), "vtysh -c 'show running-config'");
    passes(ofFrr);
    const [again, given] = [printed(ofFrr), CONFIGURATION].map((config) => parseRouterProperties({ config }));
    expect(again).toEqual(given);
  });
});
