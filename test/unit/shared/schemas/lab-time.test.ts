import { expect, test } from "vitest";
import {
  formatLabTime,
  formatPacketTime,
  parseLabTime,
} from "../../../../functions/shared/schemas/lab-time.ts";

test.each([
  [0n, "1970-01-01T00:00:00.000000000Z"],
  [1_700_000_000_250_000_001n, "2023-11-14T22:13:20.250000001Z"],
  [4_102_444_799_999_999_999n, "2099-12-31T23:59:59.999999999Z"],
])("%d ns is written to the nanosecond, and read again", (epochNs, text) => {
  expect(formatLabTime(epochNs)).toBe(text);
  expect(parseLabTime(text)).toBe(epochNs);
});

test("a packet's time has six decimals, of which the last is not rounded", () => {
  expect(formatPacketTime(1_700_000_000, 7_999)).toBe("2023-11-14T22:13:20.000007Z");
  expect(formatPacketTime(0, 999_999_999)).toBe("1970-01-01T00:00:00.999999Z");
});
