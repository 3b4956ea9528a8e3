import { describe, expect, test } from "vitest";
import { extendTrail, type Trail } from "../../../../packages/engine/simulation/trail.ts";

const nodes = new Map([..."ABCD"].map((name) => [name, { name }]));

/** Returns the trail of a frame that these nodes have forwarded in order. */
const trailOf = (path: string): Trail =>
  [...path].reduce<Trail | undefined>((trail, name) => extendTrail(trail, nodes.get(name)!), undefined)!;

describe("the trail of a frame", () => {
  test("has no loop while it has passed each switch once", () => {
    expect(trailOf("A").loop).toBeUndefined();
    expect(trailOf("ABCD").loop).toBeUndefined();
  });

  test.each([
    ["ABCA", ["A", "B", "C"]],
    ["DABCA", ["A", "B", "C"]],
    ["ABA", ["A", "B"]],
    ["AA", ["A"]],
  ])("of %s has the loop %j, without the path to it", (path, loop) => {
    expect(trailOf(path).loop).toEqual(loop);
  });

  test("does not grow once it is a loop", () => {
    const trail = trailOf("ABCA");
    expect(extendTrail(trail, nodes.get("B")!)).toBe(trail);
  });

  test("contains only the path of its own copy", () => {
    const left = extendTrail(trailOf("AB"), nodes.get("C")!);
    const right = extendTrail(trailOf("AB"), nodes.get("D")!);
    expect([left.loop, right.loop]).toEqual([undefined, undefined]);
  });
});
