/** `match` for a pcapng: each interface has a link type of its own, so the expression is compiled for each. */

import {
  type CaptureFrame,
  type CaptureInterface,
  LINKTYPE_ETHERNET,
  makeCaptureReader,
} from "../engine/pcap/index.ts";
import { PcapngSieve } from "../engine/pcap/pcapng-sieve.ts";
import type { Transfer } from "./capture-transfer.ts";
import { compileExpression } from "./packet-filter.ts";

const CHUNK_BYTES = 65_536;
/** In a file that describes no interface, an expression is only checked. */
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
  // Two in turn: the sieve has the rest of one until it gets the other.
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

/** Throws a CaptureError for a file that does not begin as a pcapng does. */
function checkFormat(beginning: Uint8Array): void {
  const reader = makeCaptureReader();
  reader.push(beginning);
  if (reader.format !== "pcapng") reader.finish();
}
