/** The settings of a stack: what is given, the defaults, and what is refused. */
import { expect, test } from "vitest";
import { Settings } from "../../../infra/chosen-settings.ts";

test("the pace of consoles is set; without it, the function's default holds", () => {
  const read = (given: Record<string, unknown>) => new Settings(given).variables(["console_pace"]);
  expect([read({}), read({ console_pace: "" }), read({ console_pace: undefined })]).toEqual([{}, {}, {}]);
  expect(read({ console_pace: "real" })).toEqual({ CONSOLE_PACE: "real" });
});

test("values are the same as text and as JSON; without one, the default holds", () => {
  const read = (given: Record<string, unknown>) => {
    const settings = new Settings(given);
    return [
      settings.get("waf"),
      settings.get("waf_rate"),
      settings.get("stack_name"),
      settings.given("stack_name"),
      settings.given("waf"),
    ];
  };
  expect(read({})).toEqual([false, 3000, "Wirelab", undefined, undefined]);
  expect(read({ waf: "true", waf_rate: "10", stack_name: "Lab" })).toEqual([true, 10, "Lab", "Lab", true]);
  expect(read({ waf: true, waf_rate: 10, stack_name: "Lab" })).toEqual([true, 10, "Lab", "Lab", true]);
});

test("a setting without a default has no value until it is given", () => {
  expect(new Settings().get("alarm_email")).toBeUndefined();
  expect(new Settings({ concurrency_runs: 5 }).get("concurrency_runs")).toBe(5);
  expect(new Settings().get("concurrency_runs")).toBeUndefined();
});

test.each([
  ["restore_days", 36, "a whole number from 1 to 35"],
  ["restore_days", 0, "a whole number from 1 to 35"],
  ["waf_rate", 9, "a whole number from 10 up"],
  ["throttle_rate", "0.5", "a number from 1 up"],
  ["quota_followed_events", "0", "a whole number from 1 up"],
  ["quota_nodes", "1.5", "a whole number from 0 up"],
  ["run_max_cpu_seconds", "23", "a number above 0 and below 23"],
  ["abandoned_capture_days", 0, "a number above 0"],
  ["concurrency_runs", -1, "a whole number from 0 up"],
  ["tracing", "yes", "true or false"],
  ["console_pace", "fast", "once or real"],
  ["auth", "Basic", "basic, iam, jwt or none"],
] as const)("%s=%s is refused: it must be %s", (key, value, allowed) => {
  expect(() => new Settings({ [key]: value })).toThrow(
    `The context key ${key} is ${value}; it must be ${allowed}`,
  );
});
