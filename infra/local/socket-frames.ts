/** Measures the frames that a client sends: `ws` bounds messages, and API Gateway also bounds frames. */
import type { Duplex } from "node:stream";

const LENGTH_OF_16_BITS = 126;
const LENGTH_OF_64_BITS = 127;

/** @returns a function that reads a stream of frames in any chunks, and returns the size of the largest frame that began in the chunk. */
export function makeFrameMeter(): (chunk: Uint8Array) => number {
  let header: number[] = [];
  let toSkip = 0;
  return (chunk) => {
    let largest = 0;
    for (let offset = 0; offset < chunk.length; ) {
      if (toSkip > 0) {
        const skipped = Math.min(toSkip, chunk.length - offset);
        toSkip -= skipped;
        offset += skipped;
        continue;
      }
      header.push(chunk[offset++]!);
      const payload = payloadOf(header);
      if (payload === undefined) continue;
      header = [];
      toSkip = payload;
      largest = Math.max(largest, payload);
    }
    return largest;
  };
}

/** @returns undefined until the header is complete. */
function payloadOf(header: readonly number[]): number | undefined {
  const [, second] = header;
  if (second === undefined) return undefined;
  const code = second & 0x7f;
  const lengthBytes = code === LENGTH_OF_64_BITS ? 8 : code === LENGTH_OF_16_BITS ? 2 : 0;
  const maskBytes = second & 0x80 ? 4 : 0;
  if (header.length < 2 + lengthBytes + maskBytes) return undefined;
  if (lengthBytes === 0) return code;
  return header.slice(2, 2 + lengthBytes).reduce((length, byte) => length * 256 + byte, 0);
}

/** Calls `onTooLong` once when a frame begins that is longer than the limit, before `ws` has read it. */
export function watchFrames(socket: Duplex, maxBytes: number, onTooLong: () => void): void {
  const measure = makeFrameMeter();
  const read = (chunk: Uint8Array): void => {
    if (measure(chunk) <= maxBytes) return;
    socket.off("data", read);
    onTooLong();
  };
  socket.prependListener("data", read);
}
