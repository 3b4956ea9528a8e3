import { expect, test } from "vitest";
import { contextFrom, endingOf, VARIABLES } from "../../../../infra/local/usage.ts";

test("without arguments, the service starts", () => expect(endingOf([])).toBeUndefined());

test.each(["--help", "-h"])("%s prints every variable on a line, in plain text", (argument) => {
  const { code, text } = endingOf([argument])!;
  expect(code).toBe(0);
  const lines = text.split("\n").filter((line) => line.startsWith("  "));
  expect(lines.map((line) => line.trim().split(" ")[0])).toEqual(Object.keys(VARIABLES));
  expect(lines[0]).toMatch(/^ {2}PORT +where it listens; 0 is any free port \(default: 3080\)$/);
  expect(lines.join()).not.toMatch(/`|\]\(/);
});

test("an unknown argument is named, also beside --help", () => {
  for (const args of [["--port=1"], ["--help", "--port=1"]]) {
    expect(endingOf(args)).toEqual({
      code: 2,
      text: 'npm start has no argument "--port=1"; npm start -- --help prints its environment variables.',
    });
  }
});

test("variables that are set to a text become the context of the stack", () => {
  expect(contextFrom({ WIRELAB_CORS_ORIGINS: "", PORT: "1" })).toEqual({});
  expect(contextFrom({ WIRELAB_CONSOLE_PACE: "real", WIRELAB_INTERFACE_VERSION: "2.2.54" })).toEqual({
    console_pace: "real",
    interface_version: "2.2.54",
  });
});
