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
import { type CapturedPacket, decodePcap, LINKTYPES, PREFIXED_LINKTYPES } from "../../../helpers/bpf/pcap.ts";
import { draw } from "../../../helpers/bpf/proved.ts";
import { realCaptures } from "../../../helpers/engine/programs.ts";

/** If `geneve` was not found, libpcap reads scratch memory that was never written; its result is undefined. */
const READS_UNWRITTEN_MEMORY = new Set(["not geneve and ip"]);

const EXPRESSIONS = ALL_EXPRESSIONS.filter((expression) => !READS_UNWRITTEN_MEMORY.has(expression));

/** ORACLE=full compares everything, which takes minutes; otherwise each file and link type gets a share, and a sample of it without changes. */
const isFull = process.env.ORACLE === "full";

const everyNth = (n: number, offset = 0): readonly string[] =>
  isFull ? EXPRESSIONS : EXPRESSIONS.filter((_, i) => i % n === offset && draw.takes(Math.floor(i / n)));

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

describe.skipIf(!hasOracle)(`the filter compiler and tcpdump${oracleNote}${draw.note}`, () => {
  describe.each(Object.keys(LINKTYPES) as (keyof typeof LINKTYPES)[])("on %s", (linkType) => {
    const packets = packetsOf(linkType);
    let capture: OracleCapture;
    beforeAll(() => {
      capture = new OracleCapture(linkType, packets);
    });
    afterAll(() => capture.remove());

    it("compile every expression to the same optimised program, or both reject it", {
      timeout: isFull ? 600_000 : 240_000,
    }, () => {
      const expressions = shareOf(linkType, 0);

      const ours = expressions.map((expression) => ourProgram(expression, linkType));

      expect(differing(expressions, ours, capture.programs(expressions))).toEqual([]);
    });

    it("compile to the same program without optimising", { timeout: isFull ? 600_000 : 240_000 }, () => {
      const expressions = everyNth(5 * spread(linkType), 1);

      const ours = expressions.map((expression) => ourProgram(expression, linkType, true));

      expect(differing(expressions, ours, capture.programs(expressions, true))).toEqual([]);
    });

    it("keep the same packets, whole and truncated", { timeout: isFull ? 600_000 : 240_000 }, () => {
      const expressions = shareOf(linkType, 2);

      const ours = expressions.map((expression) => ourMatches(expression, linkType, packets));

      expect(differing(expressions, ours, capture.matches(expressions))).toEqual([]);
    });
  });

  describe.each(Object.keys(PREFIXED_LINKTYPES) as (keyof typeof PREFIXED_LINKTYPES)[])(
    "on %s",
    (linkType) => {
      // Headers of 0 to 30 bytes in each of the three forms of a length, frames of 40 bytes, whole and truncated.
      const packets = Array.from({ length: 32 }, (_, header) => {
        const bytes = Buffer.from(Array.from({ length: 200 }, (_, at) => (at * 37 + header) % 256));
        if (linkType === "DLT_IEEE802_11_RADIO" || linkType === "DLT_PPI") bytes.writeUInt16LE(header, 2);
        if (linkType === "DLT_PPI") bytes.writeUInt32LE(header % 3 === 0 ? 1 : 105, 4);
        if (linkType === "DLT_IEEE802_11_RADIO_AVS") bytes.writeUInt32BE(header, 4);
        if (linkType === "DLT_PRISM_HEADER" && header % 2 === 0) {
          bytes.writeUInt32BE(0x80211001, 0);
          bytes.writeUInt32BE(header, 4);
        }
        const length = header % 4 === 3 ? header + 2 : 190;
        return { bytes: bytes.subarray(0, length), wireLength: 200 };
      });
      const expressions = [
        "ether[0] == 8",
        "ether[0] & 0xfc == 0x40 or ether[1] = 2",
        "not ether[4:2] > 300",
        "ether[24:4] = 0xaaaa0300 and len > 60",
        "link[0] = 1 || link[ether[0] & 3] = 7",
        "ether[0] + ether[1] > 255",
        "byte 3 = 7",
        "byte 0 > 128",
        "less 50",
        "greater 190 and ether[0] != 0",
        "ether[0] & 0 = 0",
        "len = 200",
        "",
      ];
      let capture: OracleCapture;
      beforeAll(() => {
        capture = new OracleCapture(linkType, packets);
      });
      afterAll(() => capture.remove());

      it("compile to the same program, optimised and not", () => {
        for (const plain of [false, true]) {
          const ours = expressions.map((expression) => ourProgram(expression, linkType, plain));
          expect(ours).toEqual(capture.programs(expressions, plain));
        }
      });

      it("keep the same packets", () => {
        const ours = expressions.map((expression) => ourMatches(expression, linkType, packets));
        expect(ours).toEqual(capture.matches(expressions));
        expect(new Set(ours).size).toBeGreaterThan(3);
      });

      it("differ in protocols, which are refused here by name", () => {
        expect(() => compileFilter("ip", linkType)).toThrow(/protocols cannot be tested on .*only len/);
      });
    },
  );

  describe("on captures of real traffic", () => {
    const files = realCaptures();
    const linkTypes = Object.entries(LINKTYPES) as [keyof typeof LINKTYPES, number][];

    it.skipIf(files.length > 0)("(skipped: WIRELAB_CAPTURES names no folder with captures)", () => {});

    it.each(files)("keep the same packets of $name", { timeout: isFull ? 600_000 : 240_000 }, (file) => {
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
