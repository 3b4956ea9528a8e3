import { describe, expect, test } from "vitest";
import type { RunChange } from "../../../../functions/shared/store/commit/run-changes.ts";
import { fitsTransaction, MAX_STATE_UNITS } from "../../../../functions/shared/store/commit/run-steps.ts";

const withLabel = (label: string): RunChange =>
  ({ kind: "link", link_id: "l", revision: 1, document: { label } }) as unknown as RunChange;

describe("a run in one transaction", () => {
  const many = (count: number, label = "a") => Array.from({ length: count }, () => withLabel(label));

  test("has at most a hundred write units, of which a transaction takes two for each kilobyte", () => {
    expect(fitsTransaction(many(50), 2, 0)).toBe(true);
    expect(fitsTransaction(many(51), 2, 0)).toBe(false);
    expect(fitsTransaction(many(25, "a".repeat(1_000)), 2, 0)).toBe(true);
    expect(fitsTransaction(many(26, "a".repeat(1_000)), 2, 0)).toBe(false);
  });

  test("counts the units of whole items, as the run has read them", () => {
    const node = (rest_bytes: number): RunChange => ({
      kind: "node",
      node_id: "n",
      status: "started",
      rest_bytes,
    });
    const of = (bytes: number) => Array.from({ length: 10 }, () => node(bytes));
    expect(fitsTransaction(of(4 * 1_024), 2, 0)).toBe(true);
    expect(fitsTransaction(of(5 * 1_024), 2, 0)).toBe(false);
  });

  test("has at most the units that its caller allows", () => {
    expect(fitsTransaction(many(25), 2, 0, MAX_STATE_UNITS)).toBe(true);
    expect(fitsTransaction(many(26), 2, 0, MAX_STATE_UNITS)).toBe(false);
  });

  test("counts the units of what it writes beside", () => {
    expect(fitsTransaction(many(40), 2, 10)).toBe(true);
    expect(fitsTransaction(many(40), 2, 11)).toBe(false);
  });

  test("has at most a transaction's number of items", () => {
    expect(fitsTransaction(many(10), 90, 0)).toBe(true);
    expect(fitsTransaction(many(10), 91, 0)).toBe(false);
  });

  test("counts text by its bytes, at three bytes per character", () => {
    expect(fitsTransaction([withLabel("a".repeat(40_000))], 2, 0)).toBe(true);
    expect(fitsTransaction([withLabel("漢".repeat(40_000))], 2, 0)).toBe(false);
  });
});
