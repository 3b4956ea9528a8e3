import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readCapture } from "@wirelab/engine/pcap/index";
import { describe, expect, test } from "vitest";
import { TWO_PCS, writeLabs } from "./lab-test/labs.ts";
import { FIXTURE, runCli } from "./run-cli.ts";

const { files, folder } = writeLabs({
  ping: `${TWO_PCS}run:\n  - {at: 1s, console: {pc1: ping 10.0.0.2 -c 1}}\nexpect:\n  - not reach: pc1 -> pc2\n`,
  endless: `${TWO_PCS}limits: {events: 1}\n`,
});
const capture = join(folder, "deep/run.pcapng");
const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await runCli(["run", "--capture", capture, ...args]);
  return { code, out: stdout.toString(), err: stderr };
};

describe("wirelab run", () => {
  test("prints consoles and links, judges nothing, and writes a capture", async () => {
    const { code, out } = await run(files.ping);
    expect(code).toBe(0);
    expect(out).toMatch(/^--- pc1, 1\.000000 s\n/);
    expect(out).toContain("84 bytes from 10.0.0.2 icmp_seq=1");
    expect(out).toMatch(
      /\nlink +from +to +sent +delivered +dropped +corrupted +in flight +bytes\nwan +pc1 +pc2 +2 +2 /,
    );
    expect(out).toContain(`capture   ${capture}\n`);
    const read = readCapture(new Uint8Array(readFileSync(capture)));
    expect(read.ok && read.frames.length).toBeGreaterThanOrEqual(4);
  });

  test("has another seed and failures, and the report as JSON", async () => {
    const report = JSON.parse((await run(files.ping, "--json", "--seed", "9", "--fail", "link:wan")).out);
    expect(report).toMatchObject({ seed: "9", verdicts: [], transcripts: [{ node: "pc1" }] });
    expect(report.transcripts[0].output).toContain("not reachable");
  });

  test("exits with 1 at a limit, and with 2 for wrong usage", async () => {
    const limited = await run(files.endless);
    expect(limited.code).toBe(1);
    expect(limited.out).toContain("the run reached its limit of events");
    expect((await run(files.ping, "--fail", "wan")).code).toBe(2);
    expect((await run(files.ping, "--fail", "link:lan")).err).toContain(
      'the lab has no link "lan"; it has wan',
    );
    expect((await run()).err).toContain("FILE is missing");
  });

  test("reports a capture that cannot be written", async () => {
    const { code, stderr } = await runCli(["run", files.ping, "--capture", join(FIXTURE, "x")]);
    expect(code).toBe(1);
    expect(stderr).toContain("cannot write");
  });
});
