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
import type { Advance, Advanced, Guest, Message, Saved } from "./guest.ts";
import type { OpenRequest, Reply } from "./protocol.ts";

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

export class ThreadGuest implements Guest {
  readonly #name: string;
  readonly #channel: Channel;
  readonly #keep: (saved: SavedGuest) => string;
  #isOpened = false;
  /** Whether the next slice is computed already, or is being computed. */
  #isAhead = false;
  #held: Message[] = [];
  #nowNs: number;

  /**
   * @param name for messages.
   * @param keep stores a state, and returns the name under which it is found.
   */
  constructor(name: string, request: OpenRequest, channel: Channel, keep: (saved: SavedGuest) => string) {
    this.#name = name;
    this.#channel = channel;
    this.#keep = keep;
    this.#nowNs = request.nowNs;
    channel.post(request);
  }

  get nowNs(): number {
    return this.#nowNs;
  }

  /** @throws GuestError if the guest cannot be started, or does not answer. */
  advance({ toNs, inputs }: Advance): Advanced {
    this.#held.push(...inputs);
    if (!this.#isAhead) this.#postSlice(toNs);
    const reply = this.#takeSlice();
    this.#isAhead = reply.wakeNs <= reply.nowNs;
    if (this.#isAhead) this.#postSlice(reply.nowNs);
    return this.#held.length > 0 ? { ...reply, wakeNs: reply.nowNs } : reply;
  }

  save(): Saved {
    const outputs: readonly Message[] = this.#isAhead ? this.#takeSlice().outputs : [];
    this.#isAhead = false;
    this.#channel.post({ kind: "save" });
    return { state: this.#keep(this.#take("saved")), outputs, inputs: this.#held.splice(0) };
  }

  close(): void {
    this.#channel.close();
  }

  #postSlice(toNs: number): void {
    this.#channel.post({ kind: "advance", toNs, inputs: this.#held.splice(0) });
  }

  #takeSlice(): Advanced {
    const reply = this.#take("advanced");
    this.#nowNs = reply.nowNs;
    return reply;
  }

  #take<K extends Reply["kind"]>(kind: K): Extract<Reply, { kind: K }> {
    if (!this.#isOpened) {
      this.#isOpened = true;
      this.#take("opened");
    }
    const reply = this.#channel.take();
    if (reply.kind === kind) return reply as Extract<Reply, { kind: K }>;
    const why = reply.kind === "failed" ? reply.message : "its thread is out of step";
    throw new GuestError(`${this.#name}: the guest failed: ${why}`);
  }
}
