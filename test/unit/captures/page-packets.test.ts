import { describe, expect, test } from "vitest";
import { type PageRequest, pagePackets } from "../../../functions/captures/page-packets.ts";
import { makePcap } from "../../helpers/captures/pcap.ts";

const even = (data: Uint8Array) => data[3]! % 2 === 0;

/** A file in chunks of `chunkBytes`, which counts the chunks read. */
function chunked(file: Uint8Array, chunkBytes: number) {
  const taken = { chunks: 0 };
  async function* chunks() {
    for (let at = 0; at < file.length; at += chunkBytes) {
      taken.chunks += 1;
      yield file.subarray(at, at + chunkBytes);
    }
  }
  return { taken, chunks: chunks() };
}

async function page(request: Partial<PageRequest>, chunkBytes = 50, count = 10) {
  const { taken, chunks } = chunked(makePcap(count), chunkBytes);
  const { packets, ...rest } = await pagePackets(chunks, {
    linkType: "DLT_EN10MB",
    total: count,
    limit: 100,
    offset: 0,
    mostPackets: 1000,
    hasTime: () => true,
    ...request,
  });
  return { numbers: packets.map(({ number }) => number), packets, ...rest, chunks: taken.chunks };
}

describe("a page of packets", () => {
  test.each([1, 7, 76, 10_000])("is the same from chunks of %d bytes", async (chunkBytes) => {
    expect(await page({ predicate: even, offset: 1, limit: 3 }, chunkBytes)).toMatchObject({
      numbers: [3, 5, 7],
      total: 10,
      matched: 5,
      more: true,
    });
  });

  test("without a filter reads no more chunks than necessary", async () => {
    const found = await page({ limit: 2, offset: 1 }, 100, 1000);
    expect(found).toMatchObject({ numbers: [2, 3], total: 1000, matched: 1000, more: true });
    expect(found.chunks).toBeLessThan(10);
  });

  test("reads a bounded number of packets, and reports that there are more", async () => {
    expect(await page({ predicate: even, mostPackets: 4 })).toMatchObject({
      numbers: [1, 3],
      matched: 2,
      more: true,
    });
    expect(await page({ mostPackets: 4 })).toMatchObject({ numbers: [1, 2, 3, 4], matched: 10, more: true });
    expect(await page({ offset: 6, mostPackets: 4 })).toMatchObject({ numbers: [], more: true });
  });

  test("reports no more when the bound equals the number of packets", async () => {
    expect(await page({ predicate: even, mostPackets: 10 })).toMatchObject({ matched: 5, more: false });
    expect(await page({ mostPackets: 10 })).toMatchObject({ matched: 10, more: false });
  });

  test("ends at its time limit", async () => {
    expect(await page({ predicate: even, hasTime: () => false }, 24 + 3 * 76)).toMatchObject({
      numbers: [1, 3],
      matched: 2,
      more: true,
    });
  });

  test("returns times to the microsecond, relative to the capture's first packet", async () => {
    const { packets } = await page({ offset: 3, limit: 1 });
    expect(packets).toMatchObject([
      { number: 4, time: "2023-11-14T22:13:20.003000Z", relative_s: 0.003, captured_length: 60 },
    ]);
  });
});
