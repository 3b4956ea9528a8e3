import { compileProgram } from "@wirelab/engine/bpf/index";
import { describe, expect, it } from "vitest";
import { ProgramWriter, pack, unpack } from "../../../../packages/engine/bpf/packed-program.ts";

describe("a packed program", () => {
  it.each([
    ["a short one", "tcp port 80"],
    ["one with a jump back, whose constant is above 2^31", "ip protochain 6"],
    ["one of thousands of instructions", Array.from({ length: 900 }, (_, i) => `port ${i}`).join(" or ")],
  ])("unpacks to what was packed: %s", (_name, expression) => {
    const program = compileProgram(expression);
    const packed = pack(program);
    expect(packed.length).toBe(program.length);
    expect(unpack(packed)).toEqual(program);
  });

  it("is written from its end, at any length", () => {
    const writer = new ProgramWriter();
    for (let k = 0; k < 10_000; k += 1) writer.prepend(0x06, 1, 2, k);
    const { length, codes, jumpsTrue, jumpsFalse, constants } = writer.finish();
    expect([length, codes.length, constants.length]).toEqual([10_000, 10_000, 10_000]);
    expect(Array.from(constants)).toEqual(Array.from({ length: 10_000 }, (_, i) => 9_999 - i));
    for (const [column, value] of [[codes, 0x06] as const, [jumpsTrue, 1] as const, [jumpsFalse, 2] as const])
      expect(column.every((entry) => entry === value)).toBe(true);
  });
});
