/** Reads and writes capture files in memory. */

import { makeCaptureReader, RecordEncoder } from "@wirelab/engine/pcap/index";
import { FILE_HEADER_BYTES, RecordSieve } from "@wirelab/engine/pcap/record-sieve";
import type { BenchCapture } from "./engine-capture.ts";
import { benchRate, heading } from "./engine-measure.ts";

const CHUNK_BYTES = 65_536;

export function benchCaptures({ file, frames }: BenchCapture): void {
  heading("capture files");
  benchRate("write", "packets", frames.length, () => writeRecords(frames));
  benchRate("read, 64 KiB chunks", "packets", frames.length, () => readInChunks(file));
  benchRate("sieve that keeps nothing", "packets", frames.length, () => siftFile(file));
}

function writeRecords(frames: BenchCapture["frames"]): number {
  const encoder = new RecordEncoder();
  let sizeBytes = 0;
  for (const { seconds, nanoseconds, data, originalLength } of frames) {
    encoder.write(seconds, nanoseconds, data, originalLength);
    if (encoder.sizeBytes > CHUNK_BYTES) sizeBytes += encoder.take().length;
  }
  return sizeBytes + encoder.take().length;
}

function readInChunks(file: Uint8Array): number {
  const reader = makeCaptureReader();
  let count = 0;
  for (let start = 0; start < file.length; start += CHUNK_BYTES) {
    count += reader.push(file.subarray(start, start + CHUNK_BYTES)).length;
  }
  reader.finish();
  return count;
}

function siftFile(file: Uint8Array): number {
  const sieve = new RecordSieve(file.subarray(0, FILE_HEADER_BYTES));
  sieve.sift(file, FILE_HEADER_BYTES, file.length, () => false);
  return sieve.packets;
}
