/** A guest whose thread the test plays. */

import { expect, test } from "vitest";
import type { Channel } from "../../../packages/linux/guest/channel.ts";
import type { Message } from "../../../packages/linux/guest/guest.ts";
import type { OpenRequest, Reply, Request } from "../../../packages/linux/guest/protocol.ts";
import { type SavedGuest, ThreadGuest } from "../../../packages/linux/guest/thread-guest.ts";

const OPEN = { kind: "open", nowNs: 1_000 } as OpenRequest;
const SLICE_NS = 1_000;
const message = (text: string): Message => ({ kind: "serial", port: 0, data: Buffer.from(text) });
const textOf = ({ data }: Message): string => Buffer.from(data).toString();

/** Computes for so many slices, then waits for a millisecond. Puts out what it is given. */
class FakeThread implements Channel {
  readonly posted: string[] = [];
  readonly #replies: Reply[] = [];
  #busy: number;
  #nowNs = OPEN.nowNs;
  failure: string | undefined;

  constructor(busy = 0) {
    this.#busy = busy;
  }

  post(request: Request): void {
    this.posted.push(request.kind === "advance" ? request.inputs.map(textOf).join("+") || "-" : request.kind);
    this.#replies.push(this.#answer(request));
  }

  #answer(request: Request): Reply {
    if (this.failure) return { kind: "failed", message: this.failure };
    if (request.kind === "open" || request.kind === "resume" || request.kind === "checkpoint")
      return { kind: "opened" };
    if (request.kind === "save") return { kind: "saved", difference: new Uint8Array(1), nowNs: this.#nowNs };
    const atNs = Math.max(this.#nowNs, request.toNs);
    this.#nowNs = atNs + SLICE_NS;
    this.#busy -= 1;
    const wakeNs = this.#busy > 0 ? this.#nowNs : this.#nowNs + 1_000_000;
    return {
      kind: "advanced",
      nowNs: this.#nowNs,
      wakeNs,
      outputs: request.inputs.map((each) => ({ ...each, atNs })),
    };
  }

  take(): Reply {
    return this.#replies.shift()!;
  }

  close(): void {
    this.posted.push("close");
  }
}

/** Keeps states, with the guest's clock. */
class Kept {
  readonly clocks = new Map<string, number>();
  #names = 0;
  newName = () => `s${++this.#names}`;
  keep = (name: string, { nowNs }: SavedGuest) => void this.clocks.set(name, nowNs);
}

const open = (thread: FakeThread, kept = new Kept()): ThreadGuest =>
  new ThreadGuest("r1", OPEN, thread, kept);

test("a guest that waits gets an input at once", () => {
  const thread = new FakeThread();
  const guest = open(thread);
  const { nowNs, outputs } = guest.advance({ toNs: 5_000, inputs: [message("a")] });
  expect(nowNs).toBe(6_000);
  expect(outputs.map(textOf)).toEqual(["a"]);
  expect(thread.posted).toEqual(["open", "a"]);
});

test("a guest that computes is a slice ahead, and gets an input in the slice after it", () => {
  const thread = new FakeThread(3);
  const guest = open(thread);
  const first = guest.advance({ toNs: 0, inputs: [message("a")] });
  expect(thread.posted).toEqual(["open", "a", "-"]);
  expect(first).toMatchObject({ nowNs: 2_000, wakeNs: 2_000 });
  expect(guest.advance({ toNs: 2_000, inputs: [message("b")] }).outputs).toEqual([]);
  expect(thread.posted).toEqual(["open", "a", "-", "b"]);
  expect(guest.advance({ toNs: 3_000, inputs: [] }).outputs.map(textOf)).toEqual(["b"]);
  expect(thread.posted).toHaveLength(4);
});

test("an input of the last slice before a wait is given at the guest's time", () => {
  const thread = new FakeThread(2);
  const guest = open(thread);
  guest.advance({ toNs: 0, inputs: [] });
  const last = guest.advance({ toNs: 2_000, inputs: [message("late")] });
  expect(last).toMatchObject({ nowNs: 3_000, wakeNs: 3_000, outputs: [] });
  const { outputs } = guest.advance({ toNs: 3_000, inputs: [] });
  expect(outputs.map(({ atNs }) => atNs)).toEqual([3_000]);
  expect(outputs.map(textOf)).toEqual(["late"]);
});

test("a saved state has what the simulation has not taken, and what the guest has not been given", () => {
  const kept = new Kept();
  const thread = new FakeThread(3);
  const guest = open(thread, kept);
  guest.advance({ toNs: 0, inputs: [] });
  guest.advance({ toNs: 2_000, inputs: [message("b")] });
  const { state, outputs, inputs } = guest.save();
  expect(outputs.map(textOf)).toEqual(["b"]);
  expect(inputs).toEqual([]);
  guest.keep();
  expect([...kept.clocks]).toEqual([[state, 4_000]]);
});

test("an input that the guest has not been given is in the saved state, and still given to the guest", () => {
  const thread = new FakeThread(2);
  const guest = open(thread);
  guest.advance({ toNs: 0, inputs: [] });
  guest.advance({ toNs: 2_000, inputs: [message("late")] });
  expect(guest.save().inputs.map(textOf)).toEqual(["late"]);
  expect(guest.advance({ toNs: 3_000, inputs: [] }).outputs.map(textOf)).toEqual(["late"]);
});

test("a guest that is saved while it computes goes on as if it had not been", () => {
  const advanceAll = (thread: FakeThread, meanwhile: (guest: ThreadGuest) => void) => {
    const guest = open(thread);
    const first = guest.advance({ toNs: 0, inputs: [message("a")] });
    meanwhile(guest);
    return [first, ...[2_000, 3_000].map((toNs) => guest.advance({ toNs, inputs: [message(`at ${toNs}`)] }))];
  };
  const saved = new FakeThread(3);
  const untouched = new FakeThread(3);
  expect(advanceAll(saved, (guest) => guest.save())).toEqual(advanceAll(untouched, () => {}));
  expect(saved.posted.filter((each) => each !== "save")).toEqual(untouched.posted);
});

test("a state that nothing needs is not encoded; one that the guest leaves is, once", () => {
  const kept = new Kept();
  const thread = new FakeThread();
  const guest = open(thread, kept);
  guest.advance({ toNs: 0, inputs: [] });
  expect(guest.save().state).toBe("s1");
  expect(guest.save().state).toBe("s1");
  expect(thread.posted).toEqual(["open", "-"]);
  guest.advance({ toNs: 5_000, inputs: [] });
  guest.keep();
  expect(thread.posted).toEqual(["open", "-", "save", "-"]);
  expect([...kept.clocks]).toEqual([["s1", 2_000]]);
  expect(guest.save().state).toBe("s2");
});

test("a guest that has done nothing since it was opened has the state with which it was opened", () => {
  const guest = new ThreadGuest("r1", OPEN, new FakeThread(), new Kept(), "before");
  expect(guest.save().state).toBe("before");
});

test("at a checkpoint, the slice that is computed ahead is still given to the simulation", () => {
  const thread = new FakeThread(3);
  const guest = open(thread);
  guest.advance({ toNs: 0, inputs: [message("a")] });
  guest.advance({ toNs: 2_000, inputs: [message("b")] });
  guest.checkpoint();
  expect(thread.posted).toEqual(["open", "a", "-", "b", "checkpoint"]);
  expect(guest.advance({ toNs: 3_000, inputs: [message("c")] }).outputs.map(textOf)).toEqual(["b"]);
  expect(guest.advance({ toNs: 4_000, inputs: [] }).outputs.map(textOf)).toEqual(["c"]);
});

test("goes on in its thread with a state at which it is, and the state is kept for others", () => {
  const kept = new Kept();
  const thread = new FakeThread(2);
  const guest = open(thread, kept);
  guest.advance({ toNs: 0, inputs: [message("a")] });
  const { state } = guest.save();
  expect(guest.isAt(state)).toBe(true);
  const next = guest.resume([1, 2, 3, 4]);
  expect(thread.posted).toEqual(["open", "a", "-", "save", "resume"]);
  expect(kept.clocks.get(state)).toBe(3_000);
  expect(next.nowNs).toBe(3_000);
  expect(next.isAt(state)).toBe(true);
  expect(next.advance({ toNs: 3_000, inputs: [message("c")] }).outputs.map(textOf)).toEqual(["c"]);
  expect(next.isAt(state)).toBe(false);
});

test("a guest that does not start is reported with its name and the reason, when it is first asked", () => {
  const thread = new FakeThread();
  thread.failure = "out of memory";
  const guest = open(thread);
  expect(() => guest.advance({ toNs: 0, inputs: [] })).toThrow("r1: the guest failed: out of memory");
  guest.close();
  expect(thread.posted.at(-1)).toBe("close");
});
