import { expect, test } from "vitest";
import { CompilerChoice } from "../../../packages/linux/machine/compiler-choice.ts";

test("compiles a long computation until the guest waits", () => {
  const choice = new CompilerChoice();
  for (let slice = 0; slice < 99; slice++) expect(choice.changes(false)).toBe(false);
  expect(choice.isOn).toBe(false);
  expect(choice.changes(false)).toBe(true);
  expect(choice.isOn).toBe(true);
  expect(choice.changes(false)).toBe(false);
  expect(choice.changes(true)).toBe(true);
  expect(choice.isOn).toBe(false);
});

test("never compiles what a guest does between waits", () => {
  const choice = new CompilerChoice();
  for (let slice = 0; slice < 20_000; slice++) expect(choice.changes(slice % 100 === 99)).toBe(false);
});
