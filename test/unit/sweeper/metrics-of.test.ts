import { afterEach, expect, test, vi } from "vitest";

const load = async (value: string) => {
  vi.stubEnv("SWEEPS_METRIC", value);
  vi.resetModules();
  return (await import("../../../functions/sweeper/metrics-of.ts")).metricsOf;
};

afterEach(() => {
  vi.unstubAllEnvs();
});

test("runs of the sweeper are a metric only where an alarm or the dashboard reads it", async () => {
  const counts = { Sweeps: 1, SweptObjects: 2 };
  expect((await load("true"))(counts)).toEqual(counts);
  expect((await load(""))(counts)).toEqual({ SweptObjects: 2 });
});
