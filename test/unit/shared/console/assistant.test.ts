import { expect, test } from "vitest";
import { splitForAssistant } from "../../../../functions/shared/console/assistant.ts";

const parts = (text: string): string[] =>
  splitForAssistant(text).map(({ text: part, isAssisted }) => (isAssisted ? `ask ${part}` : part));

test.each([
  ["", []],
  ["show", ["show"]],
  ["a\rb\rc", ["a\rb\rc"]],
  ["show ?", ["ask show ?"]],
  ["sh\tru\t", ["ask sh\tru\t"]],
  ["a\rb\rc?", ["a\rb\r", "ask c?"]],
  ["a?b\rc\rd", ["ask a?b\r", "c\rd"]],
  ["a?\rb?\nc\x03d\t", ["ask a?\r", "ask b?\n", "c\x03", "ask d\t"]],
])("%j is typed in the parts %j", (text, expected) => {
  expect(parts(text)).toEqual(expected);
  expect(
    splitForAssistant(text)
      .map((part) => part.text)
      .join(""),
  ).toBe(text);
});
