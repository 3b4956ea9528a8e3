/** The way to a thread that answers each slice with its inputs. */

import { afterEach, describe, expect, test } from "vitest";
import { ThreadChannel } from "../../../packages/linux/guest/channel.ts";
import type { Message } from "../../../packages/linux/guest/guest.ts";
import type { OpenRequest, Reply, Request } from "../../../packages/linux/guest/protocol.ts";

const SCRIPT = new URL("../../helpers/echo-thread.js", import.meta.url);
const OPEN = { kind: "open", nowNs: 0 } as OpenRequest;

const frame = (bytes: number, value: number): Message => ({
  kind: "frame",
  port: 0,
  data: new Uint8Array(bytes).fill(value),
});
const typed = (text: string): Message => ({
  kind: "serial",
  port: 1,
  data: new TextEncoder().encode(text),
});
const slice = (toNs: number, ...inputs: Message[]): Request => ({ kind: "advance", toNs, inputs });

let channel: ThreadChannel;
afterEach(() => channel.close());

const ask = (request: Request): Reply => {
  channel.post(request);
  return channel.take();
};

describe.each([
  ["a thread that works beside", true],
  ["a thread that works when its reply is taken", false],
])("%s", (_, isParallel) => {
  test("answers slices in order, each with its own inputs", () => {
    channel = new ThreadChannel({ isParallel, script: SCRIPT });
    channel.post(OPEN);
    channel.post(slice(5_000, typed("a"), frame(60, 7)));
    channel.post(slice(9_000));
    expect(channel.take()).toEqual({ kind: "opened" });
    expect(channel.take()).toEqual({
      kind: "advanced",
      nowNs: 6_000,
      wakeNs: 6_005,
      outputs: [
        { ...typed("a"), atNs: 6_000 },
        { ...frame(60, 7), atNs: 6_000 },
      ],
    });
    expect(channel.take()).toEqual({ kind: "advanced", nowNs: 10_000, wakeNs: 10_005, outputs: [] });
  });

  test("takes and returns more bytes than the shared memory has, and goes on in it", () => {
    channel = new ThreadChannel({ isParallel, script: SCRIPT });
    const many = Array.from({ length: 40 }, (_, index) => frame(9_234, index));
    const { outputs } = ask(slice(0, ...many)) as Extract<Reply, { kind: "advanced" }>;
    expect(outputs).toEqual(many.map((each) => ({ ...each, atNs: 1_000 })));
    expect(ask(slice(0, typed("b")))).toMatchObject({ nowNs: 2_000, outputs: [{ atNs: 2_000 }] });
  });

  test("tells why a slice has failed, and answers the next", () => {
    channel = new ThreadChannel({ isParallel, script: SCRIPT });
    expect(ask(slice(0, typed("fail")))).toEqual({ kind: "failed", message: "it was told to" });
    expect(ask({ kind: "save" })).toEqual({ kind: "saved", difference: new Uint8Array(3), nowNs: 1_000 });
  });

  test("that does not answer has failed", () => {
    channel = new ThreadChannel({ isParallel, script: SCRIPT, timeoutMs: 2_000 });
    expect(ask(slice(0, typed("silence")))).toEqual({
      kind: "failed",
      message: "it did not answer within 2 s",
    });
  });
});

test("a taken output does not change with the next slice", () => {
  channel = new ThreadChannel({ isParallel: true, script: SCRIPT });
  const { outputs } = ask(slice(0, frame(60, 1))) as Extract<Reply, { kind: "advanced" }>;
  ask(slice(0, frame(60, 2)));
  expect(outputs[0]!.data).toEqual(new Uint8Array(60).fill(1));
});

test("a thread that dies before it answers has failed", () => {
  const script = new URL("data:text/javascript,process.exit(1)");
  channel = new ThreadChannel({ isParallel: true, script, timeoutMs: 500 });
  expect(ask(OPEN)).toEqual({ kind: "failed", message: "it did not answer within 0.5 s" });
});
