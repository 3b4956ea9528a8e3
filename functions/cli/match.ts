/**
 * `wirelab match`: the packets of a capture that match an expression.
 *
 * A classic pcap goes through the sieve: what comes out is the file's own header and records, byte for byte. A pcapng is
 * read frame by frame and comes out as a classic pcap with nanoseconds.
 */

import { FILE_HEADER_BYTES, isClassic, MAX_RECORD_BYTES, RecordSieve } from "../engine/pcap/record-sieve.ts";
import { readFully } from "./capture-input.ts";
import { type Transfer, transferCapture } from "./capture-transfer.ts";
import { parseCommandLine, STANDARD_STREAM, type Surroundings } from "./command-line.ts";
import { compileRecordTest, filterLinkType } from "./packet-filter.ts";

export const help = `Usage: wirelab match EXPR in.pcap [out.pcap]

Keeps the packets of a capture (pcap or pcapng) that match a pcap-filter(7) expression: wirelab match 'tcp port 80' ...
Link type, times and lengths stay as they are; out of a pcapng comes a pcap with nanoseconds.
Without out.pcap, or with "-", the packets go to standard output; without it and on a terminal they are only counted.
`;

/** Bytes read at a time: enough to make a read cheap, few enough to stay in a processor's cache. */
const CHUNK_BYTES = 262_144;

export interface MatchCounts {
  packets: number;
  kept: number;
}

export async function run(args: string[], surroundings: Surroundings): Promise<void> {
  const { positionals } = parseCommandLine(args, {
    options: {},
    positionals: ["EXPR", "in.pcap", "[out.pcap]"],
  });
  const [expression, inPath, outPath] = positionals as [string, string, string?];
  const onlyCount = outPath === undefined && surroundings.stdout.isTTY === true;
  const target = onlyCount ? undefined : (outPath ?? STANDARD_STREAM);
  const { kept, packets } = await transferCapture(inPath, target, surroundings, (transfer) =>
    matchCapture(expression, transfer),
  );
  const summary = `${kept} of ${packets} packets match\n`;
  (onlyCount ? surroundings.stdout : surroundings.stderr).write(summary);
}

async function matchCapture(expression: string, transfer: Transfer): Promise<MatchCounts> {
  const header = new Uint8Array(FILE_HEADER_BYTES);
  const beginning = header.subarray(0, await readFully(transfer.input, header));
  if (isClassic(beginning)) return siftRecords(expression, transfer, header);
  const { matchFrames } = await import("./match-frames.ts");
  return matchFrames(expression, transfer, beginning);
}

/**
 * One buffer, with room before a chunk for what the last one left of its last record:
 *
 *     [ free | rest of the last chunk | chunk ]
 */
async function siftRecords(
  expression: string,
  { input, output, progress }: Transfer,
  header: Uint8Array,
): Promise<MatchCounts> {
  const sieve = new RecordSieve(header);
  const passes = compileRecordTest(expression, filterLinkType(sieve.linkType));
  await output.write(header);
  const buffer = new Uint8Array(MAX_RECORD_BYTES + CHUNK_BYTES);
  const chunk = buffer.subarray(MAX_RECORD_BYTES);
  let start = MAX_RECORD_BYTES;
  for (let count = await input.read(chunk); count > 0; count = await input.read(chunk)) {
    const end = MAX_RECORD_BYTES + count;
    sieve.sift(buffer, start, end, passes);
    if (sieve.keptEnd > start) await output.write(buffer.subarray(start, sieve.keptEnd));
    if (sieve.fault !== undefined) throw sieve.fault;
    progress.advance(count);
    start = MAX_RECORD_BYTES - (end - sieve.restStart);
    buffer.copyWithin(start, sieve.restStart, end);
  }
  sieve.finish(buffer.subarray(start, MAX_RECORD_BYTES));
  return sieve;
}
