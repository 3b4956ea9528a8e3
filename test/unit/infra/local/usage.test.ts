import { expect, test } from "vitest";
import { contextFrom } from "../../../../infra/local/usage.ts";

test("variables that are set to a text become the context of the stack", () => {
  expect(contextFrom({ WIRELAB_CORS_ORIGINS: "", PORT: "1" })).toEqual({});
  expect(contextFrom({ WIRELAB_CONSOLE_PACE: "real", WIRELAB_INTERFACE_VERSION: "2.2.54" })).toEqual({
    console_pace: "real",
    interface_version: "2.2.54",
  });
});
