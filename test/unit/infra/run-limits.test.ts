/** The limits of a run in the context: the functions' settings, and invalid values. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { RESERVE_MS } from "../../../functions/shared/edge/figures.ts";
import { labLimits } from "../../../functions/shared/run/limits.ts";
import { ACCESS } from "../../../infra/access.ts";
import { Settings } from "../../../infra/chosen-settings.ts";
import { CPU_SECONDS_BELOW, RUN_KEYS } from "../../../infra/settings.ts";

const read = (context: Record<string, unknown>) => new Settings(context).variables(RUN_KEYS);

afterEach(() => vi.unstubAllEnvs());

test("the functions read the context's limits", () => {
  expect([read({}), read({ run_max_events: "" })]).toEqual([{}, {}]);
  const given = read({ run_max_cpu_seconds: "22.5", run_max_events: 7 });
  expect(given).toEqual({ RUN_MAX_CPU_SECONDS: "22.5", RUN_MAX_EVENTS: "7" });
  for (const [name, value] of Object.entries(given)) vi.stubEnv(name, value);
  expect(labLimits()).toMatchObject({ cpuSeconds: 22.5, events: 7, packets: 1_000_000 });
});

describe("seconds of computing", () => {
  test("end before the function does, minus its reserve for the commit", () => {
    expect(CPU_SECONDS_BELOW * 1000).toBe(ACCESS.runs!.timeoutSeconds * 1000 - RESERVE_MS);
    expect(ACCESS.projects!.timeoutSeconds).toBeGreaterThan(ACCESS.runs!.timeoutSeconds);
    expect(labLimits().cpuSeconds).toBeLessThan(CPU_SECONDS_BELOW);
  });

  test.each([23, "23", 29, 1000, "1e999"])("may not be %j", (run_max_cpu_seconds) => {
    expect(() => read({ run_max_cpu_seconds })).toThrow(
      `The context key run_max_cpu_seconds is ${run_max_cpu_seconds}; it must be a number above 0 and below 23`,
    );
  });
});

test.each([0, "-1", "many", Number.NaN, "1e999"])("no limit may be %j", (value) => {
  for (const key of ["run_max_events", "run_max_lab_seconds", "run_max_cpu_seconds"])
    expect(() => read({ [key]: value })).toThrow(
      `The context key ${key} is ${value}; it must be a number above 0`,
    );
});
