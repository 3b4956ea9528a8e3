/** Response bodies that are sent while their source is still being read. */
import { AsyncLocalStorage } from "node:async_hooks";
import { Readable } from "node:stream";

/** @param gone is aborted when the body is destroyed; the source must then stop waiting. */
export type Source = (gone: AbortSignal) => AsyncGenerator<Uint8Array>;

/**
 * Reads the first chunks before the response begins, so that a source that fails at once causes an error response with a status, not
 * a truncated transfer. Reads the rest on demand, with the request's metrics.
 * @param chunks how many chunks to read first; fewer if the source ends.
 * @throws the source's error while these are read.
 */
export async function begunStream(open: Source, chunks: number): Promise<Readable> {
  const gone = new AbortController();
  const source = open(gone.signal);
  const first: Uint8Array[] = [];
  while (first.length < chunks) {
    const { done, value } = await source.next();
    if (done) break;
    first.push(value);
  }
  return new Body(
    first,
    AsyncLocalStorage.bind(() => source.next()),
    () => {
      gone.abort();
      // The consumer is gone, so an error of the source has no reader.
      source.return(undefined).catch(() => undefined);
    },
  );
}

/** Destroyed without waiting for the source, which may take minutes; the stream of `Readable.from` would wait. */
class Body extends Readable {
  readonly #first: Uint8Array[];
  readonly #next: () => Promise<IteratorResult<Uint8Array>>;
  readonly #leave: () => void;

  constructor(first: Uint8Array[], next: () => Promise<IteratorResult<Uint8Array>>, leave: () => void) {
    super();
    this.#first = first;
    this.#next = next;
    this.#leave = leave;
  }

  override _read(): void {
    const chunk = this.#first.shift();
    if (chunk !== undefined) this.push(chunk);
    else
      this.#next().then(
        ({ done, value }) => this.push(done ? null : value),
        (error: Error) => this.destroy(error),
      );
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#leave();
    done(error);
  }
}
