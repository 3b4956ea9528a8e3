import { expect, test } from "vitest";
import { accepts } from "../../../../functions/shared/edge/http/accepts.ts";

test.each([
  ["br", true],
  ["gzip, deflate, br, zstd", true],
  ["gzip;q=1.0,BR;q=0.001", true],
  ["br; q=0", false],
  ["gzip, br;q=0.000", false],
  ["brotli, gzip", false],
  ["", false],
  [undefined, false],
])("the Accept-Encoding %j accepts br: %s", (header, expected) => {
  expect(accepts("br", header)).toBe(expected);
});
