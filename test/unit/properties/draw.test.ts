import { describe, expect, test } from "vitest";
import { drawn, drawOf } from "../../helpers/cases/draw.ts";

const TABLE = ["a", "b", "c", "d", "e", "f", "g"];

describe("a draw", () => {
  test("of all shares takes each case once", () => {
    const shares = ["0", "1", "2", "3"].map((cases) => drawn(TABLE, drawOf(4, cases)));
    expect(shares.flat().toSorted()).toEqual(TABLE);
  });

  test("is random if none is asked for, and the titles name it", () => {
    expect(drawOf(4, "", () => 0.99).note).toBe(" (draw 3 of 4)");
    expect(drawOf(4, "", () => 0).note).toBe(" (draw 0 of 4)");
    expect(drawOf(4, "6").note).toBe(" (draw 2 of 4)");
  });

  test("takes every case with CASES=all, and of a share of one", () => {
    for (const draw of [drawOf(4, "all"), drawOf(1, "3")]) {
      expect(drawn(TABLE, draw)).toEqual(TABLE);
      expect(draw.note).toBe("");
    }
  });

  test("of a short table has one case", () => expect(drawn(["a"], drawOf(4, "3"))).toEqual(["a"]));

  test("is refused for other words", () => {
    expect(() => drawOf(4, "some")).toThrow('CASES is "some", and must be all or a number');
  });
});
