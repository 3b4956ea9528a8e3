/** Two simulated PCs behave like two real ones: equal frames as decoded by tshark, and equal console lines. */
import { beforeAll, describe, expect, test } from "vitest";
import { Comparison } from "../helpers/proof/compare.ts";
import { EXCEPTIONS } from "../helpers/proof/exceptions.ts";
import { runReal } from "../helpers/proof/real-pair.ts";
import { hasVpcs, type NotedFrame } from "../helpers/proof/real-vpcs.ts";
import { rowsOfSteps } from "../helpers/proof/rows.ts";
import { NEWER_STEPS, SCENARIOS } from "../helpers/proof/scenarios.ts";
import { runSimulated } from "../helpers/proof/simulated-pair.ts";
import type { StepRecord } from "../helpers/proof/steps.ts";
import { complaints, hasTshark } from "../helpers/proof/tshark.ts";

/** The offset of the TTL in an Ethernet frame with IPv4. */
const TTL_OFFSET = 22;
const isComplete = hasVpcs && hasTshark;
const note = isComplete ? "" : " (skipped: vpcs or tshark is not installed)";

describe.skipIf(!isComplete)(`two simulated PCs and two real ones${note}`, () => {
  const comparison = new Comparison(EXCEPTIONS);
  let real: StepRecord[][];

  /** Runs all programs in parallel, because they mostly wait. */
  beforeAll(async () => {
    real = await Promise.all(SCENARIOS.map(({ steps }) => runReal(steps)));
  });

  describe.each(SCENARIOS.map((scenario, index) => ({ ...scenario, index })))(
    "in $name",
    ({ steps, index }) => {
      const ours = runSimulated(steps);

      test("send the same frames", () => {
        const [realRows, ourRows] = [rowsOfSteps(real[index]!), rowsOfSteps(ours)];
        const differences = ours.flatMap(({ step }, at) =>
          comparison.frameDifferences(step, realRows[at]!, ourRows[at]!),
        );
        expect(differences).toEqual([]);
      });

      test("print the same text", () => {
        const texts = real[index]!.map((record, at) => comparison.texts(record, ours[at]!));
        expect(texts.map((text) => text.ours)).toEqual(texts.map((text) => text.real));
      });
    },
  );

  test("show every documented difference", () => {
    expect(comparison.unused).toEqual([]);
  });
});

describe.skipIf(!hasTshark)(`tshark${hasTshark ? "" : " (skipped: it is not installed)"}`, () => {
  const runs = [...SCENARIOS.map(({ steps }) => steps), NEWER_STEPS];
  const frames = runs.flatMap(runSimulated).flatMap((record) => record.frames);

  test("finds no fault in the frames of simulated PCs", () => {
    expect(frames.length).toBeGreaterThan(0);
    expect(complaints(frames)).toEqual([]);
  });

  test("finds a wrong checksum in every layer, and a truncated packet", () => {
    const isIpv4 = (frame: Uint8Array, protocol: number) =>
      frame[12] === 8 && frame[13] === 0 && frame[23] === protocol;
    const isIcmpv6 = (frame: Uint8Array) => frame[12] === 0x86 && frame[20] === 58;
    const isArp = (frame: Uint8Array) => frame[12] === 8 && frame[13] === 6;
    const first = (is: (frame: Uint8Array) => boolean) => frames.find(({ frame }) => is(frame))!;
    const flip = (at: number) => (noted: NotedFrame) => ({
      ...noted,
      frame: noted.frame.with(at, noted.frame.at(at)! ^ 0xff),
    });
    const packets = [1, 6, 17].map((protocol) => first((frame) => isIpv4(frame, protocol)));
    const arp = first(isArp);
    const wrong = [
      ...packets.map(flip(-1)),
      ...packets.map(flip(TTL_OFFSET)),
      flip(-1)(first(isIcmpv6)),
      { ...arp, frame: arp.frame.subarray(0, 30) },
    ];
    expect(complaints(wrong)).toHaveLength(wrong.length);
  });
});
