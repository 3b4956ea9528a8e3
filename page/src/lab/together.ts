/** Sends edits of one part together, and its requests one after another. */
import type { FieldEdit } from "./part-edits.ts";

type Send = (id: string, edits: readonly FieldEdit[]) => Promise<void>;

interface Batch {
  readonly edits: FieldEdit[];
  readonly sent: Promise<void>;
}

export class Together {
  readonly #send: Send;
  readonly #open = new Map<string, Batch>();
  readonly #last = new Map<string, Promise<unknown>>();

  /** @param send performs the edits of one part. */
  constructor(send: Send) {
    this.#send = send;
  }

  /** @returns a promise that settles with the request that has this edit. */
  edit(id: string, edit: FieldEdit): Promise<void> {
    const open = this.#open.get(id);
    if (open !== undefined) {
      open.edits.push(edit);
      return open.sent;
    }
    const edits = [edit];
    const before = this.#last.get(id) ?? Promise.resolve();
    const sent = before
      .catch(() => {})
      .then(() => {
        this.#open.delete(id);
        return this.#send(id, edits);
      });
    this.#open.set(id, { edits, sent });
    this.#last.set(id, sent);
    return sent;
  }
}
