/**
 * A guest in a thread of its own. While it computes, its thread is one slice ahead of the simulation, so that the guests of a lab compute at
 * the same time:
 *
 *     guest        | slice 1 | slice 2 | slice 3 |
 *     simulation             | slice 1 | slice 2 |      an input of slice 1 is given at the start of slice 3
 *
 * Whether a guest is ahead depends on its own time alone, so the outputs are the same for every number of processors.
 */
import type { Channel } from "./channel.ts";
import type { Advance, Advanced, Guest, GuestOptions, Message, Saved } from "./guest.ts";
import type { OpenRequest, Reply, ResumeRequest } from "./protocol.ts";

/** A guest has failed, or does not answer. */
class GuestError extends Error {
  override readonly name = "GuestError";
}

export interface SavedGuest {
  /** From the image's state. */
  readonly difference: Uint8Array;
  /** The guest's clock. */
  readonly nowNs: number;
}

/** Where states are kept. */
export interface StateKeeper {
  newName(): string;
  keep(name: string, saved: SavedGuest): void;
}

export class ThreadGuest implements Guest {
  readonly #name: string;
  readonly #channel: Channel;
  readonly #keeper: StateKeeper;
  /** How many replies are due before that of a slice. */
  #opening = 1;
  /** Whether the next slice is computed already, or is being computed. */
  #isAhead = false;
  /** The next slice, if it was taken from the thread before it was asked for. */
  #ready: Advanced | undefined;
  readonly #held: Message[] = [];
  #nowNs: number;
  /** The name of the machine's state; undefined while it has none. */
  #state: string | undefined;
  /** Whether the state is in its thread only. */
  #isParked = false;

  /**
   * @param name for messages.
   * @param state the name of the state with which it is opened.
   */
  constructor(
    name: string,
    request: OpenRequest | ResumeRequest,
    channel: Channel,
    keeper: StateKeeper,
    state?: string,
  ) {
    this.#name = name;
    this.#channel = channel;
    this.#keeper = keeper;
    this.#nowNs = request.nowNs;
    this.#state = state;
    channel.post(request);
  }

  get nowNs(): number {
    return this.#nowNs;
  }

  /** @throws GuestError if the guest cannot be started, or does not answer. */
  advance({ toNs, inputs }: Advance): Advanced {
    this.#held.push(...inputs);
    if (!this.#isAhead) this.#postSlice(toNs);
    const reply = this.#ready ?? this.#take("advanced");
    this.#ready = undefined;
    this.#nowNs = reply.nowNs;
    this.#isAhead = reply.wakeNs <= reply.nowNs;
    if (this.#isAhead) this.#postSlice(reply.nowNs);
    return this.#held.length > 0 ? { ...reply, wakeNs: reply.nowNs } : reply;
  }

  /** The guest can go on afterwards, as if it had not been saved. The state stays in its thread until it changes, or is asked for. */
  save(): Saved {
    if (this.#isAhead) this.#ready ??= this.#take("advanced");
    if (this.#state === undefined) {
      this.#state = this.#keeper.newName();
      this.#isParked = true;
    }
    return { state: this.#state, outputs: this.#ready?.outputs ?? [], inputs: [...this.#held] };
  }

  /** Has a state that is in the thread only kept. @throws GuestError */
  keep(): void {
    if (!this.#isParked) return;
    this.#isParked = false;
    this.#channel.post({ kind: "save" });
    const { difference, nowNs } = this.#take("saved");
    this.#keeper.keep(this.#state!, { difference, nowNs });
  }

  checkpoint(): void {
    this.keep();
    this.#state = undefined;
    if (this.#isAhead) this.#ready ??= this.#take("advanced");
    this.#channel.post({ kind: "checkpoint" });
    this.#opening += 1;
  }

  /** Whether the machine has this state now. */
  isAt(state: string): boolean {
    return this.#state === state;
  }

  /** @returns the guest that goes on with the state, in the same thread and with the same bytes as one that is opened with it. */
  resume(seed: GuestOptions["seed"]): ThreadGuest {
    this.keep();
    this.#awaitOpened();
    const nowNs = this.#ready?.nowNs ?? this.#nowNs;
    const request = { kind: "resume", seed, nowNs } as const;
    return new ThreadGuest(this.#name, request, this.#channel, this.#keeper, this.#state);
  }

  close(): void {
    this.#channel.close();
  }

  #postSlice(toNs: number): void {
    this.keep();
    this.#state = undefined;
    this.#channel.post({ kind: "advance", toNs, inputs: this.#held.splice(0) });
  }

  #awaitOpened(): void {
    while (this.#opening > 0) {
      this.#opening -= 1;
      this.#takeReply("opened");
    }
  }

  #take<K extends Reply["kind"]>(kind: K): Extract<Reply, { kind: K }> {
    this.#awaitOpened();
    return this.#takeReply(kind);
  }

  #takeReply<K extends Reply["kind"]>(kind: K): Extract<Reply, { kind: K }> {
    const reply = this.#channel.take();
    if (reply.kind === kind) return reply as Extract<Reply, { kind: K }>;
    const why = reply.kind === "failed" ? reply.message : "its thread is out of step";
    throw new GuestError(`${this.#name}: the guest failed: ${why}`);
  }
}
