/** How the PC reassembles fragments, observed through its answers to echo requests. */

import { writeU16 } from "@wirelab/engine/base/bytes";
import { encodeEcho } from "@wirelab/engine/wire/icmp";
import { PROTOCOL_ICMP, writeIpv4Checksum } from "@wirelab/engine/wire/ipv4";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { B_IP, counting, hexOf, ipv4Frames, LonePc } from "./bare-pc.ts";

const MESSAGE = encodeEcho(7, 1, counting(3000));

/** Fragments of at most `mtuBytes` of an echo request of 3028 bytes. */
const pieces = (id = 1, mtuBytes = 1500, source = B_IP): Uint8Array[] =>
  ipv4Frames({ protocol: PROTOCOL_ICMP, id, source }, MESSAGE, {}, mtuBytes);

describe("reassembling fragments", () => {
  test("works in any order, with any fragment duplicated", () => {
    const anyOrder = fc
      .constantFrom(600, 1000, 1500)
      .map((mtuBytes) => pieces(1, mtuBytes))
      .chain((all) => fc.tuple(fc.shuffledSubarray(all, { minLength: all.length }), fc.subarray(all)));
    fc.assert(
      fc.property(anyOrder, ([shuffled, doubled]) => {
        const lone = new LonePc();
        // The last fragment comes once: it completes the datagram, and a duplicate would begin a new one.
        const heard = [...doubled.filter((piece) => piece !== shuffled.at(-1)), ...shuffled];
        const replies = lone.hear(...heard);
        expect(replies).toHaveLength(3);
        expect(hexOf(replies[2]!.subarray(34))).toBe(hexOf(MESSAGE.subarray(2960)));
      }),
    );
  });

  test("keeps datagrams apart by id and by sender", () => {
    const lone = new LonePc();
    const [a, b, c] = [pieces(1), pieces(2), pieces(1, 1500, B_IP + 1)];
    const mixed = [0, 1, 2].flatMap((index) => [a[index]!, b[index]!, c[index]!]);
    expect(lone.hear(...mixed)).toHaveLength(9);
    expect(lone.hear(a[0]!, b[1]!, c[2]!)).toEqual([]);
  });

  test("does not answer a datagram whose fragments overlap", () => {
    const [first, second, third] = pieces();
    const overlapping = second!.slice();
    // The offset in units of 8 bytes, with the M flag: 8 bytes too early.
    writeU16(overlapping, 20, 0x2000 | (1480 / 8 - 1));
    writeIpv4Checksum(overlapping, 14);
    expect(new LonePc().hear(first!, overlapping, third!)).toEqual([]);
    expect(new LonePc().hear(first!, overlapping, second!, third!)).toEqual([]);
  });

  test("does not answer one that would be longer than IPv4 allows", () => {
    const [first, second, third] = pieces();
    const beyond = second!.slice();
    writeU16(beyond, 20, 0x1fff);
    writeIpv4Checksum(beyond, 14);
    expect(new LonePc().hear(first!, beyond, second!, third!)).toEqual([]);
  });

  test("waits 30 s for the last fragment", () => {
    const inTime = new LonePc();
    const [first, second, third] = pieces();
    inTime.hear(first!, second!);
    inTime.pass(29.9);
    expect(inTime.hear(third!)).toHaveLength(3);

    const tooLate = new LonePc();
    tooLate.hear(first!, second!);
    tooLate.pass(30);
    expect(tooLate.hear(third!)).toEqual([]);
    expect(tooLate.hear(first!, second!)).toHaveLength(3);
  });

  test("holds 16 datagrams, and evicts the oldest for one more", () => {
    const lone = new LonePc();
    const all = Array.from({ length: 17 }, (_, id) => pieces(id));
    expect(lone.hear(...all.flatMap(([first, second]) => [first!, second!]))).toEqual([]);
    expect(lone.hear(all[16]![2]!)).toHaveLength(3);
    expect(lone.hear(all[1]![2]!)).toHaveLength(3);
    expect(lone.hear(all[0]![2]!)).toEqual([]);
  });
});
