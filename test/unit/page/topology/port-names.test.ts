import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { placePortNames } from "../../../../page/src/topology/port-names.ts";

const box = (x: number, y: number) => ({ x, y, width: 60, height: 60 });

describe("the names of the ports of a link", () => {
  test("stand forty pixels from their devices on a long link", () => {
    expect(placePortNames(box(0, 0), box(400, 0), ["e0", "e1"])).toEqual({
      from: "e0",
      to: "e1",
      offset: 40,
    });
  });

  test("stand nearer to their devices on a short link", () => {
    // 50 pixels are between the devices.
    expect(placePortNames(box(0, 0), box(110, 0), ["e0", "e1"])).toEqual({
      from: "e0",
      to: "e1",
      offset: 15,
    });
  });

  test.each([
    ["a link without room for both", box(75, 0), ["e0", "e1"]],
    ["long names beside each other", box(100, 0), ["GigabitEthernet0/0", "eth1"]],
    ["devices that cover each other", box(10, 10), ["e0", "e1"]],
    ["devices at the same place", box(0, 0), ["e0", "e1"]],
  ] as const)("are not shown on %s", (_, other, names) => {
    expect(placePortNames(box(0, 0), other, names)).toMatchObject({ from: "", to: "" });
  });

  test("that are long have room above each other", () => {
    const names = ["GigabitEthernet0/0", "GigabitEthernet0/1"] as const;
    expect(placePortNames(box(0, 0), box(0, 110), names)).toMatchObject({ from: names[0], to: names[1] });
  });

  test("are each nearer to their own device, or not shown", () => {
    const place = fc.integer({ min: -300, max: 300 });
    fc.assert(
      fc.property(place, place, (x, y) => {
        const { from, offset } = placePortNames(box(0, 0), box(x, y), ["e0", "e1"]);
        const length = Math.hypot(x, y);
        const border = 30 / Math.max(Math.abs(x), Math.abs(y));
        expect(from === "" || length * border + offset < length / 2).toBe(true);
        expect(Number.isFinite(offset)).toBe(true);
      }),
    );
  });
});
