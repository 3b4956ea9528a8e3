import { describe, expect, it } from "vitest";
import { TCP_ACK, TCP_FIN } from "../../../../../packages/engine/wire/tcp.ts";
import { established, type Scripted } from "../../../../helpers/engine/tcp-bench.ts";

const SEGMENT = 500;
/** The examples count from 3000: what is before has arrived. */
function receiving(): Scripted {
  const it = established({}, {}, SEGMENT);
  for (let from = 1; from < 3_000; from += SEGMENT) arrive(it, from);
  it.sent.splice(0);
  return it;
}

const arrive = (it: Scripted, from: number, length = SEGMENT, flags = 0): void =>
  it.peer(TCP_ACK | flags, from, 1, { data: new Uint8Array(length) });

/** Acknowledgement and blocks of what was sent, relative to the peer's initial number. */
const reports = (it: Scripted): string[] =>
  it.sent.splice(0).map(({ segment: { acknowledgement, options } }) => {
    const blocks = (options.sack ?? []).map(([start, end]) => `${start - 5_000}-${end - 5_000}`);
    return [acknowledgement - 5_000, ...blocks].join(" ");
  });

describe("a duplicate is reported by the first block (RFC 2883, section 4)", () => {
  it("a whole segment below the acknowledgement (4.1.1)", () => {
    const it = receiving();
    arrive(it, 3_001);
    arrive(it, 3_501);
    reports(it);
    arrive(it, 3_001);
    expect(reports(it)).toEqual(["4001 3001-3501"]);
    // Once.
    arrive(it, 4_001);
    arrive(it, 4_501);
    arrive(it, 5_001);
    expect(reports(it)).toEqual(["5501"]);
  });

  it("a whole segment below the acknowledgement, before the blocks beyond a gap (4.1.2)", () => {
    const it = receiving();
    arrive(it, 3_001);
    arrive(it, 4_001);
    arrive(it, 4_501);
    expect(reports(it)).toEqual(["3501 4001-4501", "3501 4001-5001"]);
    arrive(it, 3_001);
    expect(reports(it)).toEqual(["3501 3001-3501 4001-5001"]);
  });

  it("a segment inside a block beyond a gap, before this block (4.1.3)", () => {
    const it = receiving();
    arrive(it, 3_501);
    arrive(it, 4_501);
    arrive(it, 4_001);
    reports(it);
    arrive(it, 4_001);
    expect(reports(it)).toEqual(["3001 4001-4501 3501-5001"]);
  });

  it("the part of a segment that has arrived (4.2.1)", () => {
    const it = receiving();
    arrive(it, 3_001, 1_000);
    reports(it);
    arrive(it, 3_501, 1_000);
    expect(reports(it)).toEqual(["4501 3501-4001"]);
  });

  it("the first of two parts that have arrived (4.2.3)", () => {
    const it = receiving();
    arrive(it, 3_501);
    arrive(it, 4_501);
    reports(it);
    arrive(it, 3_501, 1_500);
    expect(reports(it)).toEqual(["3001 3501-4001 3501-5001"]);
  });

  it("a FIN", () => {
    const it = receiving();
    arrive(it, 3_001, 0, TCP_FIN);
    expect(reports(it)).toEqual(["3002"]);
    arrive(it, 3_001, 0, TCP_FIN);
    expect(reports(it)).toEqual(["3002 3001-3002"]);
  });

  it("but not if the peer does without SACK", () => {
    const it = established({ sack: false }, {}, SEGMENT);
    for (let n = 0; n < 2; n++) arrive(it, 1);
    expect(reports(it)).toEqual(["501"]);
  });
});

describe("an acknowledgement with an old timestamp (PAWS, RFC 7323, section 5.3)", () => {
  /** Ten segments are in flight, and the acknowledgement with timestamp 20 has arrived first. */
  function overtaken(): Scripted {
    const it = established({ timestamps: true }, { timestamps: { value: 10, echo: 1 } }, 1_012);
    it.connection.send({ fill: 10_000 });
    it.peer(TCP_ACK, 1, 1, { options: { timestamps: { value: 20, echo: 1 } } });
    it.take();
    return it;
  }
  const block = (from: number, to: number) =>
    [[(0xffff_ff00 + from) >>> 0, (0xffff_ff00 + to) >>> 0]] as const;

  it("is taken for the blocks that it reports", () => {
    const it = overtaken();
    it.peer(TCP_ACK, 1, 1, { options: { timestamps: { value: 15, echo: 1 }, sack: block(1_001, 2_001) } });
    expect(it.connection.tcb.reported).toHaveLength(1);
  });

  it("is answered at most twice a second if it acknowledges something else", () => {
    const it = overtaken();
    it.peer(TCP_ACK, 1, 2_001, { options: { timestamps: { value: 21, echo: 1 } } });
    it.take();
    for (let n = 0; n < 5; n++)
      it.peer(TCP_ACK, 1, 1_001, { options: { timestamps: { value: 19, echo: 1 } } });
    expect(it.take()).toHaveLength(1);
    it.clock.run(200_000);
    it.take();
    it.clock.run(550_000);
    it.take();
    it.peer(TCP_ACK, 1, 1_001, { options: { timestamps: { value: 19, echo: 1 } } });
    expect(it.take()).toHaveLength(1);
  });
});
