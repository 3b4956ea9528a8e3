/** Random expressions: the compiler agrees with tcpdump, throws only one error type, and its two back ends agree. */

import {
  compileFilter,
  compileProgram,
  explain,
  FilterSyntaxError,
  interpret,
  type LinkType,
} from "@wirelab/engine/bpf/index";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expression, wordSoup } from "../../../helpers/bpf/arbitrary.ts";
import { hasOracle, OracleCapture, oracleNote, ourProgram } from "../../../helpers/bpf/oracle.ts";
import { LINKTYPES } from "../../../helpers/bpf/pcap.ts";
import { THINNING } from "../../../helpers/bpf/proved.ts";

/** Expressions per link type and generator; ORACLE_RUNS=20000 takes hours. */
const RUNS = Number(process.env.ORACLE_RUNS ?? 250 / THINNING);
const OTHER_LINK_SHARE = 0.2;

const linkTypes = Object.keys(LINKTYPES) as LinkType[];

describe.skipIf(!hasOracle)(`random expressions and tcpdump${oracleNote}`, () => {
  // Draws expressions in bulk: starting tcpdump once per expression would take longer than the comparison.
  it.each([
    ["expressions of the grammar", expression],
    ["words in any order", wordSoup],
  ])("%s compile to tcpdump's program, or are rejected by both", { timeout: 600_000 }, (_name, arbitrary) => {
    for (const linkType of linkTypes) {
      const count = linkType === "DLT_EN10MB" ? RUNS : Math.ceil(RUNS * OTHER_LINK_SHARE);
      const seed = Math.floor(Math.random() * 0x7fffffff);
      const expressions = fc.sample(arbitrary, { numRuns: Math.ceil(count), seed });
      const capture = new OracleCapture(linkType, []);

      const theirs = capture.programs(expressions);
      capture.remove();

      const differing = expressions.filter((text, i) => ourProgram(text, linkType) !== theirs[i]);
      expect(differing, `${linkType}, seed ${seed}`).toEqual([]);
    }
  });
});

/** Arbitrary text, and near misses: real expressions with characters inserted, removed or doubled. */
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ maxLength: 200 }),
  wordSoup,
  fc
    .tuple(expression, fc.nat(), fc.string({ unit: "binary", maxLength: 3 }), fc.nat(3))
    .map(([text, at, extra, cut]) => {
      const place = text.length === 0 ? 0 : at % text.length;
      return text.slice(0, place) + extra + text.slice(place + cut);
    }),
);

const packet = fc.uint8Array({ maxLength: 120 });

describe("the filter compiler, for any text", () => {
  it("throws nothing but FilterSyntaxError, with a position inside the text", () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(...linkTypes), (text, linkType) => {
        try {
          compileFilter(text, linkType)(new Uint8Array(40), 40);
          explain(text, linkType);
        } catch (error) {
          expect(error).toBeInstanceOf(FilterSyntaxError);
          const { line, column } = error as FilterSyntaxError;
          const lines = text.split(/\r\n|\n|\r/);
          expect(line).toBeGreaterThan(0);
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeGreaterThan(0);
          expect(column).toBeLessThanOrEqual(lines[line - 1]!.length + 1);
        }
      }),
      {
        numRuns: 2000 / THINNING,
        examples: [
          ["", "DLT_EN10MB"],
          ["\0", "DLT_EN10MB"],
          ["tcp\\", "DLT_EN10MB"],
          ["1 = - 2147483648", "DLT_EN10MB"],
        ],
      },
    );
  });
});

describe("the generated predicate, for any expression and packet", () => {
  it("agrees with the interpreter, and does not change the packet", () => {
    fc.assert(
      fc.property(
        expression,
        fc.array(packet, { minLength: 5, maxLength: 20 }),
        fc.nat(2000),
        (text, packets, extra) => {
          let predicate: ReturnType<typeof compileFilter>;
          try {
            predicate = compileFilter(text);
          } catch {
            return;
          }
          const machine = interpret(compileProgram(text));
          for (const bytes of packets) {
            const before = bytes.slice();
            expect(predicate(bytes, bytes.length + extra)).toBe(machine(bytes, bytes.length + extra));
            expect(bytes).toEqual(before);
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it("gives the same verdict with and without the optimiser, for whole packets", () => {
    fc.assert(
      fc.property(expression, fc.uint8Array({ minLength: 4000, maxLength: 4000 }), (text, bytes) => {
        let optimised: ReturnType<typeof interpret>;
        try {
          optimised = interpret(compileProgram(text));
        } catch {
          return;
        }
        // Excludes arithmetic: it can load past the end and divide by zero. As in libpcap, `byte N & VALUE` and `byte N | VALUE` load no byte, and
        // the optimiser does not know what A has at the start.
        fc.pre(!/[[/%]|\bbyte\s+\S+\s*[&|]/.test(text));
        const plain = interpret(compileProgram(text, "DLT_EN10MB", { optimize: false }));
        expect(optimised(bytes, bytes.length)).toBe(plain(bytes, bytes.length));
      }),
      { numRuns: 300 },
    );
  });
});
