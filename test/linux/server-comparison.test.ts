/** Servers compared with Linux as the sender, over links that lose, delay, reorder and copy: `npm run bench:tcp` has more transfers. */
import { describe, expect, test } from "vitest";
import { drawn, drawOf } from "../helpers/cases/draw.ts";
import { hasImage } from "../helpers/play-linux.ts";
import { meanOf, playTransfers, type Transfers } from "../helpers/tcp-transfer.ts";

/** The part of Linux's mean by which a server's may differ, beside twice the errors of both. */
const TOLERANCE = 0.25;

const compare = (algorithm: Transfers["algorithm"], condition: Transfers["condition"], count: number) => {
  const [ours, theirs] = (["server", "linux"] as const).map((sender) =>
    meanOf(playTransfers({ sender, algorithm, condition, seed: 1, count })),
  ) as [ReturnType<typeof meanOf>, ReturnType<typeof meanOf>];
  const allowed = TOLERANCE * theirs.mean + 2 * Math.hypot(ours.error, theirs.error);
  expect(Math.abs(ours.mean - theirs.mean), JSON.stringify({ ours, theirs })).toBeLessThan(allowed);
};

describe.skipIf(!hasImage("debian"))(
  "servers compared with Linux (skipped without the image: wirelab image build debian)",
  () => {
    const draw = drawOf(3);
    test.each(
      drawn(
        [
          ["cubic", "loss", 8],
          ["cubic", "jitter", 3],
          ["cubic", "all", 8],
        ] as const,
        draw,
      ),
    )(`%s with %s takes as long as Linux's, by the means of %i transfers${draw.note}`, compare);
  },
);
