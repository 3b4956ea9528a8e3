import { describe, expect, test } from "vitest";
import { encodeArrivals, readContent } from "../../../functions/links/replay-file.ts";
import { makePcap } from "../../helpers/captures/pcap.ts";

const delivered = [{ deliveryNs: 0, data: new Uint8Array(4), originalLength: 4, frameIndex: 0 }];

describe("the file that a replay returns", () => {
  test.each([
    ["a microsecond file", 0xa1b2c3d4, 1_000_000_000n, 0xa1b2c3d4],
    ["a nanosecond file of whole microseconds", 0xa1b23c4d, 1_000_000_000n, 0xa1b23c4d],
    ["a microsecond file and a start between two", 0xa1b2c3d4, 1_000_000_001n, 0xa1b23c4d],
  ])("of %s has its resolution, or the one that the start time needs", (_what, magic, startNs, expected) => {
    const file = makePcap(1);
    file.writeUInt32LE(magic, 0);
    const answer = Buffer.from(encodeArrivals(delivered, startNs, readContent(file)));
    expect(answer.readUInt32LE(0)).toBe(expected);
  });
});

describe("the file that a replay sends", () => {
  test("has the packets before a truncated one", () => {
    const file = makePcap(3);
    const { frames, cutOff } = readContent(file.subarray(0, file.length - 1));
    expect([frames.length, cutOff]).toEqual([2, expect.stringMatching(/^pcap: record at byte \d+ claims/)]);
    expect(readContent(file).cutOff).toBeNull();
  });

  test.each([
    [113, "DLT_LINUX_SLL"],
    [12, "DLT_RAW"],
    [147, "unknown"],
  ])("of link type %i has filters for %s", (linkType, filterLinkType) => {
    expect(readContent(makePcap(1, { linkType })).filterLinkType).toBe(filterLinkType);
  });
});
