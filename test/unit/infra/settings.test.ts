/** The readers of the settings check the values of the context. */
import { App } from "aws-cdk-lib";
import { expect, test } from "vitest";
import { givenText, readFigure, readFlag, readText, variablesFor } from "../../../infra/settings.ts";

const contextOf = (context: Record<string, unknown>) => new App({ context }).node;

test("the context sets the pace of consoles; without it, the function's default holds", () => {
  const read = (context: Record<string, unknown>) => variablesFor(contextOf(context), ["console_pace"]);
  expect([read({}), read({ console_pace: "" })]).toEqual([{}, {}]);
  expect(read({ console_pace: "real" })).toEqual({ CONSOLE_PACE: "real" });
  expect(() => read({ console_pace: "fast" })).toThrow(
    "The context key console_pace is fast; it must be once or real",
  );
});

test("values are the same as text and as JSON; without one, the default holds", () => {
  const [none, text, json] = [
    {},
    { waf: "true", waf_rate: "10", stack_name: "Lab" },
    { waf: true, waf_rate: 10, stack_name: "Lab" },
  ].map(contextOf);
  const read = (node: typeof none) => [
    readFlag(node!, "waf"),
    readFigure(node!, "waf_rate"),
    readText(node!, "stack_name"),
    givenText(node!, "stack_name"),
  ];
  expect(read(none)).toEqual([false, 3000, "Wirelab", undefined]);
  expect(read(text)).toEqual([true, 10, "Lab", "Lab"]);
  expect(read(json)).toEqual(read(text));
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
  ["auth", "Basic", "basic, iam, jwt or none"],
] as const)("%s=%s is refused: it must be %s", (key, value, allowed) => {
  expect(() => givenText(contextOf({ [key]: value }), key)).toThrow(
    `The context key ${key} is ${value}; it must be ${allowed}`,
  );
});
