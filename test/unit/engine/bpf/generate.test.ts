/** Generated source contains only numbers and fixed pieces, never the user's text; some programs use the interpreter. */
import { readFileSync } from "node:fs";
import {
  FIRST_GENERATED_PACKET,
  generateSource,
  makeInPlacePredicate,
  makePredicate,
} from "@wirelab/engine/bpf/generate";
import { compileFilter, compileProgram, FilterSyntaxError, interpret } from "@wirelab/engine/bpf/index";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  ALU,
  type BpfProgram,
  DIV,
  IMM,
  JA,
  JEQ,
  JMP,
  K,
  LD,
  LEN,
  RET,
  X,
} from "../../../../packages/engine/bpf/instructions.ts";
import { expression } from "../../../helpers/bpf/arbitrary.ts";
import { ALL_EXPRESSIONS } from "../../../helpers/bpf/expressions.ts";
import { packetsOf } from "../../../helpers/bpf/frames.ts";

/** All words allowed in generated source, besides numbers; labels are L and a number. */
const WORDS = new Set([
  ...["use", "strict", "const", "let", "if", "else", "break", "return", "true", "false"],
  ...["function", "anonymous", "n", "p", "w", "a", "x", "i", "length", "Math", "imul"],
]);

function foreignWords(source: string): string[] {
  const words = source.match(/[A-Za-z_$][A-Za-z0-9_$]*/g) ?? [];
  return words.filter((word) => !WORDS.has(word) && !/^(L\d+|m\d+)$/.test(word));
}

describe("generated source", () => {
  it("contains only numbers, operators and its own few words", () => {
    const texts = [...ALL_EXPRESSIONS, ...fc.sample(expression, { numRuns: 300, seed: 1 })];
    for (const text of texts) {
      try {
        const source = compileFilter(text).toString();
        if (!source.includes("use strict")) continue;
        expect(foreignWords(source), text).toEqual([]);
        expect(source, text).toMatch(/^[A-Za-z0-9_"'\s.,;:=+\-*/%&|^<>!?()[\]{}]*$/);
      } catch (error) {
        if (!(error instanceof FilterSyntaxError)) throw error;
      }
    }
  });

  it("reads one field as short code: one check, one load, one comparison", () => {
    expect(generateSource(compileProgram("ip"))?.split("\n")).toEqual([
      '"use strict";const n=p.length;let a=0,x=0,i=0;',
      "if(n<14)return false;a=p[12]<<8|p[13];",
      "if(a===2048)return true;else return false;",
    ]);
  });

  it("checks a length once on each path", () => {
    const source = generateSource(compileProgram("ip host 10.0.0.1"));

    expect(source?.match(/n<\d+/g)).toEqual(["n<14", "n<30", "n<34"]);
  });

  it("treats a wire length and constants above 2^31 as unsigned", () => {
    const program: BpfProgram = [
      { code: LD | LEN, jt: 0, jf: 0, k: 0 },
      { code: ALU | DIV | K, jt: 0, jf: 0, k: 2 },
      { code: JMP | JEQ | K, jt: 0, jf: 1, k: 0x7fffffff },
      { code: RET | K, jt: 0, jf: 0, k: 1 },
      { code: RET | K, jt: 0, jf: 0, k: 0 },
    ];

    expect(makePredicate(program)(new Uint8Array(), 0xffffffff)).toBe(true);
  });

  it("rejects a division by X = 0", () => {
    const program: BpfProgram = [
      { code: LD | IMM, jt: 0, jf: 0, k: 5 },
      { code: ALU | DIV | X, jt: 0, jf: 0, k: 0 },
      { code: RET | K, jt: 0, jf: 0, k: 1 },
    ];

    expect(makePredicate(program)(new Uint8Array(), 0)).toBe(false);
  });

  it("is generated for ordinary filters; the interpreter runs loops and very long programs", () => {
    const isGenerated = (text: string): boolean => generateSource(compileProgram(text)) !== null;

    expect(isGenerated("tcp port 80 and host 10.0.0.1")).toBe(true);
    expect(isGenerated("geneve and tcp")).toBe(true);
    expect(isGenerated("ip protochain 6")).toBe(false);
    expect(isGenerated(Array.from({ length: 250 }, (_, i) => `port ${i}`).join(" or "))).toBe(true);
    expect(isGenerated(Array.from({ length: 250 }, (_, i) => `tcp[${i}] = 1`).join(" or "))).toBe(false);
  });

  it("is used at once for a small program, and for a large one from a later packet on", () => {
    const large = Array.from({ length: 250 }, (_, i) => `port ${i}`).join(" or ");
    const packets = packetsOf("DLT_EN10MB").slice(0, 2 * FIRST_GENERATED_PACKET);
    expect(packets.length).toBeGreaterThan(FIRST_GENERATED_PACKET);
    const interpreted = interpret(compileProgram(large));
    const made = vi.spyOn(globalThis, "Function");
    try {
      compileFilter("tcp");
      expect(made).toHaveBeenCalledTimes(1);

      const filter = compileFilter(large);
      const inPlace = makeInPlacePredicate(compileProgram(large));
      for (const [at, { bytes, wireLength }] of packets.entries()) {
        const expected = interpreted(bytes, wireLength);
        expect(filter(bytes, wireLength)).toBe(expected);
        expect(inPlace(bytes, 0, bytes.length, wireLength)).toBe(expected);
        expect(made).toHaveBeenCalledTimes(at + 1 < FIRST_GENERATED_PACKET ? 1 : 3);
      }
    } finally {
      made.mockRestore();
    }
  });

  it("resolves jumps that only extend a branch, and leaves them out", () => {
    const program = compileProgram(Array.from({ length: 300 }, (_, i) => `port ${i}`).join(" or "));
    const source = generateSource(program)!;

    expect(program.filter(({ code }) => code === (JMP | JA)).length).toBeGreaterThan(100);
    expect(source.match(/break/g)!.length).toBeLessThan(20);
  });
});

describe("the folder", () => {
  it("imports nothing from outside, no node: modules, and uses no clock and no randomness", () => {
    const files = [
      "index",
      "compile",
      "generate",
      "vm",
      "lexer",
      "parser",
      "lower/lower",
      "optimize/optimize",
    ];
    for (const file of files) {
      const path = new URL(`../../../../packages/engine/bpf/${file}.ts`, import.meta.url);
      const source = readFileSync(path, "utf8");
      const targets = [...source.matchAll(/from "([^"]+)"/g)].map(([, target]) => target!);

      expect(targets.filter((target) => !/^\.{1,2}\/.*\.ts$/.test(target))).toEqual([]);
      expect(source).not.toMatch(/\bDate\b|Math\.random|\bBuffer\b|\bprocess\b/);
    }
  });
});

describe("where a Content Security Policy forbids generated code", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("interprets a program", () => {
    let calls = 0;
    class Forbidden {
      constructor() {
        calls += 1;
        throw new EvalError("forbidden");
      }
    }
    vi.stubGlobal("Function", Forbidden);
    const program = compileProgram("ip");
    const [ip, arp] = [0x0800, 0x0806].map((type) => {
      const frame = new Uint8Array(60);
      frame.set([type >> 8, type & 0xff], 12);
      return frame;
    }) as [Uint8Array, Uint8Array];
    const predicate = makePredicate(program);
    expect([predicate(ip, 60), predicate(arp, 60)]).toEqual([true, false]);
    const inPlace = makeInPlacePredicate(program);
    expect([inPlace(ip, 0, 60, 60), inPlace(arp, 0, 60, 60)]).toEqual([true, false]);
    expect(calls).toBe(2);
  });
});
