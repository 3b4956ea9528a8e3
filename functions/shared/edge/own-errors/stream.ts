import { define, type Facts } from "../error-definition.ts";

/** Errors of streamed responses. */
export const STREAM_ERRORS = {
  "events.expired": define(
    410,
    (f: Facts<"since">) =>
      `The events after ${f.since} are no longer kept; read anew, and follow without since`,
  ),
  "stream.too-long": define(
    409,
    (f: Facts<"bytes" | "limit" | "advice">) =>
      `The file has ${f.bytes} bytes, and a response has at most ${f.limit}; ${f.advice}`,
  ),
} as const;
