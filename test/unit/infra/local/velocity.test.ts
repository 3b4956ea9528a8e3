import { expect, test } from "vitest";
import { renderTemplate } from "../../../../infra/local/velocity.ts";

const render = (lines: string[], headers: Record<string, string> = {}) =>
  renderTemplate(lines.join("\n"), { requestId: "r-1" }, (name) => headers[name] ?? "");

const CHOICE = [
  '#set($origin = $input.params("Origin"))',
  '#if($origin == "https://a.example" || $origin == "https://b.example")',
  "#set($context.responseOverride.header.Allowed = $origin)",
  "yes $context.requestId",
  "#end",
  "always",
];

test.each(["https://a.example", "https://b.example"])("a condition holds for %s", (Origin) => {
  expect(render(CHOICE, { Origin })).toEqual({ body: "yes r-1\nalways", headers: { Allowed: Origin } });
});

test.each(["", "https://a.example.evil", "https://A.example"])("it does not hold for %j", (Origin) => {
  expect(render(CHOICE, { Origin })).toEqual({ body: "always", headers: {} });
});

test("a condition within one that does not hold is not evaluated", () => {
  const lines = ['#set($a = "x")', '#if($a == "y")', '#if($undefined == "z")', "no", "#end", "no", "#end"];
  expect(render(lines)).toEqual({ body: "", headers: {} });
});

test("text without directives is rendered with the values of the context", () => {
  expect(render(['{"id":"$context.requestId"}']).body).toBe('{"id":"r-1"}');
});

test.each([
  ["#foreach($x in $y)"],
  ["#set($a = $util.escapeJavaScript($b))"],
  ['#if($never == "set")', "#end"],
])("%s does not run locally", (...lines) => {
  expect(() => render(lines)).toThrow("which does not run locally");
});
