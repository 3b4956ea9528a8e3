/** Large and deep expressions are compiled in time or rejected, without a stack overflow. */
import {
  type BpfProgram,
  compileFilter,
  compileProgram,
  FilterSyntaxError,
  interpret,
} from "@wirelab/engine/bpf/index";
import { describe, expect, it } from "vitest";
import { packetsOf } from "../../../helpers/bpf/frames.ts";
import { LARGE_EXPRESSIONS } from "../../../helpers/bpf/large-expressions.ts";

/** The first compilation of a process takes about 0.2 ms per thousand instructions, plus the time for the text. */
const MAX_INSTRUCTIONS = 160_000;

/** Returns an empty program for an expression that is rejected because it can match no packet. */
function programOrNone(expression: string, optimize: boolean): BpfProgram {
  try {
    return compileProgram(expression, "DLT_EN10MB", { optimize });
  } catch (error) {
    expect(error).toMatchObject({ code: "bpf.rejects-all" });
    return [];
  }
}

describe("an expression of 4 KB", () => {
  it.each(Object.entries(LARGE_EXPRESSIONS))(
    `compiles to a program of at most ${MAX_INSTRUCTIONS} instructions, which bounds the time of every stage: %s`,
    (_name, expression) => {
      for (const optimize of [true, false]) {
        const program = programOrNone(expression, optimize);
        expect(program.length).toBeLessThanOrEqual(MAX_INSTRUCTIONS);
      }
    },
  );

  it("gives the same verdict whether the optimiser finished or not, for whole frames", () => {
    const frames = packetsOf("DLT_EN10MB").filter(({ bytes, wireLength }) => bytes.length === wireLength);
    for (const name of ["ports", "hosts", "negated ports", "port ranges"]) {
      const expression = LARGE_EXPRESSIONS[name]!;
      const filter = compileFilter(expression);
      const plain = interpret(compileProgram(expression, "DLT_EN10MB", { optimize: false }));
      const differing = frames.filter(
        ({ bytes, wireLength }) => filter(bytes, wireLength) !== plain(bytes, wireLength),
      );
      expect(differing, name).toEqual([]);
    }
  });
});

describe("a deep expression", () => {
  const deep = (open: string, inner: string, close: string, levels: number): string =>
    open.repeat(levels) + inner + close.repeat(levels);

  it.each([
    ["parentheses", (levels: number) => deep("(", "ip", ")", levels)],
    ["negations", (levels: number) => deep("not ", "ip", "", levels)],
    [
      "minus signs",
      (levels: number) => `${deep("-", "1", "", levels)} = ${levels % 2 === 0 ? "1" : "0xffffffff"}`,
    ],
    ["brackets", (levels: number) => `${deep("ip[", "0", "] & 0", levels)} = 0`],
    ["arithmetic groups", (levels: number) => `${deep("(0+", "1", ")", Math.min(levels, 15))} = 1`],
    [
      "remainders",
      (levels: number) => `${Array.from({ length: Math.min(levels, 15) }, (_, i) => i + 1).join(" % ")} = 1`,
    ],
  ])("of %s is compiled up to the limit", (_name, make) => {
    expect(() => compileFilter(make(100))).not.toThrow();
  });

  it.each([
    ["parentheses", deep("(", "ip", ")", 20_000)],
    ["negations", deep("not ", "ip", "", 15_000)],
    ["signs", deep("! ", "ip", "", 30_000)],
    ["minus signs", `${deep("-", "1", "", 60_000)} = 1`],
    ["brackets", `${deep("ip[", "0", "]", 10_000)} = 0`],
    ["remainders", `${"5%".repeat(30_000)}7 = 5`],
    ["open parentheses", "(".repeat(60_000)],
  ])("of %s past the limit is rejected without a stack overflow", (_name, expression) => {
    expect(() => compileFilter(expression)).toThrow(FilterSyntaxError);
  });

  it("may be arbitrarily long without nesting", () => {
    expect(compileFilter(`${"1+".repeat(30_000)}1 = 30001`)(new Uint8Array(), 0)).toBe(true);
    expect(compileFilter(`${"ip or ".repeat(10_000)}ip`)(new Uint8Array(64), 64)).toBe(false);
  });
});
