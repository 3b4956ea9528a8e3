import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { addNanoseconds } from "@wirelab/engine/base/time";
import { compileFilter } from "@wirelab/engine/bpf/index";
import { type FilterSettings, parseFilterSettings } from "@wirelab/engine/link/filters/index";
import { replayThroughLink } from "@wirelab/engine/link/replay";
import { encodeCapture, MAX_CAPTURED_BYTES, readCapture } from "@wirelab/engine/pcap/index";
import { describe, expect, test } from "vitest";
import {
  concat,
  enhancedPacket,
  interfaceBlock,
  LITTLE,
  pcapHeader,
  pcapRecord,
  sectionHeader,
} from "../../helpers/engine/pcap.ts";
import { FIXTURE, makeFolder, runCli } from "./run-cli.ts";

const folder = makeFolder();
const out = join(folder, "out.pcap");
const bytes = new Uint8Array(readFileSync(FIXTURE));
const filters = ["delay=100,10", "packet_loss=10", "corrupt=20", "frequency_drop=9", "bpf=arp", "bpf=tcp"];
const options = filters.flatMap((filter) => ["--filter", filter]);

function framesOf(file: Uint8Array) {
  const capture = readCapture(file);
  if (!capture.ok) throw capture.error;
  return capture.frames;
}

/** Replays the same file in memory through the engine. */
function replayInMemory(direction: "a-to-b" | "b-to-a") {
  const texts = {
    delay: ["100", "10"],
    packet_loss: ["10"],
    corrupt: ["20"],
    frequency_drop: ["9"],
    bpf: ["arp\ntcp"],
  };
  const parsed = parseFilterSettings(texts, { compileBpf: (text) => compileFilter(text) });
  if (!parsed.ok) throw new Error(parsed.problems[0]!.message);
  const frames = framesOf(bytes);
  const result = replayThroughLink({ ...parsed, frames, seed: "7", streamName: "offline", direction });
  const arrivals = result.delivered.map(({ deliveryNs, data, originalLength }) => ({
    ...addNanoseconds(frames[0]!, deliveryNs),
    data,
    originalLength,
  }));
  return { file: encodeCapture(arrivals, { linkType: 1, snaplen: MAX_CAPTURED_BYTES }), ...result };
}

describe("wirelab link", () => {
  test("streams the same packets as the engine in memory, in both directions", async () => {
    for (const direction of ["a-to-b", "b-to-a"] as const) {
      const reverse = direction === "b-to-a" ? ["--reverse"] : [];
      const { code, stdout } = await runCli([
        "link",
        ...options,
        "--seed",
        "7",
        ...reverse,
        "--json",
        FIXTURE,
        out,
      ]);
      const expected = replayInMemory(direction);
      expect(code).toBe(0);
      expect(new Uint8Array(readFileSync(out))).toEqual(expected.file);
      const { packets, spanNs } = expected.report;
      expect(JSON.parse(stdout.toString())).toMatchObject({
        packets_in: packets.in,
        packets_delivered: packets.delivered,
        packets_dropped: packets.dropped,
        packets_corrupted: packets.corrupted,
        filters: { bpf: { corrupted: 0 }, corrupt: { dropped: 0 } },
        direction,
        seed: "7",
        duration_s: spanNs / 1e9,
      });
    }
  });

  test("streams the same packets as the engine in memory when few of many packets are in flight", async () => {
    const frames = Array.from({ length: 5000 }, (_, index) => ({
      seconds: Math.floor(index / 1000),
      nanoseconds: (index % 1000) * 1_000_000,
      data: new Uint8Array(1000 + (index % 7)).fill(index),
      originalLength: 1500,
    }));
    const settings: FilterSettings = { delay: [200, 150] };
    const { delivered } = replayThroughLink({
      frames,
      settings,
      seed: "3",
      streamName: "offline",
      direction: "a-to-b",
    });
    const arrivals = delivered.map((frame) => ({
      ...frame,
      ...addNanoseconds(frames[0]!, frame.deliveryNs),
    }));
    const format = { linkType: 1, resolution: "nanosecond", snaplen: MAX_CAPTURED_BYTES } as const;
    const options = ["--filter", "delay=200,150", "--seed", "3"];
    const { stdout } = await runCli(["link", ...options, "-", "-"], { stdin: encodeCapture(frames, format) });
    expect(Buffer.compare(stdout, encodeCapture(arrivals, format))).toBe(0);
  });

  test("writes all packets due after a pause, and at the end, each once", async () => {
    const frameAt = (seconds: number, nanoseconds: number) => ({
      seconds,
      nanoseconds,
      data: new Uint8Array(200).fill(nanoseconds % 250),
      originalLength: 200,
    });
    const burst = (seconds: number) => Array.from({ length: 3000 }, (_, index) => frameAt(seconds, index));
    const format = { linkType: 1, resolution: "nanosecond", snaplen: MAX_CAPTURED_BYTES } as const;
    const { stdout } = await runCli(["link", "--filter", "delay=1000", "-", "-"], {
      stdin: encodeCapture([...burst(10), ...burst(20)], format),
    });
    const arrivals = [...burst(11), ...burst(21)];
    expect(Buffer.compare(stdout, encodeCapture(arrivals, format))).toBe(0);
  });

  test("repeats a run with the same seed, and reports the seed it draws", async () => {
    const first = await runCli(["link", "--filter", "packet_loss=50", FIXTURE, "-"]);
    const seed = /^seed +(\S+)$/m.exec(first.stderr)![1]!;
    const again = await runCli(["link", "--filter", "packet_loss=50", "--seed", seed, FIXTURE, "-"]);
    const other = await runCli(["link", "--filter", "packet_loss=50", "--seed", "other", FIXTURE, "-"]);
    expect(again.stdout).toEqual(first.stdout);
    expect(other.stdout).not.toEqual(first.stdout);
  });

  test("prints a table on standard error", async () => {
    const { stdout, stderr } = await runCli([
      "link",
      "--filter",
      "delay=40",
      "--filter",
      "bpf=icmp",
      "--seed",
      "1",
      FIXTURE,
      out,
    ]);
    expect(stdout.length).toBe(0);
    expect(stderr).toMatchInlineSnapshot(`
      "filter                  seen     dropped   corrupted        held
      bpf                      473         405           0           0
      delay                     68           0           0          68
      total                    473         405           0

      delivered       68 of 473 packets, 18805 of 58425 bytes
      dropped         405 (85.6 %)
      delay           40 .. 40 ms, median 40 ms
      duration        7.627582 s
      seed            1
      "
    `);
  });

  test("prints JSON on standard error when the packets go to standard output", async () => {
    const { stdout, stderr } = await runCli(["link", "--json", "-", "-"], { stdin: bytes });
    expect(JSON.parse(stderr)).toMatchObject({
      packets_in: 473,
      packets_delivered: 473,
      filters: {},
      direction: "a-to-b",
    });
    expect(framesOf(stdout)).toEqual(framesOf(bytes));
  });

  test("delivers nothing through a suspended link", async () => {
    const { stdout, stderr } = await runCli(["link", "--suspend", FIXTURE, "-"]);
    expect(framesOf(stdout)).toEqual([]);
    expect(stderr).toMatch(/^suspend +473 +473/m);
    expect(stderr).not.toMatch(/^delay/m);
  });

  test("keeps nanoseconds, original lengths and link type", async () => {
    const record = pcapRecord(LITTLE, 5, 123_456_789, new Uint8Array(30), { original: 70_000 });
    const file = concat(pcapHeader(LITTLE, 0xa1b23c4d, 107), record);
    const { stdout } = await runCli(["link", "--filter", "delay=1", "-", "-"], { stdin: file });
    expect(framesOf(stdout)).toMatchObject([
      { seconds: 5, nanoseconds: 124_456_789, originalLength: 70_000, linkType: 107 },
    ]);
  });

  test("compiles expressions for the file's link type", async () => {
    const ipOverHdlc = pcapRecord(LITTLE, 0, 0, Uint8Array.of(15, 0, 8, 0, 0x45, 0, 0, 20));
    const file = concat(pcapHeader(LITTLE, 0xa1b2c3d4, 104), ipOverHdlc);
    const { stdout } = await runCli(["link", "--filter", "bpf=ip", "-", "-"], { stdin: file });
    expect(framesOf(stdout)).toEqual([]);
  });

  test("sends the packets before a truncated one, and exits with 1", async () => {
    const cut = bytes.subarray(0, 9999);
    const whole = framesOf(cut);
    const { code, stdout, stderr } = await runCli(["link", "--json", "-", out], { stdin: cut });
    expect([code, framesOf(new Uint8Array(readFileSync(out)))]).toEqual([1, whole]);
    expect(stderr).toMatch(
      new RegExp(`^wirelab: pcap: record at byte .*; used the ${whole.length} whole packets before it\n$`),
    );
    expect(JSON.parse(stdout.toString())).toMatchObject({
      packets_in: whole.length,
      cut_off: expect.stringMatching(/^pcap: record at byte \d+ claims/),
    });
  });

  test("writes a pcapng for a pcapng, with times outside the range of pcap", async () => {
    const packet = (us: bigint) => enhancedPacket(LITTLE, 0, us, new Uint8Array(20), { original: 90 });
    const file = concat(
      sectionHeader(LITTLE),
      interfaceBlock(LITTLE, 113),
      packet(7_258_118_400_000_001n),
      packet(7_258_118_401_000_000n),
    );
    const { code, stdout } = await runCli(["link", "--filter", "delay=1", "-", "-"], { stdin: file });
    expect([code, readCapture(stdout)]).toMatchObject([
      0,
      {
        format: "pcapng",
        frames: [
          { seconds: 7_258_118_400, nanoseconds: 1_001_000, originalLength: 90, linkType: 113 },
          { seconds: 7_258_118_401, nanoseconds: 1_000_000, originalLength: 90, linkType: 113 },
        ],
      },
    ]);
  });

  test("accepts a capture without packets", async () => {
    const file = pcapHeader(LITTLE, 0xa1b2c3d4, 50);
    const { code, stdout, stderr } = await runCli(["link", ...options, "-", "-"], { stdin: file });
    expect([code, stdout.readUInt32LE(20), stdout.length]).toEqual([0, 50, 24]);
    expect(stderr).toMatch(/^delivered +0 of 0 packets/m);
  });
});

describe("wirelab link refuses", () => {
  const refused = async (args: string[], stdin?: Uint8Array) => {
    const before = readdirSync(folder);
    const { code, stderr } = await runCli(["link", ...args], { stdin });
    expect(readdirSync(folder)).toEqual(before);
    return [code, stderr];
  };
  const nothing = join(folder, "nothing.pcap");
  const files = [FIXTURE, nothing];

  test.each([
    ["packet_loss=101", 'packet_loss: Chance must be an integer from 0 to 100 (%), got "101"\n'],
    ["packet_loss=x", 'packet_loss: Chance must be an integer from 0 to 100 (%), got "x"\n'],
    [
      "packet_loss=10.5",
      'packet_loss: Chance must be an integer from 0 to 100 (%), got "10.5"; fractions are not supported',
    ],
    ["corrupt=0.1", 'got "0.1"; fractions are not supported'],
    ["frequency_drop=2.5", 'got "2.5"; fractions are not supported'],
    ["delay=1.5,1", 'got "1.5"; fractions are not supported'],
    ["delay=1,2,3", "delay: takes 1 to 2 values (Latency, Jitter (-/+)), or none to switch it off, got 3"],
    [
      "jitter=1",
      '--filter: unknown filter "jitter"; the filters are frequency_drop, packet_loss, delay, corrupt, bpf',
    ],
    ["packet_loss", "expected TYPE=VALUES, as in delay=100,10; the types are frequency_drop, packet_loss,"],
    ["=10", "expected TYPE=VALUES"],
  ])("--filter %s", async (filter, message) => {
    expect(await refused(["--filter", filter, ...files])).toEqual([2, expect.stringContaining(message)]);
  });

  test("a repeated filter, except bpf", async () => {
    const twice = ["--filter", "delay=1", "--filter", "delay=2"];
    expect(await refused([...twice, ...files])).toEqual([2, expect.stringContaining("delay is given twice")]);
  });

  test("a bad expression, with a caret under the fault in its line", async () => {
    const [code, stderr] = await refused(["--filter", "bpf=icmp", "--filter", "bpf=tcp port foo", ...files]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^wirelab: bpf: .*line 2, column 10: .*\n {2}tcp port foo\n {11}\^\n$/);
  });

  test("a protocol on a link type without protocols", async () => {
    const file = pcapHeader(LITTLE, 0xa1b2c3d4, 147);
    expect(await refused(["--filter", "bpf=ip", "-", nothing], file)).toEqual([
      1,
      expect.stringContaining("protocols cannot be tested on this link type"),
    ]);
  });

  test("a run longer than 104 days", async () => {
    const late = pcapRecord(LITTLE, 9_100_000, 0, new Uint8Array(4));
    const file = concat(pcapHeader(LITTLE, 0xa1b2c3d4, 1), pcapRecord(LITTLE, 0, 0, new Uint8Array(4)), late);
    expect(await refused(["-", nothing], file)).toEqual([
      1,
      expect.stringContaining("frame 1 lies more than 104 days"),
    ]);
  });

  test("packets of several link types", async () => {
    const data = new Uint8Array(20);
    const interfaces = concat(sectionHeader(LITTLE), interfaceBlock(LITTLE, 1), interfaceBlock(LITTLE, 50));
    const mixed = concat(
      interfaces,
      enhancedPacket(LITTLE, 1, 0n, data),
      enhancedPacket(LITTLE, 0, 0n, data),
    );
    expect(await refused(["-", nothing], mixed)).toEqual([1, expect.stringContaining("several link types")]);
  });

  test("a wrong command line", async () => {
    const wrong = [
      [],
      [FIXTURE],
      [...files, "more"],
      ["--nope", ...files],
      ["--seed", "", ...files],
      ["--seed", "x".repeat(129), ...files],
      [FIXTURE, FIXTURE],
    ];
    for (const args of wrong) {
      expect(await refused(args)).toEqual([2, expect.stringContaining('Try "wirelab link --help".')]);
    }
  });
});

describe("wirelab link --impair", () => {
  const link = (...args: string[]) =>
    runCli(["link", "--seed", "1", "--json", ...args, FIXTURE, "/dev/null"]);

  test("passes packets through impairments, and counts them by name", async () => {
    const { stdout } = await link("--impair", '{"a_to_b": {"delay": "20ms", "loss": {"listed": [1, 5]}}}');
    const report = JSON.parse(stdout.toString());
    expect(report).toMatchObject({ packets_in: 473, packets_delivered: 471, packets_dropped: 2 });
    expect(report.delay_ms).toMatchObject({ min: 20, max: 20 });
    expect(report.impairments.counts["loss.listed"]).toMatchObject({ seen: 473, dropped: 2 });
  });

  test("takes a preset, and acts in its direction only", async () => {
    const { stdout } = await link("--impair", "geo-satellite");
    expect(JSON.parse(stdout.toString()).delay_ms.min).toBeGreaterThan(200);
    const reverse = await link("--reverse", "--impair", '{"a_to_b": {"broken": true}}');
    expect(JSON.parse(reverse.stdout.toString()).packets_delivered).toBe(473);
  });

  test.each([
    ["{", 2, "--impair is not JSON"],
    ["ltee", 2, "--impair: preset must be one of"],
    ['{"both": {"delay": "soon"}}', 2, "--impair: both.delay"],
    ['{"both": {"drop": "tcp prot 80"}}', 2, 'both.drop at line 1, column 5: unexpected "prot"'],
  ])("refuses %s", async (text, code, message) => {
    const run = await link("--impair", text);
    expect([run.code, run.stderr]).toEqual([code, expect.stringContaining(message)]);
  });
});
