import { CompilerChoice } from "@wirelab/linux/machine/compiler-choice";
import { expect, test } from "vitest";

const TICK_NS = 7_000;
const SLICE_NS = 1_000_000;

function after(slices: number, ranNs: number, waits: boolean, choice = new CompilerChoice()): CompilerChoice {
  for (let slice = 0; slice < slices; slice++) choice.changes(ranNs, waits);
  return choice;
}

test("compiles a long computation until the guest waits", () => {
  const choice = after(99, SLICE_NS, false);
  expect(choice.isOn).toBe(false);
  expect(choice.changes(SLICE_NS, false)).toBe(true);
  expect(choice.isOn).toBe(true);
  expect(choice.changes(SLICE_NS, false)).toBe(false);
  expect(choice.changes(SLICE_NS / 2, true)).toBe(true);
  expect(choice.isOn).toBe(false);
});

test("compiles the kernel's tick after 30 s of waiting, and nothing that comes between", () => {
  expect(after(7_499, TICK_NS, true).isOn).toBe(false);
  const choice = after(7_500, TICK_NS, true);
  expect(choice.isOn).toBe(true);
  choice.changes(SLICE_NS / 2, true);
  expect(choice.isOn).toBe(false);
  expect(after(9, TICK_NS, true, choice).isOn).toBe(false);
  expect(after(1, TICK_NS, true, choice).isOn).toBe(true);
});

test("never compiles what a guest does between short waits", () => {
  expect(after(20_000, SLICE_NS / 2, true).isOn).toBe(false);
});
