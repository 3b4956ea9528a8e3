import { expect, test } from "vitest";
import { drawSketch, HEIGHT, WIDTH } from "../../../../page/src/labs/sketch.ts";

test("fits a lab into the picture, and keeps its form", () => {
  const { devices, lines } = drawSketch({
    nodes: [
      { id: "a", x: -1000, y: 0 },
      { id: "b", x: 1000, y: 0 },
      { id: "c", x: 0, y: 400 },
    ],
    links: [
      ["a", "c"],
      ["b", "c"],
      ["b", "gone"],
    ],
  });
  expect(devices).toEqual([
    { x: 12, y: 34.4, isJoint: false },
    { x: 148, y: 34.4, isJoint: true },
    { x: 80, y: 61.6, isJoint: true },
  ]);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toEqual([
    expect.objectContaining({ x: 12, y: 34.4 }),
    expect.objectContaining({ x: 80, y: 61.6 }),
  ]);
});

test("draws one device in the middle, devices at one place, and an empty lab", () => {
  const middle = { x: WIDTH / 2, y: HEIGHT / 2, isJoint: false };
  expect(drawSketch({ nodes: [{ id: "a", x: 70, y: -9 }], links: [] }).devices).toEqual([middle]);
  const two = ["a", "b"].map((id) => ({ id, x: 5, y: 5 }));
  expect(drawSketch({ nodes: two, links: [] }).devices).toEqual([middle, middle]);
  expect(drawSketch({ nodes: [], links: [] })).toEqual({ devices: [], lines: [] });
});
