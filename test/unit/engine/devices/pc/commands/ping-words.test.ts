import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePingWords } from "../../../../../../packages/engine/devices/pc/commands/ping-words.ts";

const parse = (text: string) => parsePingWords(text.split(" "));

describe("the options of ping", () => {
  test("have their defaults", () => {
    expect(parsePingWords([])).toEqual({
      count: 5,
      endless: false,
      intervalMs: 1000,
      waitMs: 1000,
      dataBytes: 56,
      ttl: 64,
      dontFragment: false,
      protocol: "icmp",
      sourcePort: 0,
      targetPort: 7,
      flags: undefined,
      mtuBytes: 0,
    });
  });

  test.each([
    ["-c 3", { count: 3 }],
    ["-c 0", { count: 0 }],
    ["-c -2", { count: -2 }],
    ["-c many", { count: 0 }],
    ["-c", { count: 5 }],
    ["-c2 3", { count: 3 }],
    ["word -c 3 other", { count: 3 }],
    ["-t", { endless: true }],
    ["-t -c 2", { endless: false, count: 2 }],
    ["-c 2 -t", { endless: true }],
    ["-i 200", { intervalMs: 200 }],
    ["-i 0", { intervalMs: 1000 }],
    ["-w 300", { waitMs: 300 }],
    ["-w -1", { waitMs: 1000 }],
    ["-c -1", { count: 5, endless: true }],
    ["-c -2", { count: -2 }],
    ["-a 1", {}],
    ["-l 0", { dataBytes: 0 }],
    ["-l 65507", { dataBytes: 65507 }],
    ["-l 2 -2", { dataBytes: 6 }],
    ["-T 300", { ttl: 44 }],
    ["-T -1", { ttl: 255 }],
    ["-D", { dontFragment: true }],
    ["-Dc 2", { dontFragment: true, count: 5 }],
    ["-P 17", { protocol: "udp" }],
    ["-P 6", { protocol: "tcp" }],
    ["-2 -P 1", { protocol: "icmp" }],
    ["-2 -P 99", { protocol: "udp" }],
    ["-3", { protocol: "tcp" }],
    ["-s 1234 -p 80", { sourcePort: 1234, targetPort: 80 }],
    ["-f s", { flags: 0x02 }],
    ["-f CEUAPRSF", { flags: 0xff }],
    ["-f FpU", { flags: 0x29 }],
    ["-u 600", { mtuBytes: 600 }],
    ["-u 575", { mtuBytes: 1500 }],
    ["-u 65536", { mtuBytes: 1500 }],
  ])("%s", (text, expected) => {
    expect(parse(text)).toMatchObject(expected);
  });

  test.each(["-x", "-", "-f z", "-f S,A", "-l -1", "-l 65508", "-3 -l 65484"])("%s is refused", (text) => {
    expect(parse(text)).toBeUndefined();
  });

  test("are refused, or give numbers that fit in a packet, for any words", () => {
    const word = fc.oneof(
      fc.constantFrom(
        "-c",
        "-i",
        "-w",
        "-l",
        "-T",
        "-D",
        "-P",
        "-s",
        "-p",
        "-f",
        "-u",
        "-t",
        "-1",
        "-2",
        "-3",
      ),
      fc.integer().map(String),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 18 }), (words) => {
        const options = parsePingWords(words);
        if (options === undefined) return;
        for (const [value, max] of [
          [options.ttl, 255],
          [options.sourcePort, 65535],
          [options.targetPort, 65535],
          [options.dataBytes, 65507],
          [options.flags ?? 0, 255],
        ] as const) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(max);
        }
        expect(options.waitMs).toBeGreaterThan(0);
        expect(options.intervalMs).toBeGreaterThan(0);
      }),
    );
  });
});
