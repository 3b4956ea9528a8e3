/** `match` for a pcapng: each interface has its own link type, so the expression is compiled once per interface. */

import {
  type CaptureFrame,
  type CaptureInterface,
  LINKTYPE_ETHERNET,
  makeCaptureReader,
} from "@wirelab/engine/pcap/index";
import { PcapngSieve } from "@wirelab/engine/pcap/pcapng-sieve";
import type { Transfer } from "./capture-transfer.ts";
import { compileExpression } from "./packet-filter.ts";

const CHUNK_BYTES = 65_536;
/** The interface assumed for a file that describes none: the expression is then only checked. */
const ETHERNET: CaptureInterface = { linkType: LINKTYPE_ETHERNET, snaplen: 0, littleEndian: true };

export async function siftBlocks(
  expression: string,
  { input, output, progress }: Transfer,
  beginning: Uint8Array,
): Promise<PcapngSieve> {
  checkFormat(beginning);
  const tests: ReturnType<typeof compileExpression>[] = [];
  const testOf = (interfaceId: number, described = sieve.interfaces[interfaceId]) => {
    tests[interfaceId] ??= compileExpression(expression, described ?? ETHERNET);
    return tests[interfaceId];
  };
  const sieve = new PcapngSieve(({ interfaceId, data, originalLength }: CaptureFrame) =>
    testOf(interfaceId)(data, originalLength),
  );
  // Two alternating buffers, because the sieve keeps the remainder of one until it gets the other.
  let next = new Uint8Array(CHUNK_BYTES);
  let other = new Uint8Array(CHUNK_BYTES);
  for (let chunk = beginning; chunk.length > 0; ) {
    for (const run of sieve.sift(chunk)) await output.write(run);
    if (sieve.fault !== undefined) throw sieve.fault;
    progress.advance(chunk.length);
    chunk = next.subarray(0, await input.read(next));
    [next, other] = [other, next];
  }
  testOf(0);
  return sieve;
}

/** Throws a CaptureError if the file does not begin like a pcapng. */
function checkFormat(beginning: Uint8Array): void {
  const reader = makeCaptureReader();
  reader.push(beginning);
  if (reader.format !== "pcapng") reader.finish();
}
