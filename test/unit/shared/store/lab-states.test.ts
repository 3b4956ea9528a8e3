/** What a large run leaves in a lab, and which of item and entry is the newer. */
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { LabStates } from "../../../../functions/shared/store/commit/lab-states.ts";

const CREATED_US = 1_700_000_000_000_000;
const node = (more: object = {}) => ({ node_id: "n", created_us: CREATED_US, ...more }) as never;
const stateOf = (states: LabStates, more?: object) =>
  (states.stateOf(node(more)) as { state?: unknown }).state;
const entry = <T>(value: T, id = "n") => ({ id, created_us: CREATED_US, value });

const ENTRY = { device: { text: "line\nline \u2028 漢" } };
const ITEM = { device: "item" };
const states = new LabStates().after(5, [entry(ENTRY)], []);

describe("the state of a node", () => {
  test("is that of the large run if the item is older", () => {
    expect(stateOf(states)).toEqual(ENTRY);
    expect(stateOf(states, { state: ITEM, state_run: 4 })).toEqual(ENTRY);
    expect(stateOf(states, { state: ITEM })).toEqual(ENTRY);
  });

  test("is that of the item after a later run, and after a file was stored on the node", () => {
    expect(stateOf(states, { state: ITEM, state_run: 6 })).toEqual(ITEM);
    expect(stateOf(states, { state: ITEM, state_run: 5 })).toEqual(ITEM);
  });

  test("is that of the large run if this has changed the status of the item", () => {
    expect(stateOf(states, { state_run: 5 })).toEqual(ENTRY);
  });

  test("is none if a later commit has written the item without one", () => {
    expect(stateOf(states, { state_run: 6 })).toBeUndefined();
  });

  test("is not that of a deleted node with the same id", () => {
    expect(stateOf(states, { created_us: CREATED_US + 1 })).toBeUndefined();
  });

  test("is kept by the next large run, which changes others", () => {
    const next = states.after(9, [entry(ITEM, "other")], []);
    expect(stateOf(next)).toEqual(ENTRY);
    expect(stateOf(next, { state: ITEM, state_run: 6 })).toEqual(ITEM);
  });
});

describe("the object", () => {
  const counts = [
    [1, 2, 3, 4, 5, 6],
    [6, 5, 4, 3, 2, 1],
  ] as const;
  const whole = states.after(6, [], [entry(counts, "l")]);

  test("has the states and the counts", () => {
    const read = LabStates.decode(whole.encode());
    expect(stateOf(read)).toEqual(ENTRY);
    expect(read.countsOf("l", CREATED_US)).toEqual({ run: 6, counts });
    expect(read.countsOf("l", CREATED_US + 1)).toBeUndefined();
    expect(read.countedBy(6)).toEqual([{ link_id: "l", counts }]);
    expect(read.countedBy(5)).toEqual([]);
    expect(read.size).toBe(2);
  });

  test("forgets what is gone", () => {
    const left = whole.only(new Map([["l", CREATED_US]]));
    expect([left.size, left.countsOf("l", CREATED_US)?.run]).toEqual([1, 6]);
    expect(whole.only(new Map([["l", CREATED_US + 1]])).size).toBe(0);
  });

  test("is refused in another format", () => {
    expect(() => LabStates.decode(gzipSync("wirelab-states 2\n"))).toThrow("no states of a lab");
  });
});
