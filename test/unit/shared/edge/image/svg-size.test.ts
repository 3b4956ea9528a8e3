import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { svgSize } from "../../../../../functions/shared/edge/image/svg-size.ts";

describe("the size of an SVG document", () => {
  test.each([
    ["numbers", { width: "66", height: "45" }, 66, 45],
    ["pixels", { width: "66px", height: " 45PX " }, 66, 45],
    ["fractions, rounded", { width: "65.5", height: "+.6" }, 66, 1],
    ["an exponent", { width: "1e2", height: "2.E1px" }, 100, 20],
    ["points and picas", { width: "10pt", height: "2pc" }, 12, 30],
    ["millimetres and centimetres", { width: "10mm", height: "1cm" }, 35, 35],
    ["inches", { width: "1in", height: "0.5in" }, 90, 45],
    ["millimetres and points (the interface's example)", { width: "10mm", height: "10pt" }, 35, 12],
    ["a view box alone", { viewBox: "0 0 120 80" }, 120, 80],
    ["a view box with commas", { viewBox: " -5,-5 , 120.4,80 " }, 120, 80],
    ["percentages of the view box", { width: "50%", height: "25%", viewBox: "0 0 120 80" }, 60, 20],
    ["units of fonts", { width: "2em", height: "3ex" }, 32, 24],
    ["quarters of a millimetre", { width: "40Q", height: "1rem" }, 35, 16],
    ["parts of the view box", { width: "50vh", height: "10vmax", viewBox: "0 0 120 80" }, 40, 12],
    ["sides that are left to the view box", { width: "auto", height: "50vmin", viewBox: "0 0 9 80" }, 9, 4],
    ["a width, and the view box's height", { width: "10", viewBox: "0 0 120 80" }, 10, 80],
  ])("%s", (_what, attributes, width, height) => {
    expect(svgSize(attributes)).toEqual({ width, height });
  });

  test.each([
    ["nothing", {}],
    ["one side", { width: "10" }],
    ["percentages of nothing", { width: "100%", height: "100%" }],
    ["an unknown unit", { width: "10ell", height: "10" }],
    ["a unit named like a property", { width: "10constructor", height: "10" }],
    ["parts of nothing", { width: "10vw", height: "10" }],
    ["a space before the unit", { width: "10 px", height: "10" }],
    ["no number", { width: "wide", height: "10" }],
    ["an empty side", { width: "", height: "10" }],
    ["zero", { width: "0", height: "10" }],
    ["less than half a pixel", { width: "0.4", height: "10" }],
    ["a negative side", { width: "-5", height: "10" }],
    ["more than can be", { width: "1e300", height: "10" }],
    ["infinity", { width: "1e999", height: "10" }],
    ["hexadecimal", { width: "0x10", height: "10" }],
    ["a view box of three numbers", { viewBox: "0 0 10" }],
    ["a view box of five numbers", { viewBox: "0 0 10 10 10" }],
    ["an empty view box", { viewBox: "0 0 0 10" }],
    ["a view box of words", { viewBox: "a b c d" }],
  ])("%s gives no size", (_what, attributes) => {
    expect(svgSize(attributes)).toBeUndefined();
  });

  test("a size is two positive integers, for any attributes", () => {
    const length = fc.oneof(
      fc.string(),
      fc.double().map(String),
      fc.stringMatching(/^[+-]?[0-9.e]{1,8}(px|mm|in|%|em)?$/),
    );
    const attributes = fc.record(
      { width: length, height: length, viewBox: fc.string() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(attributes, (given) => {
        const size = svgSize(given);
        if (size === undefined) return;
        for (const side of [size.width, size.height]) {
          expect(Number.isSafeInteger(side)).toBe(true);
          expect(side).toBeGreaterThan(0);
        }
      }),
    );
  });
});

test("a length of megabytes is rejected without backtracking", () => {
  const digits = "1".repeat(4_000_000);
  expect(svgSize({ width: `${digits}!`, height: digits })).toBeUndefined();
});
