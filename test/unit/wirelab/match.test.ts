import { readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileFilter } from "@wirelab/engine/bpf/index";
import { encodeCapture, readCapture } from "@wirelab/engine/pcap/index";
import { describe, expect, test } from "vitest";
import {
  BIG,
  concat,
  enhancedPacket,
  interfaceBlock,
  LITTLE,
  option,
  pcapHeader,
  pcapRecord,
  sectionHeader,
} from "../../helpers/engine/pcap.ts";
import { isInstalled, linesOf } from "../../helpers/engine/programs.ts";
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

  test("writes the same output for chunks of any size", async () => {
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

  test("removes only the packets that do not match from a pcapng", async () => {
    const packets = frames
      .slice(0, 50)
      .map(({ data, originalLength }, index) =>
        enhancedPacket(LITTLE, 0, BigInt(index) * 1000n + 1n, data, { original: originalLength + 7 }),
      );
    const matching = packets.filter((_, index) =>
      compileFilter("icmp")(frames[index]!.data, frames[index]!.originalLength + 7),
    );
    const name = option(LITTLE, 2, new TextEncoder().encode("eth0"));
    const beginning = concat(sectionHeader(LITTLE), interfaceBlock(LITTLE, 1, 0, name));
    const { stdout, stderr } = await runCli([
      "match",
      "icmp",
      put("in.pcapng", concat(beginning, ...packets)),
    ]);
    expect(matching.length).toBeGreaterThan(0);
    expect(new Uint8Array(stdout)).toEqual(concat(beginning, ...matching));
    expect(stderr).toBe(`${matching.length} of 50 packets match\n`);
  });

  test("keeps the times of a pcapng outside the range of pcap: after 2106, and before 1970", async () => {
    const shifted = (seconds: bigint) =>
      interfaceBlock(LITTLE, 1, 0, option(LITTLE, 14, LITTLE.i64(seconds)));
    const file = concat(
      sectionHeader(LITTLE),
      interfaceBlock(LITTLE, 1),
      shifted(-3_000_000_000n),
      enhancedPacket(LITTLE, 0, 7_258_118_400_000_001n, frames[0]!.data),
      enhancedPacket(LITTLE, 1, 5n, frames[0]!.data),
    );
    const { code, stdout } = await runCli(["match", "", "-"], { stdin: file });
    expect([code, framesOf(stdout).map(({ seconds, nanoseconds }) => [seconds, nanoseconds])]).toEqual([
      0,
      [
        [7_258_118_400, 1_000],
        [-3_000_000_000, 5_000],
      ],
    ]);
  });

  test("reads each interface of a pcapng by its own link type", async () => {
    const ip = Uint8Array.of(0x45, ...new Uint8Array(19));
    const hdlc = Uint8Array.of(15, 0, 8, 0, ...ip);
    const file = concat(
      sectionHeader(LITTLE),
      interfaceBlock(LITTLE, 101),
      enhancedPacket(LITTLE, 0, 1n, ip),
      interfaceBlock(LITTLE, 104),
      enhancedPacket(LITTLE, 1, 2n, hdlc),
      enhancedPacket(LITTLE, 1, 3n, ip),
      sectionHeader(BIG),
      interfaceBlock(BIG, 0),
      enhancedPacket(BIG, 0, 4n, Uint8Array.of(0, 0, 0, 2, ...ip)),
      enhancedPacket(BIG, 0, 5n, Uint8Array.of(2, 0, 0, 0, ...ip)),
    );
    const { code, stdout, stderr } = await runCli(["match", "ip", "-"], { stdin: file });
    expect([code, stderr]).toEqual([0, "3 of 5 packets match\n"]);
    expect(framesOf(stdout).map(({ nanoseconds, linkType }) => [nanoseconds, linkType])).toEqual([
      [1_000, 101],
      [2_000, 104],
      [4_000, 0],
    ]);
  });

  const overLinks = [
    [113, "outbound and ip", [0, 4, 0, 1, 0, 6, ...Array(8).fill(0), 8, 0]],
    [101, "ip", []],
    [12, "ip", []],
    [14, "ip", []],
    [0, "ip", [2, 0, 0, 0]],
    [108, "ip", [0, 0, 0, 2]],
    [276, "ip and ifindex 3", [8, 0, 0, 0, 0, 0, 0, 3, ...Array(12).fill(0)]],
    [9, "ip", [0xff, 3, 0, 0x21]],
    [228, "ip[0] = 0x45", []],
    [147, "ether[0] = 0x45 and less 30", []],
  ] as const;

  test.each(overLinks)("passes packets of link type %i unharmed", async (linkType, expression, header) => {
    const ip = [0x45, ...new Uint8Array(19)];
    const matching = pcapRecord(LITTLE, 5, 6, Uint8Array.of(...header, ...ip), { original: 1500 });
    const other = pcapRecord(LITTLE, 7, 8, new Uint8Array(60));
    const beginning = pcapHeader(LITTLE, 0xa1b2c3d4, linkType);
    const short = pcapRecord(LITTLE, 5, 6, Uint8Array.of(...header, ...ip));
    const kept = linkType === 147 ? short : matching;
    const stdin = concat(beginning, kept, other, kept);
    const { code, stdout } = await runCli(["match", expression, "-"], { stdin });
    expect([code, new Uint8Array(stdout)]).toEqual([0, concat(beginning, kept, kept)]);
    const all = await runCli(["match", "", "-"], { stdin });
    expect(new Uint8Array(all.stdout)).toEqual(stdin);
  });

  test("reads a snaplen of 0 as no limit", async () => {
    const file = concat(pcapHeader(LITTLE, 0xa1b2c3d4, 1, 0), bytes.subarray(24));
    const { code, stdout } = await runCli(["match", "icmp", "-"], { stdin: file });
    expect([code, framesOf(stdout)]).toEqual([0, icmp]);
  });

  test.each([
    ["its data", -1, /^pcap: record at byte \d+ claims \d+ bytes, the file ends after \d+/],
    ["its header", -0, /^pcap: the record header at byte \d+ takes 16 bytes, the file ends after 9/],
  ])("uses the packets before one that is truncated in %s, and exits with 1", async (_, end, message) => {
    const cut = end === 0 ? concat(bytes, new Uint8Array(9)) : bytes.subarray(0, bytes.length + end);
    const whole = framesOf(cut);
    const { code, stderr } = await runCli(["match", "icmp", "-", out], { stdin: cut });
    const kept = framesOf(new Uint8Array(readFileSync(out)));
    expect([code, kept]).toEqual([1, icmp.slice(0, kept.length)]);
    expect(icmp.length - kept.length).toBeLessThanOrEqual(1);
    const [summary, fault] = stderr.split("\n");
    expect(summary).toBe(`${kept.length} of ${whole.length} packets match`);
    expect(fault?.replace("wirelab: ", "")).toMatch(message);
    expect(fault).toMatch(new RegExp(`; used the ${whole.length} whole packets before it$`));
  });

  test("uses the packets before the end of a pcapng that is cut off", async () => {
    const packet = enhancedPacket(LITTLE, 0, 1n, frames[0]!.data);
    const whole = concat(sectionHeader(LITTLE), interfaceBlock(LITTLE, 1), packet, packet);
    for (const stdin of [
      concat(whole, packet.subarray(0, 40)),
      concat(whole, LITTLE.u32(0x0bad, 400, 1, 2)),
    ]) {
      const { code, stdout, stderr } = await runCli(["match", "", "-"], { stdin });
      expect([code, new Uint8Array(stdout)]).toEqual([1, whole]);
      expect(stderr).toMatch(
        /^2 of 2 packets match\nwirelab: pcapng: block at byte \d+ is cut off .*; used the 2 whole/,
      );
    }
  });

  test("writes an empty capture for an empty one", async () => {
    const empty = encodeCapture([], { linkType: 1 });
    expect(new Uint8Array((await runCli(["match", "ip", "-"], { stdin: empty })).stdout)).toEqual(empty);
    const emptyNg = concat(sectionHeader(LITTLE), interfaceBlock(LITTLE, 104));
    const { stdout } = await runCli(["match", "ip", "-"], { stdin: emptyNg });
    expect(new Uint8Array(stdout)).toEqual(emptyNg);
    expect((await runCli(["match", "ether host 1:2:3:4:5:6", "-"], { stdin: emptyNg })).code).toBe(1);
    expect((await runCli(["match", "nosuch", "-"], { stdin: sectionHeader(LITTLE) })).code).toBe(1);
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

  test("a record of absurd size, after writing the packets before it", async () => {
    const bad = concat(pcapHeader(LITTLE, 0xa1b2c3d4, 1), pcapRecord(LITTLE, 0, 0, new Uint8Array(20)));
    const file = concat(bad, pcapRecord(LITTLE, 0, 0, new Uint8Array(20), { captured: 300_000 }));
    const { code, stdout, stderr } = await runCli(["match", "", "-"], { stdin: file });
    expect(code).toBe(1);
    expect(stderr).toBe(
      "wirelab: pcap: record at byte 60 claims 300000 bytes, more than the 262144 allowed\n",
    );
    expect(new Uint8Array(stdout)).toEqual(bad);
  });

  test("input that is not a capture", async () => {
    expect(await refused(["ip", "-", nothing], new Uint8Array(0))).toEqual({
      code: 1,
      stderr: "wirelab: pcap: the file is empty\n",
    });
    const text = new TextEncoder().encode("This is a text, not a capture.");
    expect((await refused(["ip", "-", nothing], text)).stderr).toContain("not a capture file");
    const short = pcapHeader(LITTLE, 0xa1b2c3d4, 1).subarray(0, 20);
    expect((await refused(["ip", "-", nothing], short)).stderr).toContain("the file header takes 24 bytes");
  });

  test("protocols on link types without protocols", async () => {
    const { code, stderr } = await refused(["ip", "-", nothing], pcapHeader(LITTLE, 0xa1b2c3d4, 147));
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^wirelab: line 1, column 1: protocols cannot be tested on this link type, only len/,
      ),
    ]);
  });

  test("files that cannot be read", async () => {
    const missing = join(folder, "missing.pcap");
    expect(await refused(["ip", missing, nothing])).toEqual({
      code: 1,
      stderr: `wirelab: cannot read ${missing}: there is no such file\n`,
    });
    expect(await refused(["ip", folder, nothing])).toEqual({
      code: 1,
      stderr: `wirelab: cannot read ${folder}: it is a folder\n`,
    });
    const noFile = `${FIXTURE}/x`;
    expect(await refused(["ip", noFile, nothing])).toEqual({
      code: 1,
      stderr: `wirelab: cannot read ${noFile}: not a directory\n`,
    });
  });

  test("to overwrite its input, under any name", async () => {
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
  test("stays unchanged when the run fails", async () => {
    const path = put("kept.pcap", Uint8Array.of(1, 2, 3));
    const bad = pcapRecord(LITTLE, 0, 0, new Uint8Array(20), { captured: 300_000 });
    const { code } = await runCli(["match", "ip", "-", path], { stdin: concat(bytes, bad) });
    expect([code, [...readFileSync(path)]]).toEqual([1, [1, 2, 3]]);
  });

  test("is replaced behind a symbolic link", async () => {
    const path = put("target.pcap", Uint8Array.of(1, 2, 3));
    symlinkSync(path, join(folder, "to-target.pcap"));
    await runCli(["match", "icmp", FIXTURE, join(folder, "to-target.pcap")]);
    expect(framesOf(new Uint8Array(readFileSync(path)))).toEqual(icmp);
  });

  test("is written directly if it is a device", async () => {
    const { code } = await runCli(["match", "icmp", FIXTURE, "/dev/null"]);
    expect([code, statSync("/dev/null").isCharacterDevice()]).toEqual([0, true]);
  });
});

test("a bar shows the progress of a large file, on a terminal", async () => {
  const path = put("large.pcap", pcapHeader(LITTLE, 0xa1b2c3d4, 1));
  truncateSync(path, 60_000_000); // Zeros are records without bytes; the last one is incomplete.
  const { stderr } = await runCli(["match", "ip", path, "/dev/null"], { stderrIsTTY: true });
  expect(stderr).toMatch(/\r\[[#.]{30}\] +\d+ %/);
  expect(stderr).toContain("\r\u001b[K");
  expect((await runCli(["match", "ip", path, "/dev/null"])).stderr).not.toContain("%");
});
