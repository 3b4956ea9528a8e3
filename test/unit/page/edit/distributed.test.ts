import { describe, expect, test } from "vitest";
import { distributed } from "../../../../page/src/edit/distributed.ts";

describe("devices that are distributed", () => {
  test("have the same space between each two, and the outer ones stay", () => {
    const spans = [
      { at: 0, size: 60 },
      { at: 300, size: 60 },
      { at: 80, size: 20 },
    ];
    // 240 pixels are between the outer ones, 20 of them taken.
    expect(distributed(spans)).toEqual([0, 300, 170]);
  });

  test("that have no room overlap evenly", () => {
    const spans = [0, 10, 50].map((at) => ({ at, size: 60 }));
    expect(distributed(spans)).toEqual([0, 25, 50]);
  });
});
