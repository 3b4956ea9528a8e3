/** The way to a guest that was configured before, with a thread and recordings that the test plays. */

import { expect, test } from "vitest";
import type { Channel } from "../../../packages/linux/guest/channel.ts";
import { ConfiguredChannel, type Recordings } from "../../../packages/linux/guest/configured-channel.ts";
import type { AdvanceRequest, OpenRequest, Reply, Request } from "../../../packages/linux/guest/protocol.ts";
import type { Recording } from "../../../packages/linux/guest/recording.ts";

const OPEN = { kind: "open", nowNs: 0, difference: undefined } as OpenRequest;
const step = (text: string, toNs = 0): AdvanceRequest => ({
  kind: "advance",
  toNs,
  inputs: [{ kind: "serial", port: 1, data: Buffer.from(text) }],
});

/** Puts out all that it was ever given, so that a guest which has missed a request differs. */
class FakeThread implements Channel {
  readonly posted: string[] = [];
  #given = "";
  readonly #replies: Reply[] = [];

  post(request: Request): void {
    this.posted.push(request.kind);
    if (request.kind === "open" && request.difference)
      this.#given = Buffer.from(request.difference).toString();
    if (request.kind === "save")
      this.#replies.push({ kind: "saved", difference: Buffer.from(this.#given), nowNs: 7 });
    else if (request.kind === "advance") {
      this.#given += request.inputs.map(({ data }) => Buffer.from(data).toString()).join("");
      const data = Buffer.from(this.#given);
      const outputs = [{ kind: "serial", port: 1, atNs: request.toNs, data } as const];
      this.#replies.push({ kind: "advanced", nowNs: request.toNs, wakeNs: request.toNs, outputs });
    } else this.#replies.push({ kind: "opened" });
  }

  take(): Reply {
    return this.#replies.shift()!;
  }

  close(): void {
    this.posted.push("close");
  }
}

class FakeRecordings implements Recordings {
  stored: Recording | undefined;
  get areThere(): boolean {
    return this.stored !== undefined;
  }
  find(): Recording | undefined {
    return this.stored;
  }
  store(recording: Recording): void {
    this.stored = structuredClone(recording);
  }
}

function play(recordings: Recordings, requests: readonly Request[]) {
  const threads: FakeThread[] = [];
  const channel = new ConfiguredChannel(recordings, () => {
    threads.push(new FakeThread());
    return threads.at(-1)!;
  });
  const printed = [OPEN, ...requests].map((request) => {
    channel.post(request);
    const reply = channel.take();
    return reply.kind === "advanced"
      ? reply.outputs.map(({ data }) => Buffer.from(data).toString()).join()
      : reply.kind;
  });
  channel.close();
  return { printed, threads: threads.map(({ posted }) => posted) };
}

const CHECKPOINT: Request = { kind: "checkpoint" };
const CONFIGURED = [step("a"), step("b", 5), CHECKPOINT];

test("the first play is recorded until the checkpoint; the next begins its thread there, with equal replies", () => {
  const recordings = new FakeRecordings();
  const first = play(recordings, [...CONFIGURED, step("c")]);
  expect(first.printed).toEqual(["opened", "a", "ab", "opened", "abc"]);
  expect(first.threads).toEqual([["open", "advance", "advance", "save", "checkpoint", "advance", "close"]]);
  expect(recordings.stored!.nowNs).toBe(7);
  expect(Buffer.from(recordings.stored!.difference).toString()).toBe("ab");
  const second = play(recordings, [...CONFIGURED, step("d")]);
  expect(second.printed).toEqual(["opened", "a", "ab", "opened", "abd"]);
  expect(second.threads).toEqual([["open", "advance", "close"]]);
});

test.each([
  ["another input", [step("a"), step("x", 5), CHECKPOINT]],
  ["an input at another time", [step("a"), step("b", 6), CHECKPOINT]],
  ["an input more", [step("a"), step("b", 5), step("c", 6), CHECKPOINT]],
  ["a checkpoint that comes earlier", [step("a"), CHECKPOINT]],
])("%s: the thread gets all requests, and the play replaces the recording", (_name, requests) => {
  const recordings = new FakeRecordings();
  play(recordings, CONFIGURED);
  const expected = play(new FakeRecordings(), [...requests, step("z")]);
  const got = play(recordings, [...requests, step("z")]);
  expect(got).toEqual(expected);
  const textsOf = (those: readonly Request[]) =>
    those.flatMap((each) =>
      each.kind === "advance" ? [`${each.toNs} ${String(each.inputs[0]!.data)}`] : [],
    );
  const asBuffers = recordings.stored!.requests.map(({ toNs, inputs }) =>
    step(Buffer.from(inputs[0]!.data).toString(), toNs),
  );
  expect(textsOf(asBuffers)).toEqual(textsOf(requests));
  expect(recordings.stored!.replies).toHaveLength(requests.length - 1);
  expect(play(recordings, [...requests, step("z")]).threads).toEqual([["open", "advance", "close"]]);
});

test("a guest that is saved before its checkpoint is not recorded", () => {
  const recordings = new FakeRecordings();
  const { printed } = play(recordings, [step("a"), { kind: "save" }, step("b"), CHECKPOINT]);
  expect(printed).toEqual(["opened", "a", "saved", "ab", "opened"]);
  expect(recordings.stored).toBeUndefined();
});

test("a guest that is saved while a recording answers is opened after all", () => {
  const recordings = new FakeRecordings();
  play(recordings, CONFIGURED);
  const { printed, threads } = play(recordings, [step("a"), { kind: "save" }, step("q")]);
  expect(printed).toEqual(["opened", "a", "saved", "aq"]);
  expect(threads).toEqual([["open", "advance", "save", "advance", "close"]]);
});

test("a thread that fails when it is opened after all is reported", () => {
  const recordings = new FakeRecordings();
  play(recordings, CONFIGURED);
  const failing: Channel = {
    post: () => {},
    take: () => ({ kind: "failed", message: "out of memory" }),
    close: () => {},
  };
  const channel = new ConfiguredChannel(recordings, () => failing);
  channel.post(OPEN);
  channel.post(step("other"));
  expect([channel.take(), channel.take()]).toEqual([
    { kind: "opened" },
    { kind: "failed", message: "out of memory" },
  ]);
});
