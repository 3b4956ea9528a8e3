/** Reads many parts in parallel, and yields them in order. */

const MOST_READS = 16;
/** Of parts under way or waiting for their turn; a single one may be larger. */
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
      // A failure is thrown when its turn comes; until then, or when nobody reads on, it is handled here.
      reading.catch(() => undefined);
      begun.push(reading);
      bytes += part.length;
      next += 1;
    }
    yield await begun.shift()!;
    bytes -= length;
  }
}
