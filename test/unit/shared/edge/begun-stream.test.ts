import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { expect, test } from "vitest";
import { begunStream } from "../../../../functions/shared/edge/begun-stream.ts";
import { settles } from "../../../helpers/settles.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text);

async function* source(...steps: (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const step of steps) {
    if (step instanceof Error) throw step;
    yield bytes(step);
  }
}

const textOf = async (stream: AsyncIterable<Uint8Array>): Promise<string> => {
  let text = "";
  for await (const chunk of stream) text += Buffer.from(chunk).toString();
  return text;
};

test.each([0, 1, 2, 3, 9])(
  "sends the whole source in order when %i chunks are read first",
  async (chunks) => {
    expect(await textOf(await begunStream(() => source("a", "b", "c"), chunks))).toBe("abc");
  },
);

test("a failure among the first chunks rejects before the stream exists", async () => {
  const broken = new Error("no bucket");
  await expect(begunStream(() => source("header", broken), 2)).rejects.toBe(broken);
});

test("a later failure destroys the stream", async () => {
  const stream = await begunStream(() => source("header", "packets", new Error("no bucket")), 2);
  await expect(textOf(stream)).rejects.toThrow("no bucket");
});

test.each([0, 3])("a reader that closes after %i chunks ends the source", async (chunks) => {
  let ended = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield bytes("x");
    } finally {
      ended = true;
    }
  }
  const stream = await begunStream(endless, 2);
  const reader = stream[Symbol.asyncIterator]();
  for (let read = 0; read < chunks; read++) await reader.next();
  stream.destroy();
  await settles(() => expect(ended).toBe(true));
});

test("a destroyed body closes at once, and ends its waiting source", async () => {
  let ended = false;
  async function* idle(gone: AbortSignal): AsyncGenerator<Uint8Array> {
    yield bytes("header");
    await once(gone, "abort");
    ended = true;
  }
  const stream = await begunStream(idle, 1);
  stream.resume();
  await once(stream, "data");
  stream.destroy();
  await once(stream, "close");
  await settles(() => expect(ended).toBe(true));
});

test("a source that never continues does not delay the end of its destroyed body", async () => {
  async function* stuck(): AsyncGenerator<Uint8Array> {
    yield bytes("header");
    await new Promise(() => {});
  }
  const stream = await begunStream(stuck, 1);
  stream.resume();
  await once(stream, "data");
  stream.destroy();
  await once(stream, "close");
});

test("reads the source in the async context in which the body began", async () => {
  const context = new AsyncLocalStorage<string>();
  async function* names(): AsyncGenerator<Uint8Array> {
    for (let read = 0; read < 2; read++) yield bytes(context.getStore() ?? "none");
  }
  const stream = await context.run("caller ", () => begunStream(names, 1));
  expect(await textOf(stream)).toBe("caller caller ");
});
