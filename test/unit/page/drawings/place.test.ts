import { describe, expect, test } from "vitest";
import { boxAround, isOn } from "../../../../page/src/drawings/place.ts";

const BOX = { x: 100, y: 50, width: 200, height: 40, rotation: 0 };

describe("the place of a drawing", () => {
  test("is its box", () => {
    expect(isOn(BOX, { x: 101, y: 89 }, false)).toBe(true);
    expect(isOn(BOX, { x: 101, y: 91 }, false)).toBe(false);
    expect(isOn(BOX, { x: 99, y: 60 }, false)).toBe(false);
  });

  test("turns clockwise around the upper left corner", () => {
    const turned = { ...BOX, rotation: 90 };
    expect(isOn(turned, { x: 80, y: 200 }, false)).toBe(true);
    expect(isOn(turned, { x: 120, y: 60 }, false)).toBe(false);
    const box = boxAround(turned);
    expect([box.x, box.y, box.width, box.height].map(Math.round)).toEqual([60, 50, 40, 200]);
  });

  test("of a line is near the line, in each direction", () => {
    const line = { x: 0, y: 0, width: -100, height: 100, rotation: 0 };
    expect(isOn(line, { x: -50, y: 53 }, true)).toBe(true);
    expect(isOn(line, { x: -50, y: 70 }, true)).toBe(false);
    expect(isOn(line, { x: 20, y: -20 }, true)).toBe(false);
    expect(boxAround(line)).toEqual({ x: -100, y: 0, width: 100, height: 100 });
  });
});
