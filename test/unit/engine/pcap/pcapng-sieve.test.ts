import { findCutOff, readCapture } from "@wirelab/engine/pcap/index";
import { PcapngSieve } from "@wirelab/engine/pcap/pcapng-sieve";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_BLOCK_BYTES } from "../../../../packages/engine/pcap/pcapng-format.ts";
import {
  BIG,
  block,
  concat,
  cutInto,
  enhancedPacket,
  interfaceBlock,
  LITTLE,
  option,
  pcapngFile,
  sectionHeader,
} from "../../../helpers/engine/pcap.ts";

const isKept = ({ data, originalLength }: { data: Uint8Array; originalLength: number }): boolean =>
  (data.length + originalLength) % 3 !== 0;

/** Passes a file in pieces; overwrites each piece as soon as the sieve may no longer use it. */
function sift(file: Uint8Array, cuts: readonly number[], passes: typeof isKept = isKept) {
  const sieve = new PcapngSieve(passes);
  const kept: Uint8Array[] = [];
  let before = new Uint8Array(0);
  for (const piece of cutInto(file, cuts).filter(({ length }) => length > 0)) {
    const chunk = Uint8Array.from(piece);
    for (const run of sieve.sift(chunk)) kept.push(Uint8Array.from(run));
    before.fill(0xa5);
    before = chunk;
    if (sieve.fault !== undefined) break;
  }
  return { kept: concat(...kept), sieve };
}

describe("the sieve for pcapng", () => {
  test("keeps the packets that match according to a reader's frames, for any chunks", () => {
    fc.assert(
      fc.property(pcapngFile, fc.array(fc.nat()), ({ bytes }, cuts) => {
        const { kept, sieve } = sift(bytes, cuts);
        sieve.finish();
        const all = readCapture(bytes).frames;
        expect(sieve.packets).toBe(all.length);
        expect(readCapture(kept)).toMatchObject({ ok: true, frames: all.filter(isKept), cutOff: undefined });
      }),
    );
  });

  test("finds the same faults as the reader, after the same packets", () => {
    const damage = fc.record({ at: fc.nat(), value: fc.nat(255), end: fc.nat() });
    fc.assert(
      fc.property(pcapngFile, damage, fc.array(fc.nat()), ({ bytes }, { at, value, end }, cuts) => {
        const damaged = bytes.slice(0, 28 + (end % (bytes.length - 27)));
        damaged[28 + (at % Math.max(1, damaged.length - 28))] = value;
        const read = readCapture(damaged);
        const { kept, sieve } = sift(damaged, cuts);
        const found = sieve.fault ?? findCutOff(() => sieve.finish());
        const wanted = read.ok ? read.cutOff : read.error;
        expect(found && [found.code, found.offset]).toEqual(wanted && [wanted.code, wanted.offset]);
        expect(readCapture(kept)).toMatchObject({ ok: true, frames: read.frames.filter(isKept) });
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ["little-endian", LITTLE],
    ["big-endian", BIG],
  ])(
    "keeps every other block byte for byte, and sets the section's length to unspecified (%s)",
    (_, order) => {
      const section = (length: bigint) =>
        block(order, 0x0a0d0d0a, order.u32(0x1a2b3c4d), order.u16(1, 0), order.i64(length));
      const named = interfaceBlock(order, 113, 96, option(order, 2, new TextEncoder().encode("eth0")));
      const comment = option(order, 1, new TextEncoder().encode("a comment"));
      const packet = (size: number) =>
        enhancedPacket(order, 0, 1n << 60n, new Uint8Array(size), { options: [comment] });
      const statistics = block(order, 5, order.u32(0, 1, 2));
      const parts = [named, packet(1), statistics, packet(2)];
      const { kept } = sift(concat(section(400n), ...parts), [], ({ data }) => data.length === 2);
      expect(kept).toEqual(concat(section(-1n), named, statistics, packet(2)));
    },
  );

  test("passes on a block too large for memory in pieces", () => {
    const large = block(LITTLE, 0x0bad, new Uint8Array(MAX_BLOCK_BYTES).fill(7));
    const file = concat(sectionHeader(LITTLE), interfaceBlock(LITTLE, 1), large, interfaceBlock(LITTLE, 2));
    const { kept, sieve } = sift(file, [300, 70_000, file.length - 30, file.length - 21]);
    sieve.finish();
    expect(Buffer.compare(kept, file)).toBe(0);
  });
});
