import { test } from "vitest";
import { drawOf } from "./draw.ts";

export type DrawnTest = (title: string, body: () => void | Promise<void>) => void;

/**
 * Returns `test` for cases of one kind that stand one by one in a file. A run takes a share of them and skips the others; at least one is
 * taken if there are `share` cases.
 */
export function drawnTest(share: number): DrawnTest {
  const draw = drawOf(share);
  let index = 0;
  return (title, body) => test.runIf(draw.takes(index++))(title + draw.note, body);
}
