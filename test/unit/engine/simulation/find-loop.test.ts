import { describe, expect, test } from "vitest";
import { findLoop } from "../../../../functions/engine/simulation/find-loop.ts";

const edges = (...pairs: string[]) => pairs.map((pair) => ({ a: pair[0]!, b: pair[1]! }));

describe("finding a ring", () => {
  test("none in a tree or in nothing", () => {
    expect(findLoop(edges("AB", "AC", "CD"))).toBeUndefined();
    expect(findLoop([])).toBeUndefined();
  });

  test("the ring without the branches that lead to it", () => {
    expect(findLoop(edges("XA", "AB", "BC", "CD", "DB", "CY"))?.toSorted()).toEqual(["B", "C", "D"]);
  });

  test("two links between the same two nodes are one", () => {
    expect(findLoop(edges("AB", "AB"))).toEqual(["A", "B"]);
  });

  test("in whichever part of the lab it is", () => {
    expect(findLoop(edges("AB", "PQ", "QR", "RP"))?.toSorted()).toEqual(["P", "Q", "R"]);
  });
});
