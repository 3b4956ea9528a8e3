/** Measures packets a second through the filters of a link, and through a whole link in virtual time. */

import { compileFilter } from "@wirelab/engine/bpf/index";
import { type FilterSettings, makeFilterChain, type Passage } from "@wirelab/engine/link/filters/index";
import { type Impairments, parseImpairments } from "@wirelab/engine/link/impairments/index";
import { LinkReplay, type ReplayFrame } from "@wirelab/engine/link/replay";
import { benchRate, heading } from "./engine-measure.ts";

const TARGET = {
  perSecond: 1_500_000,
  limitedBy: "random draws, three a packet, and by the copy of each packet that is corrupted",
};
const IMPAIRED_TARGET = {
  perSecond: 1_000_000,
  limitedBy:
    "the number of steps: most packets wait three times, for the filter, in the queue and on the wire",
};
const BPF = "tcp port 80 and host 10.0.0.1";

const ALONE: readonly FilterSettings[] = [
  { frequency_drop: [10] },
  { packet_loss: [10] },
  { bpf: [BPF] },
  { corrupt: [10] },
  { delay: [100, 10] },
];
const ALL_FIVE: FilterSettings = Object.assign({}, ...ALONE);

export function benchFilters(frames: readonly ReplayFrame[]): void {
  heading("filters (bpf: tcp port 80 and host 10.0.0.1)");
  for (const settings of ALONE) {
    benchRate(Object.keys(settings)[0]!, "packets", frames.length, () => runChain(settings, frames));
  }
  benchRate("suspend", "packets", frames.length, () => runChain({}, frames, true));
  benchRate("all five", "packets", frames.length, () => runChain(ALL_FIVE, frames), TARGET);
  benchRate(
    "all five, a link in virtual time",
    "packets",
    frames.length,
    () => runLink(ALL_FIVE, frames),
    TARGET,
  );
  const impairments = impairmentsOf();
  const alone = "delay, Gilbert-Elliott, rate, CoDel";
  benchRate(alone, "packets", frames.length, () => runLink({}, frames, impairments), IMPAIRED_TARGET);
  benchRate(
    "all five and these",
    "packets",
    frames.length,
    () => runLink(ALL_FIVE, frames, impairments),
    IMPAIRED_TARGET,
  );
}

/** Delay, losses in bursts, a rate near that of the capture, and CoDel. */
const IMPAIRMENTS = parseImpairments({
  both: {
    delay: "20ms",
    loss: { gilbert_elliott: { p: "1%", r: "30%", "1-h": "70%", "1-k": "0.1%" } },
    rate: "200mbit",
    queue: { discipline: "codel" },
  },
});

function impairmentsOf(): Impairments {
  if (!IMPAIRMENTS.ok) throw new Error(JSON.stringify(IMPAIRMENTS.problems));
  return IMPAIRMENTS.impairments;
}

function chainOptions(settings: FilterSettings, suspended = false) {
  const bpfPredicates = settings.bpf?.map((expression) => compileFilter(expression)) ?? [];
  return { seed: 1, streamName: "bench", direction: "a-to-b", settings, suspended, bpfPredicates } as const;
}

function runChain(settings: FilterSettings, frames: readonly ReplayFrame[], suspended = false): number {
  const chain = makeFilterChain(chainOptions(settings, suspended));
  const passage: Passage = { data: new Uint8Array(0), wireLength: 0, delayNs: 0 };
  let delivered = 0;
  for (const frame of frames) {
    passage.data = frame.data;
    passage.wireLength = frame.originalLength;
    passage.delayNs = 0;
    if (chain.admit(passage)) delivered += 1;
  }
  return delivered;
}

/** Replays frames over a link, counts the deliveries and discards them. */
function runLink(
  settings: FilterSettings,
  frames: readonly ReplayFrame[],
  impairments?: Impairments,
): number {
  let sizeBytes = 0;
  const impaired = impairments && { impairments: { impairments, startUs: 0 } };
  const replay = new LinkReplay({ ...chainOptions(settings), ...impaired }, (frame) => {
    sizeBytes += frame.data.length;
  });
  for (const frame of frames) replay.enter(frame);
  return replay.finish().packets.delivered + sizeBytes;
}
