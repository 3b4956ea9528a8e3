/** Reads many parts in parallel and yields them in order. */

const MOST_READS = 16;
/** Bounds the bytes of parts that are being read or waiting for their turn; a single part may be larger. */
const MOST_BYTES = 16 * 1024 * 1024;

/** @param parts with their sizes in bytes. */
export async function* readAhead<T extends { readonly length: number }, R>(
  parts: readonly T[],
  read: (part: T) => Promise<R>,
): AsyncGenerator<R> {
  const begun: Promise<R>[] = [];
  let bytes = 0;
  let next = 0;
  for (const { length } of parts) {
    while (begun.length < MOST_READS && next < parts.length) {
      const part = parts[next]!;
      if (begun.length > 0 && bytes + part.length > MOST_BYTES) break;
      const reading = read(part);
      // A failure is thrown at its part's turn. Until then, or when the consumer stops, this handler prevents an unhandled rejection.
      reading.catch(() => undefined);
      begun.push(reading);
      bytes += part.length;
      next += 1;
    }
    yield await begun.shift()!;
    bytes -= length;
  }
}
