import { describe, expect, test } from "vitest";
import { HopLine } from "../../../../../../packages/engine/devices/pc/commands/hop-line.ts";

const from = (address: string, isTarget = false, refusal?: string) => ({ address, isTarget, refusal });

describe("A hop's line", () => {
  test("has the address of the first answer, and a time or a star for each probe", () => {
    const line = new HopLine(" 1   ");
    line.add(undefined, 0);
    line.add(from("10.0.0.254"), 240);
    line.add(from("10.0.0.253"), 53);
    expect(line.text).toBe(" 1   10.0.0.254   *  0.240 ms  0.053 ms");
    expect(line.isLast).toBe(false);
  });

  test("is the last when the target has answered", () => {
    const line = new HopLine(" 2 ");
    line.add(from("2001:db8::2", true), 1_000);
    expect([line.text, line.isLast]).toEqual([" 2 2001:db8::2   1.000 ms", true]);
  });

  test("shows a refusal once, in place of everything else", () => {
    const line = new HopLine(" 4   ");
    line.add(undefined, 0);
    line.add(from("8.8.8.8", false, "(ICMP type:3, code:3, one)"), 37);
    line.add(from("9.9.9.9", false, "(ICMP type:3, code:1, other)"), 40);
    expect(line.text).toBe(" 4   *8.8.8.8   0.037 ms (ICMP type:3, code:3, one)");
    expect(line.isLast).toBe(true);
  });
});
