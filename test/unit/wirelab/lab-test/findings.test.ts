import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readCapture } from "@wirelab/engine/pcap/index";
import { describe, expect, test } from "vitest";
import { isInstalled } from "../../../helpers/engine/programs.ts";
import { FIXTURE, runCli } from "../run-cli.ts";
import { BROKEN, GOOD, RING, writeLabs } from "./labs.ts";

const LOSSY = `nodes:
  pc1: 10.0.0.1/24
  pc2: 10.0.0.2/24
links:
  - {link: pc1 -- pc2, name: wan, filters: {packet_loss: 10}}
run:
  - {at: 1s, console: {pc1: show ip}}
  - {at: 10s, console: {pc1: ping 10.0.0.2 -c 1}}
  - {at: 20s, console: {pc2: show ip}}
expect:
  - {name: "it's answered", seen: "icmp[0]=0", filters: after, from: pc2, link: wan}
`;
const { files, folder } = writeLabs({ good: GOOD, broken: BROKEN, ring: RING, lossy: LOSSY });
const captures = join(folder, "captures");
const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await runCli(["test", "--jobs", "1", "--captures", captures, ...args]);
  return { code, out: stdout.toString(), err: stderr };
};

describe("a failure", () => {
  test("leaves a capture of all links, and shows its path and a command that repeats it", async () => {
    const { out } = await run(files.broken, "--seed", "4");
    const path = join(captures, "broken.seed-4.2.pcapng");
    expect(out).toContain(`    capture   ${path}\n`);
    expect(out).toContain(`    again     npx wirelab test ${files.broken} --seed 4 --filter after\n`);
    const capture = readCapture(new Uint8Array(readFileSync(path)));
    expect(capture.ok && capture.interfaces).toHaveLength(1);
    expect(capture.ok && capture.frames.length).toBeGreaterThan(0);
  });

  test.skipIf(!isInstalled("tshark"))("leaves a capture that tshark reads", async () => {
    await run(files.ring, "--fail", "link:main");
    const path = join(captures, "ring.link-main.1.pcapng");
    const printed = execFileSync("tshark", [
      "-r",
      path,
      "-T",
      "fields",
      "-e",
      "frame.interface_name",
    ]).toString();
    expect(new Set(printed.trim().split("\n"))).toEqual(new Set(["pc1-sw1", "pc2-sw2", "main"]));
  });

  test("is repeated by the command that it shows", async () => {
    const { out } = await run(files.ring, "--sweep", "links=2");
    const words = /again {5}npx wirelab test (.*)\n/.exec(out)![1]!.split(" ");
    expect(words).toEqual([files.ring, "--fail", "link:pc1-sw1", "--filter", "connected"]);
    expect((await run(...words)).code).toBe(1);
  });

  test("of a seed is shrunk to a timeline that still fails with it, and passes with another", async () => {
    const { out } = await run(files.lossy, "--seeds", "20");
    const seed = /failing seeds: ([0-9]+)/.exec(out)![1]!;
    expect(out).toContain("--filter 'it'\\''s answered'");
    expect(out).toContain(`shrunk to 1 event in`);
    expect(out).toContain(
      `      seed: "${seed}"\n      run:\n        - {at: 0s, console: {pc1: ping 10.0.0.2 -c 1}}\n`,
    );
  });

  test("of a sweep is shrunk to the fewest failures", async () => {
    const { out } = await run(files.ring, "--sweep", "links=1");
    expect(out).toContain("      run:\n        - {at: 0s, down: pc1-sw1}\n");
  });

  test("is not shrunk when nothing varies, and nothing is left when all holds", async () => {
    expect((await run(files.broken)).out).not.toContain("shrunk");
    const before = readdirSync(captures).length;
    await run(files.good);
    expect(readdirSync(captures)).toHaveLength(before);
    expect(existsSync(join(folder, ".wirelab"))).toBe(false);
  });

  test("whose capture cannot be written ends with 2", async () => {
    const { code, err } = await run(files.broken, "--captures", join(FIXTURE, "x"));
    expect(code).toBe(2);
    expect(err).toContain("cannot write");
  });
});
