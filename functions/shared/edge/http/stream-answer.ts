/** Sends a response through the response stream of Lambda's runtime. */
import { Readable, Writable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import type { ProxyResult } from "./response.ts";

/**
 * Resolves when the response has been sent; rejects when its source fails in the middle. The runtime then ends the response
 * with a trailer that reports the error, for which it needs the stream open. Destroying the stream ends the runtime's process.
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-custom.html#runtimes-custom-response-streaming
 */
export async function streamAnswer(
  { body, ...head }: ProxyResult,
  stream: awslambda.HttpResponseStream,
): Promise<void> {
  const output = awslambda.HttpResponseStream.from(stream, head);
  // The first write sends the head, even if the response has no body.
  output.write("");
  const sink = writeTo(output);
  if (body instanceof Readable) await pipeline(body, sink);
  else await finished(sink.end(body));
}

/** Makes a stream that writes to the output and ends it; a failure of this stream does not destroy the output. */
function writeTo(output: Writable): Writable {
  const sink = new Writable({
    write(chunk, _encoding, written) {
      if (output.write(chunk)) written();
      else output.once("drain", written);
    },
    final: (ended) => void output.end(ended),
  });
  // A closed output never emits `drain`.
  output.once("error", (error) => sink.destroy(error));
  output.once("close", () => sink.destroy());
  return sink;
}
