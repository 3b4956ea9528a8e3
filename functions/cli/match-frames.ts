/** `match` for captures that are no classic pcap. */

import type { Transfer } from "./capture-transfer.ts";
import { FrameSink } from "./frame-sink.ts";
import { FrameSource } from "./frame-source.ts";
import type { MatchCounts } from "./match.ts";
import { compileExpression, filterLinkType } from "./packet-filter.ts";

export async function matchFrames(
  expression: string,
  transfer: Transfer,
  beginning: Uint8Array,
): Promise<MatchCounts> {
  const source = new FrameSource(transfer, beginning);
  const counts = { packets: 0, kept: 0 };
  const begin = () => ({
    matches: compileExpression(expression, filterLinkType(source.linkType)),
    sink: new FrameSink(transfer.output, source),
  });
  // The link type is known with the first frame, or at the end when there is none.
  let begun: ReturnType<typeof begin> | undefined;
  for await (const frames of source.batches()) {
    begun ??= begin();
    const { matches, sink } = begun;
    for (const { seconds, nanoseconds, data, originalLength } of frames) {
      if (!matches(data, originalLength)) continue;
      counts.kept += 1;
      sink.write(seconds, nanoseconds, data, originalLength);
    }
    counts.packets += frames.length;
    await sink.drain();
  }
  await (begun ?? begin()).sink.finish();
  return counts;
}
