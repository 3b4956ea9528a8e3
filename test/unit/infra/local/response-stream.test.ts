import { expect, test } from "vitest";
import { ResponseStream } from "../../../../infra/local/response-stream.ts";

test("a client that goes is told to the function as one that has gone, not as a fault of its own", () => {
  const stream = new ResponseStream("1", () => {});
  stream.cancel();
  expect(stream.errored).toMatchObject({ message: "the client has gone", code: "ABORT_ERR" });
});
