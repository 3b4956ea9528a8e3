/** Response bodies that are sent while their source is still being read. */
import { AsyncLocalStorage } from "node:async_hooks";
import { Readable } from "node:stream";

/** @param gone is aborted as soon as the body is destroyed: the source must not wait past that. */
export type Source = (gone: AbortSignal) => AsyncGenerator<Uint8Array>;

/**
 * Reads the first chunks before the response begins: a source that fails at once becomes an error response with a status, and not a
 * transfer that breaks off. The rest is read on demand, with the caller's access and metrics.
 * @param chunks how many chunks to read first; fewer if the source ends.
 * @throws what the source throws while these are read.
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
      // The error of a source that nobody reads any more.
      source.return(undefined).catch(() => undefined);
    },
  );
}

/** Unlike the stream that `Readable.from` makes, it is destroyed without waiting for the source, which may wait for minutes. */
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
