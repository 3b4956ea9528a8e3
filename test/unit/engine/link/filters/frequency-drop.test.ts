import { describe, expect, it } from "vitest";
import { FrequencyDrop } from "../../../../../packages/engine/link/filters/frequency-drop.ts";
import { DROP, PASS } from "../../../../../packages/engine/link/filters/link-filter.ts";
import { verdicts } from "../../../../helpers/engine/links.ts";

/** Numbers of the dropped packets, counted from 1. */
function droppedNumbers(filter: FrequencyDrop, count: number): number[] {
  return verdicts(filter, count).flatMap((verdict, index) => (verdict === DROP ? [index + 1] : []));
}

describe("frequency_drop", () => {
  it("drops packets N, 2N, 3N", () => {
    expect(droppedNumbers(new FrequencyDrop(3), 10)).toEqual([3, 6, 9]);
  });

  it("drops every packet at 1 and at -1", () => {
    expect(droppedNumbers(new FrequencyDrop(1), 4)).toEqual([1, 2, 3, 4]);
    expect(droppedNumbers(new FrequencyDrop(-1), 4)).toEqual([1, 2, 3, 4]);
  });

  it("reaches the largest setting", () => {
    expect(droppedNumbers(new FrequencyDrop(32_767), 70_000)).toEqual([32_767, 65_534]);
  });

  it("counts the packets that an earlier filter dropped", () => {
    const filter = new FrequencyDrop(3);
    filter.skip();
    filter.skip();
    expect(verdicts(filter, 2)).toEqual([DROP, PASS]);
  });

  it("continues from a saved count", () => {
    const filter = new FrequencyDrop(3);
    verdicts(filter, 2);
    expect(droppedNumbers(new FrequencyDrop(3, filter.saveState().packets), 4)).toEqual([1, 4]);
  });

  it.each([0, -2, Number.NaN])("rejects a frequency of %d", (every) => {
    expect(() => new FrequencyDrop(every)).toThrow(RangeError);
  });
});
