/** Answers that are sent while they are read. */
import { Readable } from "node:stream";

/**
 * Reads the first chunks before anything is answered: what cannot be begun fails as a request does, with a status, and not as
 * a transfer that breaks off.
 * @param chunks how many; fewer when there are no more.
 * @throws what the source throws meanwhile.
 */
export async function begunStream(source: AsyncGenerator<Uint8Array>, chunks: number): Promise<Readable> {
  const first: Uint8Array[] = [];
  let isOver = false;
  while (first.length < chunks && !isOver) {
    const { done, value } = await source.next();
    if (done) isOver = true;
    else first.push(value);
  }
  const stream = Readable.from(join(first, source));
  // Also when nobody has read anything of it.
  stream.once("close", () => void source.return(undefined));
  return stream;
}

async function* join(
  first: readonly Uint8Array[],
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* first;
  yield* rest;
}
