import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DONE, StreamPositions } from "../../../../infra/local/stream-positions.ts";

let folder: string;
let file: string;
beforeEach(() => {
  vi.useFakeTimers();
  folder = mkdtempSync(join(tmpdir(), "wirelab-positions-"));
  file = join(folder, "streams.json");
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

const stored = (): object => JSON.parse(readFileSync(file, "utf8"));

test("positions are stored once a second, however many batches there are", () => {
  const positions = new StreamPositions(file);
  for (let batch = 1; batch <= 100; batch++) positions.set("a", String(batch));
  expect(existsSync(file)).toBe(false);
  vi.advanceTimersByTime(1_000);
  expect(stored()).toEqual({ a: "100" });
  positions.set("a", "101");
  positions.set("b", DONE);
  expect(stored()).toEqual({ a: "100" });
  positions.store();
  expect(stored()).toEqual({ a: "101", b: DONE });
  expect(vi.getTimerCount()).toBe(0);
});

test("positions are read again; without a file, or with a damaged one, there are none", () => {
  expect(new StreamPositions(file).get("a")).toBeUndefined();
  writeFileSync(file, "");
  expect(new StreamPositions(file).get("a")).toBeUndefined();
  writeFileSync(file, '{"a":"7"}');
  expect(new StreamPositions(file).get("a")).toBe("7");
});

test("without a file nothing is written", () => {
  const positions = new StreamPositions(undefined);
  positions.set("a", "1");
  positions.store();
  expect([positions.get("a"), existsSync(file)]).toEqual(["1", false]);
});

test("the lowest position is that of the slowest reader, and unknown while one has none", () => {
  const positions = new StreamPositions(undefined);
  positions.set("a", "10");
  expect(positions.lowest(["a", "b"])).toBeUndefined();
  positions.set("b", "9");
  positions.set("c", DONE);
  expect(positions.lowest(["a", "b", "c"])).toBe("9");
});
