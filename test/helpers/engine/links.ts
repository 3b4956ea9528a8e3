/** Frames and chains for tests of the link filters. */

import { makeFilterChain } from "@wirelab/engine/link/filters/index";
import type { FilterSettings } from "@wirelab/engine/link/filters/settings";
import type { ReplayFrame } from "@wirelab/engine/link/replay";
import fc from "fast-check";
import type { ChainOptions } from "../../../packages/engine/link/filters/chain.ts";
import type {
  LinkFilter,
  PacketPredicate,
  Passage,
} from "../../../packages/engine/link/filters/link-filter.ts";

export function passageOf(data: Uint8Array, wireLength = data.length): Passage {
  return { data, wireLength, delayNs: 0 };
}

/** A filter's verdicts on `count` packets of the given size. */
export function verdicts(filter: LinkFilter, count: number, sizeBytes = 60): number[] {
  return Array.from({ length: count }, () => filter.decide(passageOf(new Uint8Array(sizeBytes))));
}

/** Matches packets whose first byte is odd, in place of a compiled expression. */
const firstByteIsOdd: PacketPredicate = (packet) => ((packet[0] ?? 0) & 1) === 1;

export function chainOptions(settings: FilterSettings, more: Partial<ChainOptions> = {}): ChainOptions {
  const bpfPredicates = settings.bpf ? [firstByteIsOdd] : [];
  return { seed: 1, streamName: "link", direction: "a-to-b", settings, bpfPredicates, ...more };
}

/** The numbers, from 0, of the packets out of `count` that a chain drops. Packet n has `sizeOf(n)` bytes, the first of them n. */
export function droppedBy(settings: FilterSettings, count: number, sizeOf = (_: number) => 60): Set<number> {
  const chain = makeFilterChain(chainOptions(settings));
  const dropped = new Set<number>();
  for (let number = 0; number < count; number++) {
    const data = new Uint8Array(sizeOf(number));
    data[0] = number & 0xff;
    if (!chain.admit(passageOf(data))) dropped.add(number);
  }
  return dropped;
}

/** A frame `offsetNs` after 2023-11-14 22:13:20 UTC. */
export function frameAt(offsetNs: number, data = Uint8Array.of(1, 2, 3)): ReplayFrame {
  const nanoseconds = ((offsetNs % 1e9) + 1e9) % 1e9;
  return {
    seconds: 1_700_000_000 + (offsetNs - nanoseconds) / 1e9,
    nanoseconds,
    data,
    originalLength: data.length,
  };
}

/** Any valid combination of settings; each filter is on or off. */
export const filterSettings: fc.Arbitrary<FilterSettings> = fc
  .record({
    frequency_drop: fc.option(fc.tuple(fc.constantFrom(-1, 1, 2, 3, 7, 32_767)), { nil: undefined }),
    packet_loss: fc.option(fc.tuple(fc.integer({ min: 1, max: 100 })), { nil: undefined }),
    delay: fc.option(fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 0, max: 400 })), {
      nil: undefined,
    }),
    corrupt: fc.option(fc.tuple(fc.integer({ min: 1, max: 100 })), { nil: undefined }),
    bpf: fc.option(fc.constant<[string]>(["odd"]), { nil: undefined }),
  })
  .map((settings) => Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)));

/** Any frames of a capture: sizes from empty, times within one second in any order. */
export const replayFrames: fc.Arbitrary<ReplayFrame[]> = fc.array(
  fc
    .record({ offsetNs: fc.integer({ min: 0, max: 1e9 }), data: fc.uint8Array({ maxLength: 40 }) })
    .map(({ offsetNs, data }) => frameAt(offsetNs, data)),
  { maxLength: 60 },
);
