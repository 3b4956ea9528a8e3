import { expect, test } from "vitest";
import { parseSwap, readMachine } from "../../../functions/statistics/machine.ts";

test("swap is read from the kernel's table, in bytes", () => {
  const meminfo =
    "MemTotal:        2031292 kB\nSwapCached:            0 kB\nSwapTotal:       2097148 kB\nSwapFree:        1048574 kB\n";
  expect(parseSwap(meminfo)).toEqual({ total: 2_097_148 * 1024, free: 1_048_574 * 1024 });
});

test("a machine without the table has no swap", () => {
  expect(parseSwap("")).toEqual({ total: 0, free: 0 });
});

test("percentages are whole numbers, and used memory is what is not free", async () => {
  const machine = await readMachine();
  for (const [name, value] of Object.entries(machine).filter(([name]) => name.endsWith("usage_percent"))) {
    expect(Number.isInteger(value), name).toBe(true);
    expect(value, name).toBeLessThanOrEqual(100);
  }
  expect(machine.memory_used).toBe(machine.memory_total - machine.memory_free);
});
