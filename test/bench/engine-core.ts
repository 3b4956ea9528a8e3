/**
 * How fast the engine's core is: filters, event queue, capture files. Prints the median of five rounds of each.
 *
 *     node test/bench/engine-core.ts [--packets 1000000] [--only <text>]
 */

import { parseArgs } from "node:util";
import { EventQueue } from "../../functions/engine/event-queue.ts";
import {
  type FilterSettings,
  makeFilterChain,
  type PacketPredicate,
  type Passage,
} from "../../functions/engine/filters/index.ts";
import { encodeCapture, makeCaptureReader, RecordEncoder } from "../../functions/engine/pcap/index.ts";
import { makeStream } from "../../functions/engine/random.ts";
import { LinkReplay, type ReplayFrame, replayThroughLink } from "../../functions/engine/replay.ts";

const ROUNDS = 5;
const FRAME_BYTES = 100;
const EVENTS = 2_000_000;
const CHUNK_BYTES = 65_536;
const ETHERTYPE_AT = 12;

const { values } = parseArgs({
  options: { packets: { type: "string", default: "1000000" }, only: { type: "string" } },
});
const packetCount = Number(values.packets);
const frames = makeFrames(packetCount);

/** Stands for a compiled expression: an EtherType comparison, which the generated frames never meet. */
const matchesArp: PacketPredicate = (packet) =>
  packet.length >= ETHERTYPE_AT + 2 && packet[ETHERTYPE_AT] === 0x08 && packet[ETHERTYPE_AT + 1] === 0x06;

const allFilters: FilterSettings = {
  frequency_drop: [10],
  packet_loss: [10],
  delay: [100, 10],
  corrupt: [10],
  bpf: ["arp"],
};

measure("filter frequency_drop", "packets", packetCount, () => runChain({ frequency_drop: [10] }));
measure("filter packet_loss", "packets", packetCount, () => runChain({ packet_loss: [10] }));
measure("filter bpf (one comparison)", "packets", packetCount, () => runChain({ bpf: ["arp"] }));
measure("filter corrupt", "packets", packetCount, () => runChain({ corrupt: [10] }));
measure("filter delay", "packets", packetCount, () => runChain({ delay: [100, 10] }));
measure("filter suspend", "packets", packetCount, () => runChain({}, true));
measure("all five filters", "packets", packetCount, () => runChain(allFilters));
measure("replay, all five, streamed", "packets", packetCount, () => streamReplay(allFilters));
measure("replay without filters", "packets", packetCount, () => runReplay({}));
measure("replay, all five filters", "packets", packetCount, () => runReplay(allFilters));
for (const pending of [100, 1_000, 10_000, 100_000]) {
  measure(`event queue, ${pending} pending`, "events", EVENTS, holdModel(pending));
}
measure("event queue, in order", "events", EVENTS, inOrder);

const file: Uint8Array = encodeCapture(frames, { linkType: 1 });
measure("pcap write", "packets", packetCount, writeRecords, file.length);
measure("pcap read, one chunk", "packets", packetCount, () => readInChunks(file.length), file.length);
measure("pcap read, 64 KiB chunks", "packets", packetCount, () => readInChunks(CHUNK_BYTES), file.length);

/** Frames of one size, 10 microseconds apart, each with bytes of its own. */
function makeFrames(count: number): ReplayFrame[] {
  const bytes = new Uint8Array(count * FRAME_BYTES);
  for (let index = 0; index < bytes.length; index++) bytes[index] = (index * 31) & 0xff;
  return Array.from({ length: count }, (_, index) => ({
    seconds: 1_700_000_000 + Math.floor(index / 100_000),
    nanoseconds: (index % 100_000) * 10_000,
    data: bytes.subarray(index * FRAME_BYTES, (index + 1) * FRAME_BYTES),
    originalLength: FRAME_BYTES,
  }));
}

function chainOptions(settings: FilterSettings, suspended = false) {
  const bpfPredicates = settings.bpf ? [matchesArp] : [];
  return { seed: 1, linkId: "bench", direction: "a-to-b", settings, suspended, bpfPredicates } as const;
}

/** The filters alone, without time. */
function runChain(settings: FilterSettings, suspended = false): number {
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

function runReplay(settings: FilterSettings): number {
  return replayThroughLink({ ...chainOptions(settings), frames }).delivered.length;
}

/** A replay whose deliveries are not kept. */
function streamReplay(settings: FilterSettings): number {
  let sizeBytes = 0;
  const replay = new LinkReplay(chainOptions(settings), (frame) => {
    sizeBytes += frame.data.length;
  });
  for (const frame of frames) replay.enter(frame);
  return replay.finish().packets.delivered + sizeBytes;
}

/** The classic hold model: as many events as given wait; each one taken out puts one in at a random later time. */
function holdModel(pending: number): () => number {
  const random = makeStream("hold", String(pending));
  const stepsNs = Float64Array.from({ length: 65_536 }, () => random.below(1_000_000));
  return () => {
    const queue = new EventQueue<number>();
    for (let event = 0; event < pending; event++) queue.push(stepsNs[event & 0xffff] as number, event);
    for (let event = 0; event < EVENTS; event++) {
      const payload = queue.pop() as number;
      queue.push(queue.nowNs + (stepsNs[event & 0xffff] as number), payload);
    }
    return queue.size;
  };
}

/** A fixed delay: 1,000 events in flight, each later than all before it. */
function inOrder(): number {
  const queue = new EventQueue<number>();
  for (let event = 0; event < EVENTS; event++) {
    queue.push(event * 1_000 + 1_000_000, event);
    if (queue.size > 1_000) queue.pop();
  }
  return queue.size;
}

function writeRecords(): number {
  const encoder = new RecordEncoder();
  for (const frame of frames)
    encoder.write(frame.seconds, frame.nanoseconds, frame.data, frame.originalLength);
  return encoder.take().length;
}

function readInChunks(chunkBytes: number): number {
  const reader = makeCaptureReader();
  let count = 0;
  for (let start = 0; start < file.length; start += chunkBytes) {
    count += reader.push(file.subarray(start, start + chunkBytes)).length;
  }
  reader.finish();
  return count;
}

/** Runs one case ROUNDS times after a warm-up and prints what the median round achieved. */
function measure(name: string, unit: string, count: number, run: () => number, sizeBytes = 0): void {
  if (values.only !== undefined && !name.includes(values.only)) return;
  run();
  const seconds = Array.from({ length: ROUNDS }, () => timeSeconds(run)).sort((a, b) => a - b);
  const median = seconds[Math.floor(ROUNDS / 2)] as number;
  const rate = Math.round(count / median).toLocaleString("en-US");
  const volume = sizeBytes === 0 ? "" : `  ${Math.round(sizeBytes / median / 1e6)} MB/s`;
  console.log(`${name.padEnd(32)} ${rate.padStart(14)} ${unit}/s${volume}`);
}

function timeSeconds(run: () => number): number {
  const start = performance.now();
  run();
  return (performance.now() - start) / 1000;
}
