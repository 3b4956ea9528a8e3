/** FRR between RIP and OSPF, in the place of a simulated router: the same routes everywhere, and each takes what the other prints. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseRouterProperties } from "@wirelab/engine/devices/router/index";
import { cacheFolder, imagesFolder, readFacts } from "@wirelab/linux/image/image";
import { describe, expect, test } from "vitest";
import { type LabReport, loadLabFile, runLab } from "../../packages/wirelab/index.ts";
import { BETWEEN, indented, redistributionLab } from "../helpers/labs/redistribution.ts";

const hasImage = readFacts(imagesFolder(cacheFolder(process.env)), "frr") !== undefined;

function play(node: string, command: string): LabReport {
  const file = join(mkdtempSync(join(tmpdir(), "wirelab-redistribution-")), "lab.yaml");
  writeFileSync(file, redistributionLab(node, `run: [{ at: 120s, console: { r2: ["${command}"] } }]`));
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
    .filter((line) => !/^(R2|r2|root@)\S*[>#] ?/.test(line))
    .join("\n");

const guest = (configuration: string): string =>
  `type: linux\nimage: frr\nports: 2\nfiles:\n  etc/frr/daemons: configured=yes\n  etc/frr/frr.conf: |\n${indented(configuration, "    ")}`;

describe.skipIf(!hasImage)("redistribution (skipped without the image: wirelab image build frr)", () => {
  test("gives all routers the same routes with FRR as with a router in its place", () => {
    const ofRouter = play(`type: router\nconfig: |\n${indented(BETWEEN, "  ")}`, "show running-config");
    passes(ofRouter);
    const own = printed(ofRouter)
      .split("\n")
      .filter((line) => !line.includes("split-horizon"))
      .join("\n");
    const ofFrr = play(guest(own), "vtysh -c 'show running-config'");
    passes(ofFrr);
    const [again, given] = [printed(ofFrr), BETWEEN].map((config) => parseRouterProperties({ config }));
    expect(again).toEqual(given);
  });
});
