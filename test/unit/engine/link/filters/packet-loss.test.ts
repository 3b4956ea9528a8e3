import { makeStream, RandomStream } from "@wirelab/engine/base/random";
import { describe, expect, it } from "vitest";
import { DROP } from "../../../../../packages/engine/link/filters/link-filter.ts";
import { PacketLoss } from "../../../../../packages/engine/link/filters/packet-loss.ts";
import { chiSquare, chiSquareLimit } from "../../../../helpers/engine/chi-square.ts";
import { verdicts } from "../../../../helpers/engine/links.ts";

const PACKETS = 1_000_000;

/** One byte per packet: 1 if the filter dropped it. */
function losses(chancePct: number): Uint8Array {
  const filter = new PacketLoss(chancePct, makeStream("loss", String(chancePct)));
  return Uint8Array.from({ length: PACKETS }, () => (filter.decide() === DROP ? 1 : 0));
}

describe("packet_loss", () => {
  it("loses nothing at 0 and everything at 100", () => {
    expect(losses(0).indexOf(1)).toBe(-1);
    expect(losses(100).indexOf(0)).toBe(-1);
  });

  it.each([1, 10, 50, 99])("loses %i in 100 of a million packets (chi-square)", (chancePct) => {
    const lost = losses(chancePct).reduce((sum, one) => sum + one, 0);
    const expected = [(PACKETS * chancePct) / 100, (PACKETS * (100 - chancePct)) / 100];
    expect(chiSquare([lost, PACKETS - lost], expected)).toBeLessThan(chiSquareLimit(1));
  });

  it("loses each packet independently of those before it (chi-square over runs of four)", () => {
    const chance = 0.25;
    const lost = losses(chance * 100);
    const counts = new Array<number>(16).fill(0);
    for (let at = 0; at < PACKETS; at += 4) {
      counts[lost[at]! * 8 + lost[at + 1]! * 4 + lost[at + 2]! * 2 + lost[at + 3]!]! += 1;
    }
    const expected = counts.map((_, pattern) => {
      const ones = [8, 4, 2, 1].filter((bit) => pattern & bit).length;
      return (PACKETS / 4) * chance ** ones * (1 - chance) ** (4 - ones);
    });
    expect(chiSquare(counts, expected)).toBeLessThan(chiSquareLimit(15));
  });

  it("draws once for a packet that an earlier filter dropped", () => {
    const skipping = new PacketLoss(30, makeStream(5));
    const deciding = new PacketLoss(30, makeStream(5));
    skipping.skip();
    deciding.decide();
    expect(skipping.saveState()).toEqual(deciding.saveState());
  });

  it("continues from a saved position", () => {
    const filter = new PacketLoss(30, makeStream(5));
    verdicts(filter, 100);
    const resumed = new PacketLoss(30, new RandomStream(filter.saveState().stream));
    expect(verdicts(resumed, 100)).toEqual(verdicts(filter, 100));
  });
});
