import { describe, expect, test } from "vitest";
import { encodeArrivals, readContent } from "../../../functions/links/replay-file.ts";
import { makePcap } from "../../helpers/pcap.ts";

const delivered = [{ deliveryNs: 0, data: new Uint8Array(4), originalLength: 4, frameIndex: 0 }];

describe("the file that a replay answers", () => {
  test.each([
    ["a microsecond file", 0xa1b2c3d4, 1_000_000_000n, 0xa1b2c3d4],
    ["a nanosecond file of whole microseconds", 0xa1b23c4d, 1_000_000_000n, 0xa1b23c4d],
    ["a microsecond file and a start between two", 0xa1b2c3d4, 1_000_000_001n, 0xa1b23c4d],
  ])("of %s has its resolution, or what the start needs", (_what, magic, startNs, expected) => {
    const file = makePcap(1);
    file.writeUInt32LE(magic, 0);
    const answer = Buffer.from(encodeArrivals(delivered, startNs, readContent(file)));
    expect(answer.readUInt32LE(0)).toBe(expected);
  });
});
