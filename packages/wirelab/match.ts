/**
 * `wirelab match`: selects the packets of a capture that match an expression.
 *
 * For both formats the output consists of the file's own header and matching records or blocks, byte for byte.
 */

import { type CaptureError, findCutOff } from "@wirelab/engine/pcap/capture-error";
import {
  FILE_HEADER_BYTES,
  isClassic,
  MAX_RECORD_BYTES,
  RecordSieve,
} from "@wirelab/engine/pcap/record-sieve";
import { readFully } from "./capture-input.ts";
import { type Transfer, transferCapture } from "./capture-transfer.ts";
import { parseCommandLine, STANDARD_STREAM, type Surroundings } from "./command-line.ts";
import { CutOffError } from "./failure.ts";
import { compileRecordTest } from "./packet-filter.ts";

export const help = `Usage: wirelab match EXPR in.pcap [out.pcap]

Keeps the packets of a capture (pcap or pcapng) that match a pcap-filter(7) expression: wirelab match 'tcp port 80' ...
What is kept stays as it is: a pcapng stays one, with its interfaces, names and comments.
Of a capture that is cut off in the middle of a packet, the packets before that are used; the exit status is 1.
Without out.pcap, or with "-", the packets go to standard output; without it and on a terminal they are only counted.
`;

/** Bytes per read: enough for efficient reads, few enough to fit in a processor's cache. */
const CHUNK_BYTES = 262_144;

interface Sieve {
  readonly packets: number;
  readonly kept: number;
}

export async function run(args: string[], surroundings: Surroundings): Promise<void> {
  const { positionals } = parseCommandLine(args, {
    options: {},
    positionals: ["EXPR", "in.pcap", "[out.pcap]"],
  });
  const [expression, inPath, outPath] = positionals as [string, string, string?];
  const onlyCount = outPath === undefined && surroundings.stdout.isTTY === true;
  const target = onlyCount ? undefined : (outPath ?? STANDARD_STREAM);
  const { sieve, cutOff } = await transferCapture(inPath, target, surroundings, (transfer) =>
    matchCapture(expression, transfer),
  );
  const summary = `${sieve.kept} of ${sieve.packets} packets match\n`;
  (onlyCount ? surroundings.stdout : surroundings.stderr).write(summary);
  if (cutOff !== undefined) throw new CutOffError(cutOff, sieve.packets);
}

interface Matched {
  readonly sieve: Sieve;
  readonly cutOff: CaptureError | undefined;
}

async function matchCapture(expression: string, transfer: Transfer): Promise<Matched> {
  const header = new Uint8Array(FILE_HEADER_BYTES);
  const beginning = header.subarray(0, await readFully(transfer.input, header));
  if (isClassic(beginning)) return siftRecords(expression, transfer, header);
  const { siftBlocks } = await import("./match-blocks.ts");
  const sieve = await siftBlocks(expression, transfer, beginning);
  return { sieve, cutOff: findCutOff(() => sieve.finish()) };
}

/**
 * Uses one buffer, with space before a chunk for the incomplete last record of the previous chunk:
 *
 *     [ free | rest of the previous chunk | chunk ]
 */
async function siftRecords(
  expression: string,
  { input, output, progress }: Transfer,
  header: Uint8Array,
): Promise<Matched> {
  const sieve = new RecordSieve(header);
  const passes = compileRecordTest(expression, sieve.interface);
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
  const rest = buffer.subarray(start, MAX_RECORD_BYTES);
  return { sieve, cutOff: findCutOff(() => sieve.finish(rest)) };
}
