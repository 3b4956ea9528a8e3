import { parseImpairments } from "@wirelab/engine/link/impairments/index";
import { LinkReplay, type ReplayFrame, replayThroughLink } from "@wirelab/engine/link/replay";
import { describe, expect, test } from "vitest";

function options(input: object, settings = {}) {
  const result = parseImpairments({ a_to_b: input });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const impairments = { impairments: result.impairments, startUs: 0 };
  return { seed: 1, streamName: "a b", direction: "a-to-b", settings, impairments } as const;
}

const frames = (count: number): ReplayFrame[] =>
  Array.from({ length: count }, (_, index) => ({
    seconds: 0,
    nanoseconds: index * 1_000,
    data: Uint8Array.from({ length: 100 }, () => index),
    originalLength: 100,
  }));

describe("a replay through impairments", () => {
  test("delivers after the filters, the rate and the delay, and reports all three", () => {
    const { delivered, report } = replayThroughLink({
      ...options({ rate: "8mbit", delay: "1ms", queue: 2 }, { delay: [10] }),
      frames: frames(5),
    });
    expect(delivered.map(({ deliveryNs, frameIndex }) => [frameIndex, deliveryNs])).toEqual([
      [0, 11_100_000],
      [1, 11_200_000],
      [2, 11_300_000],
    ]);
    expect(report).toMatchObject({
      packets: { in: 5, delivered: 3, dropped: 2 },
      delayMs: { min: 11.1, max: 11.298 },
      impairments: { queue: { lengthPackets: { max: 2 } } },
    });
  });

  test("loses the union of what filters and impairments lose alone", () => {
    const delivered = (input: object, settings = {}) =>
      replayThroughLink({ ...options(input, settings), frames: frames(200) }).delivered.map(
        ({ frameIndex }) => frameIndex,
      );
    const ofFilter = delivered({}, { packet_loss: [50] });
    const ofImpairment = delivered({ loss: "50%" });
    const both = delivered({ loss: "50%" }, { packet_loss: [50] });
    expect(both).toEqual(ofFilter.filter((index) => ofImpairment.includes(index)));
    expect(both.length).toBeGreaterThan(20);
  });

  test("delivers copies, and counts them", () => {
    const { delivered, report } = replayThroughLink({ ...options({ duplicate: 100 }), frames: frames(2) });
    expect(delivered.map(({ frameIndex }) => frameIndex)).toEqual([0, 0, 1, 1]);
    expect(report.impairments?.duplicated.packets).toBe(2);
  });

  test("keeps the bytes of frames on their way, although the caller reuses its array", () => {
    const shared = new Uint8Array(100);
    const seen: number[] = [];
    const store = { put: () => 0, take: () => ({}) as never };
    const replay = new LinkReplay(options({ delay: "1ms" }), ({ data }) => seen.push(data[0]!), store);
    for (const frame of frames(3)) {
      shared.set(frame.data);
      replay.enter({ ...frame, data: shared });
    }
    replay.finish();
    expect(seen).toEqual([0, 1, 2]);
  });

  test("delivers no more at once than its caller accepts", () => {
    const seen: number[] = [];
    const replay = new LinkReplay(options({ delay: "1ms" }), ({ frameIndex }) => seen.push(frameIndex));
    for (const frame of frames(3)) replay.enter(frame);
    expect(replay.deliverSome(2)).toBe(false);
    expect(seen).toEqual([0, 1]);
    expect(replay.deliverSome(2)).toBe(true);
  });
});
