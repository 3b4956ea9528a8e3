/** Compares the compiler with tcpdump: equal programs, equal packets, equal rejections. */

import {
  compileFilter,
  compileProgram,
  FilterSyntaxError,
  interpret,
  type LinkType,
  type PacketPredicate,
} from "@wirelab/engine/bpf/index";
import { DATA_LINK_TYPES } from "@wirelab/engine/pcap/index";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ALL_EXPRESSIONS, COMMON_EXPRESSIONS } from "../../../helpers/bpf/expressions.ts";
import { packetsOf } from "../../../helpers/bpf/frames.ts";
import { hasOracle, OracleCapture, oracleNote, ourProgram, REFUSED } from "../../../helpers/bpf/oracle.ts";
import { type CapturedPacket, decodePcap, LINKTYPES } from "../../../helpers/bpf/pcap.ts";
import { realCaptures } from "../../../helpers/engine/programs.ts";

/** If `geneve` was not found, libpcap reads scratch memory that was never written; its result is undefined. */
const READS_UNWRITTEN_MEMORY = new Set(["not geneve and ip"]);

const EXPRESSIONS = ALL_EXPRESSIONS.filter((expression) => !READS_UNWRITTEN_MEMORY.has(expression));

/** ORACLE=full compares everything, which takes minutes; otherwise each file and link type gets a share. */
const isFull = process.env.ORACLE === "full";

const everyNth = (n: number, offset = 0): readonly string[] =>
  isFull ? EXPRESSIONS : EXPRESSIONS.filter((_, i) => i % n === offset);

/** The factor by which a link type gets fewer expressions than Ethernet: larger for link types that labs rarely use. */
const spread = (linkType: LinkType): number =>
  linkType === "DLT_EN10MB" ? 1 : DATA_LINK_TYPES.some(({ name }) => name === linkType) ? 4 : 16;
const COOKED = COMMON_EXPRESSIONS["words of cooked captures"]!;
const shareOf = (linkType: LinkType, offset: number): readonly string[] => {
  const n = spread(linkType);
  const share = everyNth(n, offset % n);
  return linkType.startsWith("DLT_LINUX") ? [...new Set([...share, ...COOKED])] : share;
};

/** Returns the indexes of the packets that a predicate matches, joined by commas. */
function kept(packets: readonly CapturedPacket[], predicate: PacketPredicate): string {
  return [...packets.keys()].filter((i) => predicate(packets[i]!.bytes, packets[i]!.wireLength)).join();
}

/** Returns the packets that the generated code matches, after checking that the interpreter agrees. */
function ourMatches(expression: string, linkType: LinkType, packets: readonly CapturedPacket[]): string {
  try {
    const matches = kept(packets, compileFilter(expression, linkType));
    expect(kept(packets, interpret(compileProgram(expression, linkType))), `interpreter: ${expression}`).toBe(
      matches,
    );
    return matches;
  } catch (error) {
    if (error instanceof FilterSyntaxError) return REFUSED;
    throw error;
  }
}

/** Returns the expressions for which the two lists differ. */
function differing(
  expressions: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): string[] {
  return expressions.filter((_, i) => ours[i] !== theirs[i]);
}

it("has at least 400 expressions, and the tables do not repeat themselves", () => {
  const all = Object.values(COMMON_EXPRESSIONS).flat();
  const repeated = all.filter((expression, i) => all.indexOf(expression) !== i);

  expect(all.length).toBeGreaterThan(900);
  expect(repeated).toEqual([]);
});

describe.skipIf(!hasOracle)(`the filter compiler and tcpdump${oracleNote}`, () => {
  describe.each(Object.keys(LINKTYPES) as LinkType[])("on %s", (linkType) => {
    const packets = packetsOf(linkType);
    let capture: OracleCapture;
    beforeAll(() => {
      capture = new OracleCapture(linkType, packets);
    });
    afterAll(() => capture.remove());

    it("compile every expression to the same optimised program, or both reject it", {
      timeout: isFull ? 600_000 : 60_000,
    }, () => {
      const expressions = shareOf(linkType, 0);

      const ours = expressions.map((expression) => ourProgram(expression, linkType));

      expect(differing(expressions, ours, capture.programs(expressions))).toEqual([]);
    });

    it("compile to the same program without optimising", { timeout: isFull ? 600_000 : 60_000 }, () => {
      const expressions = everyNth(5 * spread(linkType), 1);

      const ours = expressions.map((expression) => ourProgram(expression, linkType, true));

      expect(differing(expressions, ours, capture.programs(expressions, true))).toEqual([]);
    });

    it("keep the same packets, whole and truncated", { timeout: isFull ? 600_000 : 60_000 }, () => {
      const expressions = shareOf(linkType, 2);

      const ours = expressions.map((expression) => ourMatches(expression, linkType, packets));

      expect(differing(expressions, ours, capture.matches(expressions))).toEqual([]);
    });
  });

  describe("on captures of real traffic", () => {
    const files = realCaptures();
    const linkTypes = Object.entries(LINKTYPES) as [LinkType, number][];

    it.skipIf(files.length > 0)("(skipped: WIRELAB_CAPTURES names no folder with captures)", () => {});

    it.each(files)("keep the same packets of $name", { timeout: isFull ? 600_000 : 60_000 }, (file) => {
      const { linktype, packets } = decodePcap(Buffer.from(file.bytes))!;
      const linkType = linkTypes.find(([, number]) => number === linktype)?.[0];
      if (linkType === undefined) return;
      const capture = new OracleCapture(linkType, packets);
      const expressions = everyNth(9, files.indexOf(file) % 9);

      const ours = expressions.map((expression) => ourMatches(expression, linkType, packets));

      expect(differing(expressions, ours, capture.matches(expressions))).toEqual([]);
      capture.remove();
    });
  });
});
