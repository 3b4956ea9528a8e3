import { once } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { FromWorker } from "../../../../infra/local/lambda-messages.ts";
import { ResponseStream } from "../../../../infra/local/response-stream.ts";

/** Returns a stream with a prelude, and a list that gets a line for each message that it posts. */
function makeStream() {
  const posted: string[] = [];
  const stream = new ResponseStream("1", (message: FromWorker) => {
    const bytes = "bytes" in message ? ` ${Buffer.from(message.bytes)}` : "";
    const prelude = "prelude" in message ? ` ${message.prelude}` : "";
    posted.push(`${message.kind}${prelude}${bytes}`);
  });
  stream.prelude = "{}";
  return { stream, posted };
}

const ended = (stream: ResponseStream) => once(stream, "close");

test("a disconnected client is reported to the function with ABORT_ERR, and posts no fault", () => {
  const { stream, posted } = makeStream();
  stream.write("begun");
  stream.cancel();
  expect(stream.errored).toMatchObject({ message: "the client has gone", code: "ABORT_ERR" });
  expect(posted).toEqual([]);
});

describe("a response that is complete at once", () => {
  test.each([
    [["a"], "whole {} a"],
    [["", "a", "", "bc"], "whole {} abc"],
    [[""], "whole {} "],
  ])("with the writes %j is one message", async (writes, message) => {
    const { stream, posted } = makeStream();
    for (const text of writes) stream.write(text);
    stream.end();
    await ended(stream);
    expect(posted).toEqual([message]);
  });

  test("keeps its bytes when the handler reuses the buffer", async () => {
    const { stream, posted } = makeStream();
    const buffer = Buffer.from("a");
    stream.write(buffer);
    buffer.write("b");
    stream.end();
    await ended(stream);
    expect(posted).toEqual(["whole {} a"]);
  });

  test("without a write is a fault", async () => {
    const { stream, posted } = makeStream();
    stream.end();
    await ended(stream);
    expect(posted).toEqual(["fault"]);
  });
});

describe("a response that continues later", () => {
  test("sends its head and the first chunks before the event loop waits", async () => {
    const { stream, posted } = makeStream();
    stream.write("");
    stream.write("a");
    await turn();
    expect(posted).toEqual(["head {}", "chunk a"]);
    stream.end();
    await ended(stream);
    expect(posted).toEqual(["head {}", "chunk a", "end"]);
  });

  test("waits for the client after each chunk", async () => {
    const { stream, posted } = makeStream();
    stream.write("a");
    await turn();
    stream.write("b");
    stream.write("c");
    await turn();
    expect(posted.slice(1)).toEqual(["chunk a", "chunk b"]);
    stream.takeMore();
    await turn();
    expect(posted.slice(1)).toEqual(["chunk a", "chunk b", "chunk c"]);
  });

  test("sends the buffered chunks when they are longer than one message", async () => {
    const { stream, posted } = makeStream();
    stream.write("a");
    stream.end("b".repeat(65_536));
    await turn();
    expect(posted.map((line) => line.slice(0, 9))).toEqual(["head {}", "chunk a", "chunk bbb"]);
    stream.takeMore();
    await ended(stream);
    expect(posted.at(-1)).toBe("end");
  });

  test("that fails has sent the chunks before", async () => {
    const { stream, posted } = makeStream();
    stream.write("a");
    stream.destroy(new Error("broken"));
    await turn();
    expect(posted).toEqual(["head {}", "chunk a", "fault"]);
  });
});
