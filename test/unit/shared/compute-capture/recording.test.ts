/** What the service records of a compute's capture file: the bound of the service, which is 1 GiB, is small here. */
import { CaptureError } from "@wirelab/engine/pcap/capture-error";
import { describe, expect, test } from "vitest";
import { Recording } from "../../../../functions/shared/compute-capture/recording.ts";
import type { CaptureOptions } from "../../../../functions/shared/schemas/capture.ts";
import { makePcap, parsePcap } from "../../../helpers/captures/pcap.ts";

/** A packet of `makePcap`, with the header of its record. */
const RECORD_BYTES = 16 + 60;
const FILE_HEADER_BYTES = 24;

const ethernet = (options: CaptureOptions = {}) => ({ data_link_type: "DLT_EN10MB" as const, options });

/** @returns the numbers of the packets in records. */
const numbersIn = (records: Uint8Array): number[] =>
  parsePcap(Buffer.concat([makePcap(0), records])).map(({ data }) => data.readUInt32BE(0));

describe("the bound of the service", () => {
  test("ends the recording before the first packet that exceeds it", async () => {
    const recording = await Recording.make(ethernet(), 3 * RECORD_BYTES - 1);
    const records = recording.push(makePcap(5));
    expect(numbersIn(records)).toEqual([0, 1]);
    expect([recording.packets, recording.bytes, recording.limitReached]).toEqual([2, 2 * RECORD_BYTES, true]);
    expect(recording.push(makePcap(9).subarray(FILE_HEADER_BYTES + 5 * RECORD_BYTES))).toHaveLength(0);
  });

  test("is not reached by a file that fills all but the room of another header", async () => {
    const recording = await Recording.make(ethernet(), 5 * RECORD_BYTES + 16);
    expect(numbersIn(recording.push(makePcap(5)))).toHaveLength(5);
    expect(recording.limitReached).toBe(false);
  });

  test("holds for a capture whose own limit is larger, and not for one whose limit is smaller", async () => {
    const larger = await Recording.make(ethernet({ max_bytes: 100 * RECORD_BYTES }), 2 * RECORD_BYTES);
    larger.push(makePcap(5));
    expect([larger.packets, larger.limitReached]).toEqual([2, true]);
    const smaller = await Recording.make(ethernet({ max_bytes: RECORD_BYTES }), 2 * RECORD_BYTES);
    smaller.push(makePcap(5));
    expect([smaller.packets, smaller.limitReached]).toEqual([1, true]);
  });

  test("counts the bytes that are recorded, not those of longer packets", async () => {
    const recording = await Recording.make(ethernet({ snaplen: 20 }), 4 * (16 + 20));
    const records = recording.push(makePcap(9));
    expect([recording.packets, records.length]).toEqual([4, 4 * (16 + 20)]);
  });
});

test("the parts in which a file comes change nothing", async () => {
  const file = makePcap(6);
  const whole = (await Recording.make(ethernet(), 4 * RECORD_BYTES)).push(file);
  for (const size of [1, 7, 60, 100]) {
    const recording = await Recording.make(ethernet(), 4 * RECORD_BYTES);
    const parts: Uint8Array[] = [];
    for (let at = 0; at < file.length; at += size) parts.push(recording.push(file.subarray(at, at + size)));
    expect(Buffer.concat(parts)).toEqual(Buffer.from(whole));
  }
});

test("a file that is no capture is an error", async () => {
  const recording = await Recording.make(ethernet());
  expect(() => recording.push(new Uint8Array(40).fill(7))).toThrow(CaptureError);
});
