import { describe, expect, test } from "vitest";
import type { RunChange } from "../../../../functions/shared/store/run/run-changes.ts";
import { fitsTransaction } from "../../../../functions/shared/store/run/run-steps.ts";

const withLabel = (label: string): RunChange =>
  ({ kind: "link", link_id: "l", revision: 1, document: { label } }) as unknown as RunChange;

describe("a run in one transaction", () => {
  test("has at most a transaction's number of items", () => {
    const many = (count: number) => Array.from({ length: count }, () => withLabel("a"));
    expect(fitsTransaction(many(98), 2)).toBe(true);
    expect(fitsTransaction(many(99), 2)).toBe(false);
  });

  test("has at most a transaction's number of bytes, at three bytes per character", () => {
    const labels = (character: string) => [withLabel(character.repeat(1_000_000))];
    expect(fitsTransaction(labels("a"), 2)).toBe(true);
    expect(fitsTransaction(labels("漢"), 2)).toBe(false);
  });
});
