/**
 * The way to the thread of a guest that is configured, which was perhaps done before: an earlier play has recorded the slices up to the
 * checkpoint, and the state there.
 *
 *     no recording     the thread is asked; requests and replies are recorded; at the checkpoint the state is saved with them
 *     a recording      its replies answer equal requests; at the checkpoint the machine is restored from the state
 *     another request  the machine is opened after all, and gets the requests until here again; then as without a recording
 *
 * The guest settles at the checkpoint in any case, so the bytes are the same.
 */
import type { Channel } from "./channel.ts";
import type { AdvanceRequest, OpenRequest, Reply, Request } from "./protocol.ts";
import { type AdvancedReply, isEqual, type Recording } from "./recording.ts";

/** The recordings of guests that are opened alike. */
export interface Recordings {
  /** Whether there may be one. */
  readonly areThere: boolean;
  /** @param first the request after the opening. */
  find(first: AdvanceRequest): Recording | undefined;
  store(recording: Recording): void;
}

export class ConfiguredChannel implements Channel {
  #open: OpenRequest | undefined;
  readonly #recordings: Recordings;
  readonly #begin: () => Channel;
  #thread: Channel | undefined;
  #recording: Recording | undefined;
  readonly #requests: AdvanceRequest[] = [];
  readonly #replies: AdvancedReply[] = [];
  /** Replies of the recording that are not taken yet. */
  readonly #ready: Reply[] = [];
  /** Whether nothing is recorded any more. */
  #isOver = false;

  /** @param begin starts a thread. */
  constructor(recordings: Recordings, begin: () => Channel) {
    this.#recordings = recordings;
    this.#begin = begin;
  }

  post(request: Request): void {
    if (request.kind === "open") this.#beginWith(request);
    else if (this.#isOver) this.#thread!.post(request);
    else if (request.kind === "advance") this.#advance(request);
    else if (request.kind === "checkpoint") this.#pass();
    else {
      this.#isOver = true;
      this.#catchUp().post(request);
    }
  }

  take(): Reply {
    const reply = this.#ready.shift() ?? this.#thread!.take();
    if (reply.kind === "advanced" && this.#isWaiting) this.#replies.push(reply);
    return reply;
  }

  close(): void {
    this.#thread?.close();
  }

  #beginWith(open: OpenRequest): void {
    this.#open = open;
    // Without a recording, guests start their threads at once, and so at the same time.
    if (this.#recordings.areThere) this.#ready.push({ kind: "opened" });
    else this.#startThread(open);
  }

  #startThread(open: OpenRequest): Channel {
    this.#thread = this.#begin();
    this.#thread.post(open);
    return this.#thread;
  }

  #advance(request: AdvanceRequest): void {
    const at = this.#requests.length;
    if (this.#thread === undefined) {
      if (at === 0) this.#recording = this.#recordings.find(request);
      const recorded = this.#recording?.requests[at];
      if (recorded !== undefined && isEqual(recorded, request)) {
        this.#requests.push(recorded);
        this.#ready.push(this.#recording!.replies[at]!);
        return;
      }
    }
    const thread = this.#catchUp();
    this.#requests.push(request);
    thread.post(request);
  }

  #pass(): void {
    this.#isOver = true;
    const recording = this.#recording;
    if (this.#thread === undefined && recording?.requests.length === this.#requests.length) {
      // The reply to this request is that to the checkpoint.
      this.#startThread({ ...this.#open!, nowNs: recording.nowNs, difference: recording.difference });
      return;
    }
    const thread = this.#catchUp();
    if (this.#requests.length > 0) this.#store(thread);
    thread.post({ kind: "checkpoint" });
  }

  /** Waits for the state: those of several guests at once would take as much memory as the guests. */
  #store(thread: Channel): void {
    const taken: Reply[] = [];
    while (this.#isWaiting && taken.at(-1)?.kind !== "failed") taken.push(this.take());
    this.#ready.push(...taken);
    thread.post({ kind: "save" });
    const saved = thread.take();
    // A thread that has failed fails at the checkpoint, too.
    if (saved.kind !== "saved") return;
    const { difference, nowNs } = saved;
    this.#recordings.store({ requests: this.#requests, replies: this.#replies, difference, nowNs });
  }

  /** Whether a slice that was asked for has no reply yet. */
  get #isWaiting(): boolean {
    return this.#replies.length < this.#requests.length;
  }

  /** The thread, after it has got the requests that the recording has answered. */
  #catchUp(): Channel {
    if (this.#thread !== undefined) return this.#thread;
    const thread = this.#startThread(this.#open!);
    const replies = [thread.take()];
    for (const request of this.#requests) {
      thread.post(request);
      replies.push(thread.take());
    }
    const failed = replies.find(({ kind }) => kind === "failed");
    if (failed !== undefined) this.#ready.push(failed);
    return thread;
  }
}
