import { CaptureTap, makeTapSettings } from "@wirelab/engine/link/capture-tap";
import type { FilterSettings } from "@wirelab/engine/link/filters/index";
import {
  type DeliveredFrame,
  type FrameStore,
  LinkReplay,
  ReplayError,
  type ReplayFrame,
  replayThroughLink,
} from "@wirelab/engine/link/replay";
import { encodeCaptureHeader, LINKTYPE_ETHERNET, readCapture } from "@wirelab/engine/pcap/index";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chainOptions, filterSettings, frameAt, replayFrames } from "../../../helpers/engine/links.ts";

const NS_PER_MS = 1e6;
const NS_PER_SECOND = 1e9;
const NS_PER_DAY = 86_400 * NS_PER_SECOND;

function run(frames: ReplayFrame[], settings: FilterSettings, more = {}) {
  return replayThroughLink({ ...chainOptions(settings, more), frames });
}

function framesEvery(stepNs: number, count: number): ReplayFrame[] {
  return Array.from({ length: count }, (_, index) => frameAt(index * stepNs, Uint8Array.of(index & 0xff, 0)));
}

describe("a replay without filters", () => {
  it("delivers every frame at its offset from the first, without copying its bytes", () => {
    const frames = [frameAt(250), frameAt(250), frameAt(NS_PER_SECOND + 251)];
    const { delivered, report } = run(frames, {});
    expect(delivered.map(({ deliveryNs }) => deliveryNs)).toEqual([0, 0, NS_PER_SECOND + 1]);
    for (const [index, { data }] of delivered.entries()) expect(data).toBe(frames[index]?.data);
    expect(report).toEqual({
      packets: { in: 3, delivered: 3, dropped: 0, corrupted: 0 },
      bytes: { in: 9, delivered: 9, dropped: 0, corrupted: 0 },
      filters: [],
      delayMs: { min: 0, mean: 0, p50: 0, p90: 0, p99: 0, max: 0 },
      spanNs: NS_PER_SECOND + 1,
    });
  });

  it("returns an empty report for no frames", () => {
    expect(run([], {})).toEqual({
      delivered: [],
      report: {
        packets: { in: 0, delivered: 0, dropped: 0, corrupted: 0 },
        bytes: { in: 0, delivered: 0, dropped: 0, corrupted: 0 },
        filters: [],
        delayMs: null,
        spanNs: 0,
      },
      state: {},
    });
  });

  it("lets a frame stamped before the first enter with it", () => {
    const { delivered } = run([frameAt(5_000), frameAt(0), frameAt(5_001)], {});
    expect(delivered.map(({ frameIndex, deliveryNs }) => [frameIndex, deliveryNs])).toEqual([
      [0, 0],
      [1, 0],
      [2, 1],
    ]);
  });

  it("lets frames that are out of order in the file enter in order of time", () => {
    const { delivered } = run([frameAt(0), frameAt(30), frameAt(10), frameAt(30), frameAt(20)], {});
    expect(delivered.map(({ frameIndex, deliveryNs }) => [frameIndex, deliveryNs])).toEqual([
      [0, 0],
      [2, 10],
      [4, 20],
      [1, 30],
      [3, 30],
    ]);
  });
});

describe("a replay with filters", () => {
  it("delays without limiting the throughput", () => {
    const { delivered, report } = run(framesEvery(1_000, 10_000), { delay: [10] });
    expect(report.packets).toEqual({ in: 10_000, delivered: 10_000, dropped: 0, corrupted: 0 });
    expect(
      delivered.every(({ deliveryNs, frameIndex }) => deliveryNs === frameIndex * 1_000 + 10 * NS_PER_MS),
    ).toBe(true);
    expect(report.delayMs).toEqual({ min: 10, mean: 10, p50: 10, p90: 10, p99: 10, max: 10 });
    expect(report.spanNs).toBe(9_999 * 1_000 + 10 * NS_PER_MS);
  });

  it("reorders frames only because of jitter", () => {
    const indexes = (stepNs: number) =>
      run(framesEvery(stepNs, 500), { delay: [20, 5] }).delivered.map((f) => f.frameIndex);
    const sorted = Array.from({ length: 500 }, (_, index) => index);
    expect(indexes(NS_PER_MS)).not.toEqual(sorted);
    expect(indexes(10 * NS_PER_MS + 1)).toEqual(sorted);
  });

  it("keeps the order of frames due at the same nanosecond", () => {
    const { delivered } = run(framesEvery(0, 300), { delay: [1] });
    expect(delivered.map(({ frameIndex }) => frameIndex)).toEqual(
      Array.from({ length: 300 }, (_, index) => index),
    );
  });

  it("drops everything on a suspended link, and has no delay to report", () => {
    const { delivered, report } = run(framesEvery(1, 5), { delay: [10] }, { suspended: true });
    expect(delivered).toEqual([]);
    expect(report.packets).toEqual({ in: 5, delivered: 0, dropped: 5, corrupted: 0 });
    expect(report.filters).toEqual([
      { type: "suspend", seen: 5, dropped: 5, corrupted: 0, held: 0 },
      { type: "delay", seen: 0, dropped: 0, corrupted: 0, held: 0 },
    ]);
    expect([report.delayMs, report.spanNs]).toEqual([null, 4]);
  });

  it.each([
    ["before", [0, 1, 2, 3], [0, 10, 20, 20]],
    ["after", [0, 2], [NS_PER_MS, NS_PER_MS + 20]],
  ] as const)("records packets %s the filters, at their time there", (tapped, bytes, timesNs) => {
    const tap = new CaptureTap(makeTapSettings({ tap: tapped }, "DLT_EN10MB"), { packets: 0, bytes: 0 });
    const frames = [0, 10, 20, 20].map((offsetNs, index) => frameAt(offsetNs, Uint8Array.of(index)));
    run(frames, { frequency_drop: [2], delay: [1] }, { tap });
    const header = encodeCaptureHeader({ linkType: LINKTYPE_ETHERNET, resolution: "nanosecond" });
    const file = readCapture(
      Buffer.concat([header, tap.encode({ seconds: 0, nanoseconds: 0 }, "nanosecond")]),
    );
    expect(file.ok && file.frames.map(({ data, nanoseconds }) => [data[0], nanoseconds])).toEqual(
      bytes.map((byte, index) => [byte, timesNs[index]]),
    );
  });

  it("continues in a second run where the first ended", () => {
    const settings: FilterSettings = { frequency_drop: [3], packet_loss: [30], corrupt: [50], delay: [5, 5] };
    const frames = framesEvery(NS_PER_SECOND, 100);
    const whole = run(frames, settings).delivered;
    const first = run(frames.slice(0, 40), settings);
    const second = run(frames.slice(40), settings, { state: first.state });
    const later = second.delivered.map((frame) => ({
      ...frame,
      deliveryNs: frame.deliveryNs + 40 * NS_PER_SECOND,
      frameIndex: frame.frameIndex + 40,
    }));
    expect([...first.delivered, ...later]).toEqual(whole);
  });

  it("is equal to the byte, in every run and every release", () => {
    const { delivered } = run(framesEvery(NS_PER_MS, 8), { packet_loss: [30], corrupt: [50], delay: [2, 2] });
    const lines = delivered.map(
      ({ frameIndex, deliveryNs, data }) => `${frameIndex} ${deliveryNs} ${[...data]}`,
    );
    expect(lines).toMatchInlineSnapshot(`
      [
        "0 1383000 0,0",
        "1 4575000 1,1",
        "3 5735000 35,0",
        "7 10558000 7,128",
      ]
    `);
  });
});

describe("any replay", () => {
  const anyRun = fc.tuple(replayFrames, filterSettings, fc.boolean());

  it("delivers or drops every packet, and its report agrees with the deliveries", () => {
    fc.assert(
      fc.property(anyRun, ([frames, settings, suspended]) => {
        const { delivered, report } = run(frames, settings, { suspended });
        const { packets, bytes, filters } = report;
        const sizeOf = (list: { data: Uint8Array }[]) => list.reduce((sum, { data }) => sum + data.length, 0);
        expect(packets.in).toBe(frames.length);
        expect(packets.in).toBe(packets.delivered + packets.dropped);
        expect(bytes.in).toBe(bytes.delivered + bytes.dropped);
        expect([packets.delivered, bytes.delivered, bytes.in]).toEqual([
          delivered.length,
          sizeOf(delivered),
          sizeOf(frames),
        ]);
        const changed = delivered.filter(({ data, frameIndex }) => data !== frames[frameIndex]?.data);
        expect([packets.corrupted, bytes.corrupted]).toEqual([changed.length, sizeOf(changed)]);
        expect(filters.reduce((sum, { dropped }) => sum + dropped, 0)).toBe(packets.dropped);
        expect(filters.reduce((sum, { corrupted }) => sum + corrupted, 0)).toBe(packets.corrupted);
        for (const [index, filter] of filters.slice(1).entries()) {
          const before = filters[index] as (typeof filters)[number];
          expect(filter.seen).toBe(before.seen - before.dropped);
        }
      }),
    );
  });

  it("delivers in time order, each frame once and not before its entry plus the shortest delay", () => {
    fc.assert(
      fc.property(anyRun, ([frames, settings]) => {
        const { delivered, report } = run(frames, settings);
        const [latencyMs = 0, jitterMs = 0] = settings.delay ?? [];
        const first = frames[0] as ReplayFrame;
        for (const [index, { deliveryNs, frameIndex }] of delivered.entries()) {
          const { seconds, nanoseconds } = frames[frameIndex] as ReplayFrame;
          const entryNs = Math.max(0, (seconds - first.seconds) * 1e9 + nanoseconds - first.nanoseconds);
          expect(deliveryNs).toBeGreaterThanOrEqual(entryNs + Math.max(0, latencyMs - jitterMs) * NS_PER_MS);
          expect(deliveryNs).toBeLessThanOrEqual(entryNs + (latencyMs + jitterMs) * NS_PER_MS);
          if (index > 0)
            expect(deliveryNs).toBeGreaterThanOrEqual(delivered[index - 1]?.deliveryNs as number);
          expect(deliveryNs).toBeLessThanOrEqual(report.spanNs);
        }
        expect(new Set(delivered.map(({ frameIndex }) => frameIndex)).size).toBe(delivered.length);
      }),
    );
  });

  it("gives equal results for equal inputs, and never changes the frames it was given", () => {
    fc.assert(
      fc.property(anyRun, ([frames, settings, suspended]) => {
        const before = structuredClone(frames);
        const first = run(frames, settings, { suspended });
        expect(run(frames, settings, { suspended })).toEqual(first);
        expect(frames).toEqual(before);
      }),
    );
  });

  it("gives the same result frame by frame, for frames in order", () => {
    fc.assert(
      fc.property(anyRun, ([unsorted, settings]) => {
        const frames = unsorted.toSorted((a, b) => a.seconds - b.seconds || a.nanoseconds - b.nanoseconds);
        const streamed: DeliveredFrame[] = [];
        const replay = new LinkReplay(chainOptions(settings), (frame) => streamed.push(frame));
        for (const frame of frames) replay.enter(frame);
        const report = replay.finish();
        expect({ delivered: streamed, report, state: replay.saveState() }).toEqual(run(frames, settings));
      }),
    );
  });
});

describe("a streamed replay", () => {
  it("delivers the frames due before the next frame enters", () => {
    const log: string[] = [];
    const replay = new LinkReplay(chainOptions({ delay: [1] }), ({ frameIndex }) =>
      log.push(`out ${frameIndex}`),
    );
    for (const offsetNs of [0, NS_PER_MS - 1, NS_PER_MS]) {
      replay.enter(frameAt(offsetNs));
      log.push("in");
    }
    replay.finish();
    expect(log).toEqual(["in", "in", "out 0", "in", "out 1", "out 2"]);
  });

  it("delivers in portions the frames due before the next one enters, and the rest at the end", () => {
    const log: number[] = [];
    const replay = new LinkReplay(chainOptions({ delay: [1] }), ({ frameIndex }) => log.push(frameIndex));
    expect(replay.deliverSome(1)).toBe(true);
    for (const offsetNs of [0, 1, 2, 3]) replay.enter(frameAt(offsetNs));

    const next = frameAt(NS_PER_MS + 2);
    expect([replay.deliverSome(2, next), [...log]]).toEqual([false, [0, 1]]);
    expect([replay.deliverSome(2, next), [...log]]).toEqual([true, [0, 1, 2]]);
    replay.enter(next);
    expect([replay.deliverSome(1), [...log]]).toEqual([false, [0, 1, 2, 3]]);
    expect([replay.deliverSome(1), [...log]]).toEqual([true, [0, 1, 2, 3, 4]]);
    expect(replay.finish().packets.delivered).toBe(5);
  });

  it("gives the same result with the caller's store, which gets each held frame and returns it once", () => {
    const held = new Map<number, [Uint8Array, number, number]>();
    const store: FrameStore = {
      put(data, originalLength, frameIndex) {
        held.set(3 * frameIndex, [data.slice(), originalLength, frameIndex]);
        return 3 * frameIndex;
      },
      take(slot, deliveryNs) {
        const [data, originalLength, frameIndex] = held.get(slot)!;
        held.delete(slot);
        return { deliveryNs, data, originalLength, frameIndex };
      },
    };
    const frames = Array.from({ length: 50 }, (_, index) => frameAt(index * NS_PER_MS));
    const settings: FilterSettings = { delay: [5, 5], corrupt: [50] };
    const streamed: DeliveredFrame[] = [];
    const replay = new LinkReplay(chainOptions(settings), (frame) => streamed.push(frame), store);
    for (const frame of frames) replay.enter(frame);
    const report = replay.finish();
    expect({ delivered: streamed, report, state: replay.saveState() }).toEqual(run(frames, settings));
    expect(held.size).toBe(0);
  });

  it("lets a frame that is out of order enter at the time of the one before it", () => {
    const times: number[] = [];
    const replay = new LinkReplay(chainOptions({}), ({ deliveryNs }) => times.push(deliveryNs));
    for (const offsetNs of [0, 30, 10, 40]) replay.enter(frameAt(offsetNs));
    replay.finish();
    expect(times).toEqual([0, 30, 30, 40]);
  });
});

describe("a run that is too long", () => {
  it("is exact at 104 days", () => {
    const last = Number.MAX_SAFE_INTEGER;
    const frames = [
      frameAt(0),
      { ...frameAt(0), seconds: 1_700_000_000 + Math.floor(last / 1e9), nanoseconds: last % 1e9 },
    ];
    expect(run(frames, {}).delivered[1]?.deliveryNs).toBe(last);
  });

  it.each([
    ["a frame enters too late", [0, 105 * NS_PER_DAY], {}],
    ["a delay ends too late", [0, Number.MAX_SAFE_INTEGER - 1e9], { delay: [2_000] }],
  ] as [string, number[], FilterSettings][])("is rejected where %s", (_, offsets, settings) => {
    const frames = offsets.map((offsetNs) => frameAt(offsetNs));
    const error = catchError(() => run(frames, settings));
    expect(error).toBeInstanceOf(ReplayError);
    expect(error).toMatchObject({ code: "replay.span-too-long", frameIndex: 1 });
  });

  it("is rejected for the most distant times that numbers can represent", () => {
    const frames = [
      { ...frameAt(0), seconds: -Number.MAX_SAFE_INTEGER },
      { ...frameAt(0), seconds: Number.MAX_SAFE_INTEGER },
    ];
    expect(() => run(frames, {})).toThrow(ReplayError);
    expect(run(frames.toReversed(), {}).delivered.map(({ deliveryNs }) => deliveryNs)).toEqual([0, 0]);
  });
});

function catchError(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}
