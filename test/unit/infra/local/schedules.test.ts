import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LambdaPool } from "../../../../infra/local/lambda-pool.ts";
import { startSchedules } from "../../../../infra/local/schedules.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function makePool(invoke = vi.fn(() => Promise.resolve())) {
  return { pool: { invoke } as unknown as LambdaPool, invoke };
}

const HOUR_MS = 3_600_000;

describe("schedules", () => {
  it("call a function soon after the start, then at its rate, even if it fails", () => {
    const { pool, invoke } = makePool(vi.fn(() => Promise.reject(new Error("it failed"))));
    const stop = startSchedules([{ functionId: "Sweep", everyMs: HOUR_MS }], pool, 1000);

    vi.advanceTimersByTime(999);
    expect(invoke).toHaveBeenCalledTimes(0);
    vi.advanceTimersByTime(1);
    expect(invoke).toHaveBeenCalledTimes(1);
    expect(invoke).toHaveBeenCalledWith("Sweep", expect.any(String), expect.any(String));
    vi.advanceTimersByTime(2 * HOUR_MS);
    expect(invoke).toHaveBeenCalledTimes(3);
    stop();
  });

  it("call no function after they are stopped", () => {
    const { pool, invoke } = makePool();
    const stop = startSchedules([{ functionId: "Sweep", everyMs: HOUR_MS }], pool, 1000);
    vi.advanceTimersByTime(1000);
    stop();
    vi.advanceTimersByTime(10 * HOUR_MS);
    expect(invoke).toHaveBeenCalledTimes(1);
  });
});
