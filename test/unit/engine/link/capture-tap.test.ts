import {
  CaptureTap,
  makeTapSettings,
  type Recorded,
  type TapSettings,
} from "@wirelab/engine/link/capture-tap";
import { encodeCaptureHeader, readCapture } from "@wirelab/engine/pcap/index";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const START = { seconds: 1000, nanoseconds: 0 };
const NOTHING = { packets: 0, bytes: 0 };
const packet = (number: number, length = 10): Uint8Array => new Uint8Array(length).fill(number);

function makeTap(settings: Partial<TapSettings> = {}, soFar: Recorded = NOTHING): CaptureTap {
  return new CaptureTap({ tap: "after", ...settings }, soFar);
}

/** The tap's output: first byte, lengths and time since the start of each record. */
function recordsOf(tap: CaptureTap) {
  const file = readCapture(
    Buffer.concat([encodeCaptureHeader({ linkType: 1 }), tap.encode(START)]) as Uint8Array,
  );
  if (!file.ok) throw file.error;
  return file.frames.map(({ seconds, nanoseconds, data, originalLength }) => ({
    number: data[0],
    captured: data.length,
    originalLength,
    timeNs: (seconds - START.seconds) * 1e9 + nanoseconds,
  }));
}
const numbersOf = (tap: CaptureTap) => recordsOf(tap).map(({ number }) => number);

describe("a capture's tap", () => {
  test("records packets in time order, those with equal times in the order of their offers", () => {
    const tap = makeTap();
    for (const [number, timeNs] of [2000, 1000, 2000, 0, 1000].entries())
      tap.offer(timeNs, packet(number), 10);
    expect(numbersOf(tap)).toEqual([3, 1, 4, 0, 2]);
    expect([tap.packets, tap.bytes, tap.limitReached]).toEqual([5, 5 * 26, false]);
    expect(tap.encode(START)).toHaveLength(tap.bytes);
  });

  test("keeps matching packets, given the whole packet and its length on the wire", () => {
    const predicate = (data: Uint8Array, wireLength: number) => data.length === 30 && wireLength === 99;
    const tap = makeTap({ predicate, snaplen: 5 });
    tap.offer(0, packet(1, 30), 99);
    tap.offer(1, packet(2, 29), 99);
    tap.offer(2, packet(3, 30), 98);
    expect(recordsOf(tap)).toEqual([{ number: 1, captured: 5, originalLength: 99, timeNs: 0 }]);
  });

  test("cuts to the snaplen without keeping the whole packet in memory", () => {
    const tap = makeTap({ snaplen: 4 });
    const large = packet(1, 1000);
    tap.offer(0, large, 1500);
    large.fill(9);
    expect(recordsOf(tap)).toEqual([{ number: 1, captured: 4, originalLength: 1500, timeNs: 0 }]);
  });

  test("ends after the last packet that it may record, counting those of earlier runs", () => {
    const tap = makeTap({ maxPackets: 5 }, { packets: 3, bytes: 0 });
    tap.offer(0, packet(0), 10);
    expect(tap.limitReached).toBe(false);
    tap.offer(1, packet(1), 10);
    expect(tap.limitReached).toBe(true);
    tap.offer(2, packet(2), 10);
    expect(numbersOf(tap)).toEqual([0, 1]);
  });

  test("ends at the first packet over the byte limit, and does not record a smaller one after it", () => {
    const tap = makeTap({ maxBytes: 100 }, { packets: 1, bytes: 30 });
    tap.offer(0, packet(0, 20), 20);
    expect(tap.limitReached).toBe(false);
    tap.offer(1, packet(1, 19), 19);
    tap.offer(2, packet(2, 1), 1);
    expect(numbersOf(tap)).toEqual([0]);
    expect([tap.bytes, tap.limitReached]).toEqual([36, true]);
  });

  test("records a packet that takes all remaining bytes, which reaches the limit", () => {
    const tap = makeTap({ maxBytes: 26 });
    tap.offer(0, packet(7), 10);
    expect([numbersOf(tap), tap.limitReached]).toEqual([[7], true]);
  });

  test("records nothing if an earlier run has reached a limit, even if there is room", () => {
    const tap = makeTap({ maxBytes: 100 }, { packets: 1, bytes: 30, limitReached: true });
    tap.offer(0, packet(1, 1), 1);
    expect([tap.packets, tap.limitReached]).toEqual([0, true]);
  });

  test("accepts counts beyond the limits", () => {
    const tap = makeTap({ maxPackets: 1, maxBytes: 1 }, { packets: 5, bytes: 500 });
    tap.offer(0, packet(1), 10);
    expect([tap.packets, tap.limitReached]).toEqual([0, true]);
  });

  test("records the longest prefix in time order that fits, for any packets in any order", () => {
    const offers = fc.array(fc.record({ timeNs: fc.nat(20), length: fc.nat(40) }), { maxLength: 60 });
    const limit = fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined });
    fc.assert(
      fc.property(offers, limit, limit, fc.boolean(), (packets, maxPackets, maxBytes, asks) => {
        const tap = makeTap({
          ...(maxPackets !== undefined && { maxPackets }),
          ...(maxBytes !== undefined && { maxBytes }),
        });
        for (const [index, { timeNs, length }] of packets.entries()) {
          tap.offer(timeNs * 1000, packet(index, length), length);
          if (asks) tap.limitReached;
        }
        let room = maxBytes ?? Number.POSITIVE_INFINITY;
        const sorted = packets.toSorted((a, b) => a.timeNs - b.timeNs);
        const end = sorted.findIndex(({ length }, at) => {
          room -= 16 + length;
          return room < 0 || at >= (maxPackets ?? Number.POSITIVE_INFINITY);
        });
        const expected = end < 0 ? sorted : sorted.slice(0, end);
        expect(recordsOf(tap).map(({ timeNs, captured }) => [timeNs / 1000, captured])).toEqual(
          expected.map(({ timeNs, length }) => [timeNs, length]),
        );
        expect(tap.packets).toBe(expected.length);
        if (end >= 0) expect(tap.limitReached).toBe(true);
      }),
    );
  });

  test("is fast with packets in reverse order", () => {
    const tap = makeTap({ maxPackets: 1000 });
    for (let timeNs = 300_000; timeNs > 0; timeNs--) tap.offer(timeNs, packet(1, 1), 1);
    expect(recordsOf(tap)).toHaveLength(1000);
  });
});

describe("the settings of a tap", () => {
  test("are the given ones, and `after` by default", () => {
    expect(makeTapSettings({}, "DLT_EN10MB")).toEqual({ tap: "after" });
    expect(
      makeTapSettings(
        { max_packets: 1, max_bytes: 2, snaplen: 3, tap: "before", bpf: undefined },
        "DLT_EN10MB",
      ),
    ).toEqual({ maxPackets: 1, maxBytes: 2, snaplen: 3, tap: "before" });
  });

  test("read the expression for the capture's link type", () => {
    const { predicate } = makeTapSettings({ bpf: "ip" }, "DLT_C_HDLC");
    expect(predicate!(Uint8Array.of(0x0f, 0, 8, 0), 4)).toBe(true);
    expect(() => makeTapSettings({ bpf: "ether host 0:1:2:3:4:5" }, "DLT_C_HDLC")).toThrow(/line 1, column/);
  });
});
