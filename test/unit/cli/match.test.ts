import { readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compileFilter } from "../../../functions/engine/bpf/index.ts";
import { encodeCapture, readCapture } from "../../../functions/engine/pcap/index.ts";
import {
  BIG,
  block,
  concat,
  enhancedPacket,
  interfaceBlock,
  LITTLE,
  pcapHeader,
  pcapRecord,
  sectionHeader,
} from "../../helpers/engine-pcap.ts";
import { isInstalled, linesOf } from "../../helpers/engine-programs.ts";
import { FIXTURE, makeFolder, runCli } from "./run-cli.ts";

const folder = makeFolder();
const bytes = new Uint8Array(readFileSync(FIXTURE));
const frames = framesOf(bytes);
const icmp = frames.filter(({ data, originalLength }) => compileFilter("icmp")(data, originalLength));
const put = (name: string, content: Uint8Array): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const out = join(folder, "out.pcap");

function framesOf(file: Uint8Array) {
  const capture = readCapture(file);
  if (!capture.ok) throw capture.error;
  return capture.frames;
}

describe("wirelab match", () => {
  test("keeps the packets that match, with the file's own header and records", async () => {
    const { code, stdout, stderr } = await runCli(["match", "icmp", FIXTURE, out]);
    expect({ code, stderr, printed: stdout.length }).toEqual({
      code: 0,
      stderr: `${icmp.length} of 473 packets match\n`,
      printed: 0,
    });
    const kept = new Uint8Array(readFileSync(out));
    expect(kept.subarray(0, 24)).toEqual(bytes.subarray(0, 24));
    expect(framesOf(kept)).toEqual(icmp);
  });

  test("goes from standard input to standard output, by default or by name", async () => {
    const piped = await runCli(["match", "icmp", "-", "-"], { stdin: bytes });
    expect(framesOf(piped.stdout)).toEqual(icmp);
    expect((await runCli(["match", "icmp", FIXTURE])).stdout).toEqual(piped.stdout);
  });

  test("gives the same whatever the sizes of the chunks", async () => {
    const { stdout } = await runCli(["match", "icmp", FIXTURE]);
    for (const size of [1, 7, 23, 4096]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      expect((await runCli(["match", "icmp", "-"], { stdin: chunks })).stdout).toEqual(stdout);
    }
  });

  test("only counts on a terminal", async () => {
    const { stdout, stderr } = await runCli(["match", "icmp", FIXTURE], { stdoutIsTTY: true });
    expect([stdout.toString(), stderr]).toEqual([`${icmp.length} of 473 packets match\n`, ""]);
  });

  test("keeps byte order, nanoseconds, original lengths and link type", async () => {
    const cut = pcapRecord(BIG, 5, 123_456_789, Uint8Array.of(15, 0, 8, 0, 0x45), { original: 1500 });
    const file = concat(pcapHeader(BIG, 0xa1b23c4d, 104), cut);
    const { stdout } = await runCli(["match", "ip", "-"], { stdin: file });
    expect(new Uint8Array(stdout)).toEqual(file);
    expect(framesOf(stdout)[0]).toMatchObject({
      nanoseconds: 123_456_789,
      originalLength: 1500,
      linkType: 104,
    });
  });

  test("makes a pcap with nanoseconds of a pcapng", async () => {
    const packets = frames
      .slice(0, 50)
      .map(({ data, originalLength }, index) =>
        enhancedPacket(LITTLE, 0, BigInt(index) * 1000n + 1n, data, { original: originalLength + 7 }),
      );
    const file = concat(sectionHeader(LITTLE), interfaceBlock(LITTLE, 1), ...packets);
    const { stdout, stderr } = await runCli(["match", "icmp", put("in.pcapng", file)]);
    const expected = framesOf(file).filter((frame) =>
      compileFilter("icmp")(frame.data, frame.originalLength),
    );
    expect(expected.length).toBeGreaterThan(0);
    expect(framesOf(stdout)).toEqual(expected);
    expect(stdout.readUInt32LE(0)).toBe(0xa1b23c4d);
    expect(stderr).toBe(`${expected.length} of 50 packets match\n`);
  });

  test("gives an empty capture for an empty one", async () => {
    const empty = encodeCapture([], { linkType: 1 });
    expect(new Uint8Array((await runCli(["match", "ip", "-"], { stdin: empty })).stdout)).toEqual(empty);
    const emptyNg = concat(sectionHeader(LITTLE), interfaceBlock(LITTLE, 104));
    const { stdout } = await runCli(["match", "ip", "-"], { stdin: emptyNg });
    expect(stdout.readUInt32LE(20)).toBe(104);
  });

  const tcpdump = isInstalled("tcpdump");
  test.skipIf(!tcpdump)(`agrees with tcpdump${tcpdump ? "" : " (skipped: not installed)"}`, async () => {
    for (const expression of [
      "arp",
      "tcp port 80 or 8000",
      "ip6",
      "less 90",
      "ip[8] < 65",
      "not udp",
      "ip protochain 6",
    ]) {
      await runCli(["match", expression, FIXTURE, out]);
      linesOf("tcpdump", ["-r", FIXTURE, "-w", join(folder, "oracle.pcap"), expression]);
      const theirs = framesOf(new Uint8Array(readFileSync(join(folder, "oracle.pcap"))));
      expect(framesOf(new Uint8Array(readFileSync(out))), expression).toEqual(theirs);
    }
  });
});

describe("wirelab match refuses", () => {
  const refused = async (args: string[], stdin?: Uint8Array) => {
    const before = readdirSync(folder);
    const { code, stderr } = await runCli(["match", ...args], { stdin });
    expect(readdirSync(folder)).toEqual(before);
    return { code, stderr };
  };
  const nothing = join(folder, "nothing.pcap");

  test("a bad expression, with a caret under the fault", async () => {
    const { code, stderr } = await refused(["ip and\n\tport foo", FIXTURE, nothing]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^wirelab: line 2, column 7: .*foo.*\n {2}\tport foo\n {2}\t {5}\^\n$/);
  });

  test("a capture that breaks off, with the byte, and leaves no file", async () => {
    const { code, stderr } = await refused(["icmp", "-", nothing], bytes.subarray(0, bytes.length - 1));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^wirelab: pcap: record at byte \d+ claims \d+ bytes, the file ends after \d+\n$/);
  });

  test("a record of absurd size, after handing on what lies before it", async () => {
    const bad = concat(pcapHeader(LITTLE, 0xa1b2c3d4, 1), pcapRecord(LITTLE, 0, 0, new Uint8Array(20)));
    const file = concat(bad, pcapRecord(LITTLE, 0, 0, new Uint8Array(20), { captured: 300_000 }));
    const { code, stdout, stderr } = await runCli(["match", "", "-"], { stdin: file });
    expect(code).toBe(1);
    expect(stderr).toBe(
      "wirelab: pcap: record at byte 60 claims 300000 bytes, more than the 262144 allowed\n",
    );
    expect(new Uint8Array(stdout)).toEqual(bad);
  });

  test("what is no capture", async () => {
    expect(await refused(["ip", "-", nothing], new Uint8Array(0))).toEqual({
      code: 1,
      stderr: "wirelab: pcap: the file is empty\n",
    });
    const text = new TextEncoder().encode("This is a text, not a capture.");
    expect((await refused(["ip", "-", nothing], text)).stderr).toContain("not a capture file");
    const short = pcapHeader(LITTLE, 0xa1b2c3d4, 1).subarray(0, 20);
    expect((await refused(["ip", "-", nothing], short)).stderr).toContain("the file header takes 24 bytes");
  });

  test("link types that no expression is known for", async () => {
    const { code, stderr } = await refused(["ip", "-", nothing], pcapHeader(LITTLE, 0xa1b2c3d4, 113));
    expect([code, stderr]).toEqual([
      1,
      "wirelab: expressions cannot be applied to packets of link type 113\n",
    ]);
  });

  test("packets of several link types", async () => {
    const data = new Uint8Array(20);
    const file = concat(
      sectionHeader(LITTLE),
      interfaceBlock(LITTLE, 1),
      interfaceBlock(LITTLE, 104),
      block(LITTLE, 0x0bad, data),
      enhancedPacket(LITTLE, 0, 0n, data),
      enhancedPacket(LITTLE, 1, 0n, data),
    );
    const { code, stderr } = await refused(["", "-", nothing], file);
    expect(code).toBe(1);
    expect(stderr).toContain("several link types: DLT_EN10MB, and DLT_C_HDLC from packet 2 on");
  });

  test("files that are not there", async () => {
    const { code, stderr } = await refused(["ip", join(folder, "missing.pcap"), nothing]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("no such file")]);
    expect((await refused(["ip", FIXTURE, join(folder, "no/folder.pcap")])).code).toBe(1);
  });

  test("to overwrite its input, by whatever name", async () => {
    const path = put("same.pcap", bytes);
    symlinkSync(path, join(folder, "link.pcap"));
    for (const name of [path, join(folder, "link.pcap"), join(folder, ".", "same.pcap")]) {
      const { code, stderr } = await refused(["ip", path, name]);
      expect([code, stderr]).toEqual([2, expect.stringContaining("would overwrite the input")]);
    }
    expect(statSync(path).size).toBe(bytes.length);
  });

  test("a wrong command line", async () => {
    for (const args of [[], ["ip"], ["tcp", "port", "80", FIXTURE], ["--count", "ip", FIXTURE]]) {
      const { code, stderr } = await refused(args);
      expect([code, stderr]).toEqual([2, expect.stringContaining('Try "wirelab match --help".')]);
    }
    expect((await refused(["tcp", "port", "80", FIXTURE])).stderr).toContain("takes quotes");
  });
});

describe("an output file", () => {
  test("stays as it was when the run fails", async () => {
    const path = put("kept.pcap", Uint8Array.of(1, 2, 3));
    const { code } = await runCli(["match", "ip", "-", path], { stdin: bytes.subarray(0, 5000) });
    expect([code, [...readFileSync(path)]]).toEqual([1, [1, 2, 3]]);
  });

  test("is replaced behind a symbolic link", async () => {
    const path = put("target.pcap", Uint8Array.of(1, 2, 3));
    symlinkSync(path, join(folder, "to-target.pcap"));
    await runCli(["match", "icmp", FIXTURE, join(folder, "to-target.pcap")]);
    expect(framesOf(new Uint8Array(readFileSync(path)))).toEqual(icmp);
  });

  test("is written to as it is when it is a device", async () => {
    const { code } = await runCli(["match", "icmp", FIXTURE, "/dev/null"]);
    expect([code, statSync("/dev/null").isCharacterDevice()]).toEqual([0, true]);
  });
});

test("a bar shows how far a large file is, on a terminal", async () => {
  const path = put("large.pcap", pcapHeader(LITTLE, 0xa1b2c3d4, 1));
  truncateSync(path, 60_000_000); // Zeros: records without bytes, and then the end of the last one is missing.
  const { stderr } = await runCli(["match", "ip", path, "/dev/null"], { stderrIsTTY: true });
  expect(stderr).toMatch(/\r\[[#.]{30}\] +\d+ %/);
  expect(stderr).toContain("\r\u001b[K");
  expect((await runCli(["match", "ip", path, "/dev/null"])).stderr).not.toContain("%");
});
