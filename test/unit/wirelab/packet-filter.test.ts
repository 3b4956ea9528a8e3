import type { RecordTest } from "@wirelab/engine/pcap/record-sieve";
import { describe, expect, test } from "vitest";
import { ExpressionError } from "../../../packages/wirelab/failure.ts";
import { compileExpression, compileRecordTest } from "../../../packages/wirelab/packet-filter.ts";
import { ALL_EXPRESSIONS } from "../../helpers/bpf/expressions.ts";
import { packetsOf } from "../../helpers/bpf/frames.ts";
import { LARGE_EXPRESSIONS } from "../../helpers/bpf/large-expressions.ts";

const ETHERNET = { linkType: 1, snaplen: 0, littleEndian: true };
const packets = packetsOf("DLT_EN10MB");

/** The packets, stored contiguously: a read past the end of one returns bytes of the next. */
const placed = (() => {
  const buffer = new Uint8Array(packets.reduce((size, { bytes }) => size + bytes.length, 7));
  let end = 7;
  const spans = packets.map(({ bytes, wireLength }) => {
    const start = end;
    end += bytes.length;
    buffer.set(bytes, start);
    return { start, end, wireLength };
  });
  return { buffer, spans };
})();

function verdictsInPlace(passes: RecordTest): boolean[] {
  return placed.spans.map(({ start, end, wireLength }) => passes(placed.buffer, start, end, wireLength));
}

/** The verdicts of both forms; null for a rejected expression. */
function compare(expression: string): { alone: boolean[]; inPlace: boolean[] } | null {
  try {
    const matches = compileExpression(expression, ETHERNET);
    const inPlace = verdictsInPlace(compileRecordTest(expression, ETHERNET));
    return { alone: packets.map(({ bytes, wireLength }) => matches(bytes, wireLength)), inPlace };
  } catch (error) {
    expect(error).toBeInstanceOf(ExpressionError);
    return null;
  }
}

describe("a test of packets in place", () => {
  test("returns the same verdict as the predicate of a separate packet", () => {
    // Compares a third of the expressions, of all kinds: the whole list takes as long as all other tests of this file.
    const compared = ALL_EXPRESSIONS.filter((_, index) => index % 3 === 0).map((expression) => {
      const verdicts = compare(expression);
      expect(verdicts?.inPlace, expression).toEqual(verdicts?.alone);
      return verdicts;
    });
    expect(compared.filter((verdicts) => verdicts !== null).length).toBeGreaterThan(100);
  });

  test("agrees also for interpreted programs: too large, or with loops", () => {
    for (const expression of [...Object.values(LARGE_EXPRESSIONS).slice(0, 1), "ip protochain 6"]) {
      const verdicts = compare(expression);
      expect(verdicts?.inPlace, expression.slice(0, 40)).toEqual(verdicts?.alone);
    }
  });
});
