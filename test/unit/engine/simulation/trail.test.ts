import { describe, expect, test } from "vitest";
import { extendTrail, type Trail } from "../../../../functions/engine/simulation/trail.ts";

const nodes = new Map([..."ABCD"].map((name) => [name, { name }]));

/** What a frame has behind it that was passed on by these, one after the other. */
const trailOf = (path: string): Trail =>
  [...path].reduce<Trail | undefined>((trail, name) => extendTrail(trail, nodes.get(name)!), undefined)!;

describe("the trail of a frame", () => {
  test("has no loop as long as it met each switch once", () => {
    expect(trailOf("A").loop).toBeUndefined();
    expect(trailOf("ABCD").loop).toBeUndefined();
  });

  test.each([
    ["ABCA", ["A", "B", "C"]],
    ["DABCA", ["A", "B", "C"]],
    ["ABA", ["A", "B"]],
    ["AA", ["A"]],
  ])("of %s has the loop %j, without what led to it", (path, loop) => {
    expect(trailOf(path).loop).toEqual(loop);
  });

  test("grows no more once it is a loop", () => {
    const trail = trailOf("ABCA");
    expect(extendTrail(trail, nodes.get("B")!)).toBe(trail);
  });

  test("is that of the way a copy took: others are not on it", () => {
    const left = extendTrail(trailOf("AB"), nodes.get("C")!);
    const right = extendTrail(trailOf("AB"), nodes.get("D")!);
    expect([left.loop, right.loop]).toEqual([undefined, undefined]);
  });
});
