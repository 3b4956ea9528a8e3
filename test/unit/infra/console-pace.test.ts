import { App } from "aws-cdk-lib";
import { expect, test } from "vitest";
import { consolePace } from "../../../infra/console-pace.ts";

const read = (context: Record<string, unknown>) => consolePace(new App({ context }).node);

test("the context sets the pace of consoles; without it, the function's default holds", () => {
  expect(read({})).toEqual({});
  expect(read({ console_pace: "real" })).toEqual({ CONSOLE_PACE: "real" });
  expect(() => read({ console_pace: "fast" })).toThrow(
    "The context key console_pace is fast; it must be once or real",
  );
});
