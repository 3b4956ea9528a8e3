import { CaptureError, readCapture } from "@wirelab/engine/pcap/index";
import { FILE_HEADER_BYTES, isClassic, RecordSieve, resolutionOf } from "@wirelab/engine/pcap/record-sieve";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  classicFile,
  concat,
  cutInto,
  LITTLE,
  pcapHeader,
  pcapRecord,
  sectionHeader,
} from "../../../helpers/engine/pcap.ts";

const isKept = (data: Uint8Array, wireLength: number): boolean => (data.length + wireLength) % 3 !== 0;

/** Passes a file in pieces, as the command line does; returns the kept bytes and the error, if any. */
function sift(pieces: readonly Uint8Array[]): { kept: Uint8Array; packets: number; error: unknown } {
  const [header = new Uint8Array(0), ...rest] = pieces;
  const kept = [header];
  let packets = 0;
  let pending: Uint8Array = new Uint8Array(0);
  try {
    const sieve = new RecordSieve(header);
    for (const piece of rest) {
      const bytes = concat(pending, piece);
      sieve.sift(bytes, 0, bytes.length, (all, start, end, wireLength) =>
        isKept(all.subarray(start, end), wireLength),
      );
      kept.push(bytes.slice(0, sieve.keptEnd));
      packets = sieve.packets;
      if (sieve.fault) throw sieve.fault;
      pending = bytes.subarray(sieve.restStart);
    }
    sieve.finish(pending);
  } catch (error) {
    return { kept: concat(...kept), packets, error };
  }
  return { kept: concat(...kept), packets, error: undefined };
}

describe("the sieve", () => {
  test("keeps the packets that match according to a reader's frames, for any chunks", () => {
    fc.assert(
      fc.property(classicFile, fc.array(fc.nat()), ({ bytes }, cuts) => {
        const pieces = [bytes.slice(0, FILE_HEADER_BYTES), ...cutInto(bytes.slice(FILE_HEADER_BYTES), cuts)];
        const { kept, packets, error } = sift(pieces);
        const all = readCapture(bytes).frames;
        expect(error).toBeUndefined();
        expect(packets).toBe(all.length);
        expect(readCapture(kept)).toMatchObject({
          ok: true,
          frames: all.filter(({ data, originalLength }) => isKept(data, originalLength)),
        });
      }),
    );
  });

  test("finds the same faults as the reader, at the same bytes", () => {
    const damage = fc.record({ at: fc.nat(), value: fc.nat(255), end: fc.nat() });
    fc.assert(
      fc.property(classicFile, damage, fc.array(fc.nat()), ({ bytes }, { at, value, end }, cuts) => {
        const damaged = bytes.slice(0, FILE_HEADER_BYTES + (end % (bytes.length - FILE_HEADER_BYTES + 1)));
        damaged[4 + (at % (damaged.length - 4))] = value;
        const read = readCapture(damaged);
        const body = damaged.slice(FILE_HEADER_BYTES);
        const { error, kept } = sift([damaged.slice(0, FILE_HEADER_BYTES), ...cutInto(body, cuts)]);
        const wanted = read.ok ? read.cutOff : read.error;
        expect(describeError(error)).toEqual(describeError(wanted));
        const before = read.frames.filter(({ data, originalLength }) => isKept(data, originalLength));
        expect(readCapture(kept).frames).toEqual(before);
      }),
    );
  });

  test("rejects a record that is too large as soon as its header has arrived", () => {
    const header = pcapRecord(LITTLE, 0, 0, new Uint8Array(0), { captured: 262_145 });
    const pieces = [pcapHeader(LITTLE, 0xa1b2c3d4, 1), header];
    expect(sift(pieces).error).toMatchObject({ code: "pcap.record-too-large", offset: FILE_HEADER_BYTES });
  });

  test("moves runs of records together", () => {
    const records = [3, 1, 1, 3, 1].map((size) =>
      pcapRecord(LITTLE, size, 0, new Uint8Array(size).fill(size)),
    );
    const { kept } = sift([pcapHeader(LITTLE, 0xa1b2c3d4, 1), concat(...records)]);
    expect(kept).toEqual(concat(pcapHeader(LITTLE, 0xa1b2c3d4, 1), records[1]!, records[2]!, records[4]!));
  });

  test("accepts only classic captures", () => {
    expect(isClassic(sectionHeader(LITTLE))).toBe(false);
    expect(isClassic(pcapHeader(LITTLE, 0xa1b2c3d4, 1).subarray(0, 23))).toBe(false);
    expect(resolutionOf(pcapHeader(LITTLE, 0xa1b2c3d4, 1))).toBe("microsecond");
    expect(resolutionOf(pcapHeader(LITTLE, 0xa1b23c4d, 1))).toBe("nanosecond");
  });
});

function describeError(error: unknown) {
  if (error === undefined) return undefined;
  if (!(error instanceof CaptureError)) throw error;
  const { code, offset, message } = error;
  return { code, offset, message };
}
