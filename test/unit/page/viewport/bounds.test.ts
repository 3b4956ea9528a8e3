import { describe, expect, test } from "vitest";
import { boundsOf, fitBounds } from "../../../../page/src/viewport/bounds.ts";

const LIMITS = { padding: 50, leastZoom: 0.05, mostZoom: 1.3 };
const WINDOW = { width: 1100, height: 600 };

describe("the bounds of a lab", () => {
  test("contain each box, and no more", () => {
    const boxes = [
      { x: 10, y: -20, width: 30, height: 5 },
      { x: -7, y: 0, width: 1, height: 60 },
    ];
    expect(boundsOf(boxes)).toEqual({ x1: -7, y1: -20, x2: 40, y2: 60 });
  });

  test("of an empty lab are null, and its origin is in the middle", () => {
    expect(boundsOf([])).toBeNull();
    expect(fitBounds(null, WINDOW, LIMITS)).toEqual({ zoom: 1, pan: { x: 550, y: 300 } });
  });

  test("fit the window with the padding around them", () => {
    const { zoom, pan } = fitBounds({ x1: 100, y1: 0, x2: 2100, y2: 500 }, WINDOW, LIMITS);
    expect(zoom).toBe(0.5);
    expect(100 * zoom + pan.x).toBe(50);
    expect(2100 * zoom + pan.x).toBe(1050);
    expect(250 * zoom + pan.y).toBe(300);
  });

  test("are enlarged and reduced within limits", () => {
    expect(fitBounds({ x1: 0, y1: 0, x2: 10, y2: 10 }, WINDOW, LIMITS).zoom).toBe(1.3);
    expect(fitBounds({ x1: 0, y1: 0, x2: 1e6, y2: 10 }, WINDOW, LIMITS).zoom).toBe(0.05);
  });
});
